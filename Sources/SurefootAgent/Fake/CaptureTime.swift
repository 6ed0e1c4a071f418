/// Finds the receiver's time in a line of a capture, just well enough to pace it.
enum CaptureTime {
    /// Time of day in milliseconds of an RMC, GGA, GNS, GLL or ZDA sentence with a right sum.
    static func ofSentence(_ line: ArraySlice<UInt8>) -> Int64? {
        guard let dollar = line.lastIndex(of: UInt8(ascii: "$")), !isInFrame(dollar, of: line)
        else {
            return nil
        }
        let body = line[(dollar + 1)...].prefix { $0 != UInt8(ascii: "\r") && $0 != 0x0A }
        guard body.count > 6, isSumRight(body) else { return nil }
        let fields = body.split(
            separator: UInt8(ascii: ","),
            maxSplits: 6,
            omittingEmptySubsequences: false
        )
        let place: Int
        switch String(decoding: fields[0].suffix(3), as: UTF8.self) {
        case "RMC", "GGA", "GNS", "ZDA": place = 1
        case "GLL": place = 5
        default: return nil
        }
        guard place < fields.count else { return nil }
        return timeOfDay(fields[place])
    }

    /// Time in milliseconds since 1970 of a TPV report.
    static func ofReport(_ line: ArraySlice<UInt8>) -> Int64? {
        guard line.contains(tpv), let value = value(of: "time", in: line) else { return nil }
        if value.first == UInt8(ascii: "\"") { return instant(value.dropFirst()) }
        return decimal(value.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") })
    }

    /// Whether a place in a line lies in the payload of a UBX frame that begins in it.
    private static func isInFrame(_ place: Int, of line: ArraySlice<UInt8>) -> Bool {
        guard let sync = line[..<place].firstRange(of: [0xB5, 0x62]), sync.lowerBound + 6 <= place
        else {
            return false
        }
        let payload = Int(line[sync.lowerBound + 4]) | Int(line[sync.lowerBound + 5]) << 8
        return place < sync.lowerBound + 8 + payload
    }

    private static let tpv = Array("\"class\":\"TPV\"".utf8)

    /// What follows `"key":`.
    static func value(of key: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let needle = Array("\"\(key)\":".utf8)
        return line.firstRange(of: needle).map { line[$0.upperBound...] }
    }

    private static func isSumRight(_ body: ArraySlice<UInt8>) -> Bool {
        guard let star = body.lastIndex(of: UInt8(ascii: "*")) else { return true }
        let text = String(decoding: body[(star + 1)...].prefix(2), as: UTF8.self)
        return UInt8(text, radix: 16) == body[..<star].reduce(0, ^)
    }

    /// `hhmmss[.sss]`.
    private static func timeOfDay(_ field: ArraySlice<UInt8>) -> Int64? {
        guard field.count >= 6, let hours = digits(field, 0, 2), let minutes = digits(field, 2, 2),
            let seconds = decimal(field.dropFirst(4)), hours < 24, minutes < 60, seconds < 61_000
        else { return nil }
        return (hours * 60 + minutes) * 60_000 + seconds
    }

    /// `yyyy-mm-ddThh:mm:ss[.sss]Z`.
    private static func instant(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let year = digits(text, 0, 4), let month = digits(text, 5, 2),
            let day = digits(text, 8, 2), let hours = digits(text, 11, 2),
            let minutes = digits(text, 14, 2), (1...12).contains(month),
            let seconds = decimal(text.dropFirst(17).prefix { $0 != UInt8(ascii: "Z") })
        else { return nil }
        // Days since 1970 by counting years from March (Howard Hinnant, days_from_civil).
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return ((days * 24 + hours) * 60 + minutes) * 60_000 + seconds
    }

    private static func digits(_ text: ArraySlice<UInt8>, _ from: Int, _ count: Int) -> Int64? {
        let part = text.dropFirst(from).prefix(count)
        guard part.count == count else { return nil }
        var number: Int64 = 0
        for byte in part {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// Thousandths of a plain decimal; further digits are dropped.
    private static func decimal(_ text: ArraySlice<UInt8>) -> Int64? {
        let whole = text.prefix { $0 != UInt8(ascii: ".") }
        guard (1...12).contains(whole.count), let number = digits(whole, 0, whole.count) else {
            return nil
        }
        let fraction = text.dropFirst(whole.count + 1).prefix(3)
        guard let part = fraction.isEmpty ? 0 : digits(fraction, 0, fraction.count) else {
            return nil
        }
        return number * 1000 + [part, part * 100, part * 10, part][fraction.count]
    }
}
