import Positioning

extension Arguments {
    /// One of the cases of an enumeration, by its raw value.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        default standard: Choice
    ) throws(UsageFault) -> Choice {
        guard let given = self[name] else { return standard }
        guard let choice = Choice(rawValue: given) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: " or ")
            throw UsageFault(message: "--\(name) is \(known), not \"\(given)\".")
        }
        return choice
    }

    func isYes(_ name: String, default standard: Bool) throws(UsageFault) -> Bool {
        switch self[name] {
        case nil: return standard
        case "yes": return true
        case "no": return false
        case let given?: throw UsageFault(message: "--\(name) is yes or no, not \"\(given)\".")
        }
    }

    /// A day as `2026-11-14`.
    func date(_ name: String) throws(UsageFault) -> CivilDate? {
        guard let given = self[name] else { return nil }
        let parts = given.split(separator: "-", omittingEmptySubsequences: false)
        let lengths = parts.map(\.utf8.count)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(part) : nil
        }
        guard lengths == [4, 2, 2], numbers.count == 3,
            let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
        else {
            throw UsageFault(message: "--\(name) is a day such as 2026-11-14, not \"\(given)\".")
        }
        return date
    }

    /// `max`, or how many times faster than real time.
    func speed(_ name: String) throws(UsageFault) -> Double? {
        guard let given = self[name], given != "max" else { return nil }
        guard let speed = number(given), speed > 0, speed <= 100_000 else {
            throw UsageFault(message: "--\(name) is max or a number such as 10, not \"\(given)\".")
        }
        return speed
    }

    /// A path that is not empty: `--out "$UNSET"` must not mean the root.
    func path(_ name: String) throws(UsageFault) -> String? {
        guard let given = self[name] else { return nil }
        guard !given.isEmpty else { throw UsageFault(message: "--\(name) is empty.") }
        return given
    }

    /// A time such as `90`, `90s`, `30m` or `1.5h`, in seconds.
    func duration(_ name: String) throws(UsageFault) -> Double? {
        guard let given = self[name] else { return nil }
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        let unit = given.last.flatMap { units[$0] }
        let amount = unit == nil ? given : String(given.dropLast())
        guard let number = number(amount), number > 0, number * (unit ?? 1) <= 1e9 else {
            throw UsageFault(message: "--\(name) is a time such as 30m, not \"\(given)\".")
        }
        return number * (unit ?? 1)
    }

    func port(_ name: String) throws(UsageFault) -> UInt16? {
        guard let given = self[name] else { return nil }
        guard let port = UInt16(given), !given.hasPrefix("+") else {
            throw UsageFault(message: "--\(name) is a port, 0 to 65535, not \"\(given)\".")
        }
        return port
    }

    /// Digits with at most one point, and nothing else.
    private func number(_ text: String) -> Double? {
        let isPlain = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
        }
        return isPlain ? Double(text) : nil
    }
}
