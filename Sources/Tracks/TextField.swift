internal import Positioning

/// Reads numbers and times from XML text, whatever the locale.
///
/// White space around a value does not count (XML Schema: whiteSpace collapse).
struct TextField {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        rest = bytes[...]
        while let first = rest.first, Self.isSpace(first) { rest.removeFirst() }
        while let last = rest.last, Self.isSpace(last) { rest.removeLast() }
    }

    var isEmpty: Bool { rest.isEmpty }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    // MARK: Numbers

    /// A decimal number as `digits` times ten to the `exponent`, 18 digits kept.
    struct Decimal {
        var isNegative = false
        var digits: Int64 = 0
        var exponent = 0
    }

    /// A number such as `-37.5211` or, as some programs write it, `-9.5E-7`; `nil` for all else.
    func decimal() -> Decimal? {
        var field = self
        var number = Decimal()
        if field.take(UInt8(ascii: "-")) {
            number.isNegative = true
        } else {
            _ = field.take(UInt8(ascii: "+"))
        }
        var digitCount = 0
        var afterPoint = false
        while let byte = field.rest.first {
            if byte == UInt8(ascii: "."), !afterPoint {
                afterPoint = true
            } else if let digit = Self.digit(byte) {
                digitCount += 1
                if number.digits < 100_000_000_000_000_000 {
                    number.digits = number.digits * 10 + Int64(digit)
                    number.exponent -= afterPoint ? 1 : 0
                } else {
                    number.exponent += afterPoint ? 0 : 1
                }
            } else {
                break
            }
            field.rest.removeFirst()
        }
        guard digitCount > 0 else { return nil }
        if field.take(UInt8(ascii: "e")) || field.take(UInt8(ascii: "E")) {
            let isNegative = field.take(UInt8(ascii: "-"))
            if !isNegative { _ = field.take(UInt8(ascii: "+")) }
            guard !field.isEmpty, field.rest.count <= 4,
                let power = field.takeNumber(field.rest.count)
            else { return nil }
            number.exponent += isNegative ? -power : power
        }
        return field.isEmpty ? number : nil
    }

    /// In 1e-9 units, rounded to the nearest; `nil` also beyond ±`limit`.
    func nano(limit: Int64) -> Int64? {
        guard let number = decimal() else { return nil }
        guard number.digits != 0 else { return 0 }
        var value = number.digits
        var shift = number.exponent + 9
        while shift > 0 {
            guard value <= limit / 10 else { return nil }
            value *= 10
            shift -= 1
        }
        if shift < 0 {
            // Digits below the last one kept decide by the first of them; the rest cannot.
            while shift < -1, value != 0 {
                value /= 10
                shift += 1
            }
            value = (value + 5) / 10
        }
        guard value <= limit else { return nil }
        return number.isNegative ? -value : value
    }

    /// `nil` also for a number too large to be finite.
    func double() -> Double? {
        guard let number = decimal() else { return nil }
        var value = Double(number.digits)
        var exponent = number.exponent
        // Powers up to 1e22 are exact, so 15 digits give the nearest Double.
        while exponent != 0, value != 0, value.isFinite {
            let step = min(abs(exponent), 22)
            value = exponent < 0 ? value / Self.powers[step] : value * Self.powers[step]
            exponent += exponent < 0 ? step : -step
        }
        guard value.isFinite else { return nil }
        return number.isNegative ? -value : value
    }

    /// 0 to 9999, digits only.
    func count() -> Int? {
        var field = self
        _ = field.take(UInt8(ascii: "+"))
        while field.rest.count > 1, field.rest.first == UInt8(ascii: "0") {
            field.rest.removeFirst()
        }
        guard (1...4).contains(field.rest.count) else { return nil }
        return field.takeNumber(field.rest.count)
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    // MARK: Times

    /// An instant as RFC 3339 writes it, to the nearest millisecond.
    ///
    /// Also what XML Schema's dateTime has besides: no offset, which GPX reads as UTC, and 24:00:00
    /// for the end of a day. An offset without colon (`+0900`) is read too. Second 60 becomes the
    /// second that follows it, as `UTC` has it.
    func time() -> UTC? {
        var field = self
        guard let year = field.takeNumber(4), field.take(UInt8(ascii: "-")),
            let month = field.takeNumber(2), field.take(UInt8(ascii: "-")),
            let dayOfMonth = field.takeNumber(2),
            let date = CivilDate(year: year, month: month, day: dayOfMonth),
            field.take(UInt8(ascii: "T")) || field.take(UInt8(ascii: "t"))
                || field.take(UInt8(ascii: " ")),
            let hour = field.takeNumber(2), field.take(UInt8(ascii: ":")),
            let minute = field.takeNumber(2), field.take(UInt8(ascii: ":")),
            let second = field.takeNumber(2),
            let fraction = field.takeFraction(),
            let offsetMinutes = field.takeOffset(), field.isEmpty,
            minute <= 59, second <= 60,
            hour <= 23 || (hour == 24 && minute == 0 && second == 0 && fraction == 0)
        else { return nil }
        let seconds = (hour * 60 + minute - offsetMinutes) * 60 + second
        return UTC(
            milliseconds: Int64(date.daysSince1970) * UTC.millisecondsADay
                + Int64(seconds) * 1000 + Int64(fraction)
        )
    }

    /// Milliseconds, 0 to 1000; 0 if no point stands here, `nil` for a point without digits.
    private mutating func takeFraction() -> Int? {
        guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else { return 0 }
        var value = 0
        var digitCount = 0
        while let byte = rest.first, let digit = Self.digit(byte) {
            if digitCount < 4 { value = value * 10 + digit }
            digitCount += 1
            rest.removeFirst()
        }
        guard digitCount > 0 else { return nil }
        for _ in min(digitCount, 4)..<4 { value *= 10 }
        return (value + 5) / 10
    }

    /// Minutes east of Greenwich; 0 for `Z` and for nothing.
    private mutating func takeOffset() -> Int? {
        if isEmpty || take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
        let isWest = take(UInt8(ascii: "-"))
        guard isWest || take(UInt8(ascii: "+")), let hours = takeNumber(2) else { return nil }
        _ = take(UInt8(ascii: ":"))
        guard let minutes = takeNumber(2), hours <= 23, minutes <= 59 else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }

    // MARK: Pieces

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            ? Int(byte - UInt8(ascii: "0")) : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    /// Exactly so many digits.
    private mutating func takeNumber(_ width: Int) -> Int? {
        var value = 0
        guard rest.count >= width else { return nil }
        for _ in 0..<width {
            guard let digit = Self.digit(rest.removeFirst()) else { return nil }
            value = value * 10 + digit
        }
        return value
    }
}
