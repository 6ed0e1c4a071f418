import Geodesy

/// What a field of a sentence holds: a value, nothing, or something that is no value of its kind.
enum Reading<Value> {
    case value(Value)
    case empty
    case fault

    /// The value, if there is one.
    var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    var isFault: Bool {
        if case .fault = self { true } else { false }
    }
}

extension Reading: Sendable where Value: Sendable {}

/// A decimal number as it stood on the wire: `mantissa` / 10^`scale`.
struct Decimal {
    var mantissa: Int64
    /// Digits behind the point.
    var scale: Int

    @inline(always)
    var double: Double {
        Double(mantissa) / Self.powers[min(scale, 18)]
    }

    private static let powers: InlineArray<19, Double> = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18,
    ]
}

/// Reads the fields of one sentence from left to right.
///
/// Digits are taken by hand: no locale, no sign, exponent or space is ever accepted where the
/// standard has none.
///
/// The bytes come in with each call, since a span may not be stored. Digits and commas are found
/// eight bytes at a time; see ``EightBytes``. What is longer than receivers write goes byte by byte.
///
/// A field is a call, and is not inlined into the reader of a sentence: in one function of that size
/// the compiler no longer inlines the loads of eight bytes themselves, which costs much more.
struct FieldCursor {
    private(set) var at: Int
    private let end: Int

    /// Starts at the first byte of the first field.
    init(start: Int, end: Int) {
        at = start
        self.end = end
    }

    /// The sentence has no more fields.
    var isAtEnd: Bool { at > end }

    @inline(always)
    mutating func skip(_ count: Int = 1, in bytes: Span<UInt8>) {
        if count == 2, 2 <= end &- at, EightBytes(bytes, at: at).startsWithTwoCommas {
            at &+= 2
            return
        }
        for _ in 0..<count { skipOne(in: bytes) }
    }

    @inline(always)
    private mutating func skipOne(in bytes: Span<UInt8>) {
        while at < end {
            let distance = EightBytes(bytes, at: at).commaIndex
            at &+= distance
            if distance < 8 {
                at = min(at, end)
                break
            }
        }
        at &+= 1
    }

    /// One letter or other single character.
    @inline(always)
    mutating func letter(in bytes: Span<UInt8>) -> Reading<UInt8> {
        let word = EightBytes(bytes, at: at)
        let letter = word[0]
        guard at < end, letter != ASCII.comma else { return pass(.empty) }
        return closeField(at &+ 1, before: word[1], .value(letter), in: bytes)
    }

    /// Digits with at most one point, and a minus if allowed; at most 18 digits.
    @inline(never)
    mutating func decimal(allowsMinus: Bool = false, in bytes: Span<UInt8>) -> Reading<Decimal> {
        var word = EightBytes(bytes, at: at)
        guard at < end, word[0] != ASCII.comma else { return pass(.empty) }
        var start = at
        let isNegative = allowsMinus && word[0] == ASCII.minus
        if isNegative {
            start &+= 1
            word = EightBytes(bytes, at: start)
        }
        guard let digits = digits(word, at: start, in: bytes) else {
            return longDecimal(at: start, isNegative: isNegative, in: bytes)
        }
        let mantissa = digits.whole &* Self.tens[digits.scale] &+ digits.fraction
        return closeField(
            digits.end,
            before: digits.next,
            .value(Decimal(mantissa: isNegative ? -mantissa : mantissa, scale: digits.scale)),
            in: bytes
        )
    }

    /// A decimal number within a range; `nil` if it is outside or there is none.
    @inline(never)
    mutating func number(
        in range: ClosedRange<Double>,
        allowsMinus: Bool = false,
        _ bytes: Span<UInt8>
    ) -> Double? {
        if let decimal = shortDecimal(in: bytes) {
            let number = decimal.double
            return number >= range.lowerBound && number <= range.upperBound ? number : nil
        }
        return decimal(allowsMinus: allowsMinus, in: bytes).number(in: range)
    }

    /// A decimal number above 0; see ``Reading/positive(atMost:)``.
    @inline(never)
    mutating func positive(atMost most: Double, in bytes: Span<UInt8>) -> Double? {
        if let decimal = shortDecimal(in: bytes) {
            return decimal.mantissa > 0 ? min(decimal.double, most) : nil
        }
        return decimal(in: bytes).positive(atMost: most)
    }

    /// The number of a field as short as most are; for others `nil`, and nothing has changed.
    @inline(always)
    private mutating func shortDecimal(in bytes: Span<UInt8>) -> Decimal? {
        guard let (decimal, length) = EightBytes(bytes, at: at).shortDecimal,
            length < end &- at
        else { return nil }
        at &+= length &+ 1
        return decimal
    }

    /// A number with up to seven digits on either side of its point.
    private struct Digits {
        var whole: Int64
        var fraction: Int64 = 0
        /// Digits behind the point.
        var scale = 0
        /// Where what is neither digit nor point stands, and what it is.
        var end: Int
        var next: UInt8
    }

    /// The number whose first bytes are `word`; `nil` if it has more digits than that, or none.
    @inline(always)
    private func digits(_ word: EightBytes, at start: Int, in bytes: Span<UInt8>) -> Digits? {
        let count = word.digitCount
        guard count < 8 else { return nil }
        let whole = word.number(of: count), next = word[count]
        let middle = start &+ count
        guard next == ASCII.point, middle < end else {
            guard count > 0, middle <= end else { return nil }
            return Digits(whole: whole, end: middle, next: next)
        }
        let behind = EightBytes(bytes, at: middle &+ 1)
        let scale = behind.digitCount
        let end = middle &+ 1 &+ scale
        guard scale < 8, count &+ scale > 0, end <= self.end else { return nil }
        return Digits(
            whole: whole,
            fraction: behind.number(of: scale),
            scale: scale,
            end: end,
            next: behind[scale]
        )
    }

    /// The same as ``decimal(allowsMinus:in:)``, byte by byte, behind the sign.
    @inline(never)
    private mutating func longDecimal(
        at start: Int,
        isNegative: Bool,
        in bytes: Span<UInt8>
    ) -> Reading<Decimal> {
        var next = start
        var mantissa: Int64 = 0
        var digits = 0
        var point = -1
        while next < end {
            let digit = bytes[next] &- ASCII.zero
            if digit <= 9 {
                guard digits < 18 else { return closeField(next, .fault, in: bytes) }
                mantissa = mantissa &* 10 &+ Int64(digit)
                digits += 1
            } else if bytes[next] == ASCII.point, point < 0 {
                point = digits
            } else {
                break
            }
            next += 1
        }
        guard digits > 0 else { return closeField(next, .fault, in: bytes) }
        let scale = point < 0 ? 0 : digits - point
        return closeField(
            next,
            .value(Decimal(mantissa: isNegative ? -mantissa : mantissa, scale: scale)),
            in: bytes
        )
    }

    /// A whole number of digits alone.
    @inline(never)
    mutating func integer(in bytes: Span<UInt8>) -> Reading<Int> {
        let word = EightBytes(bytes, at: at)
        let count = word.digitCount
        if count > 0, count < 8, at &+ count < end, word[count] == ASCII.comma {
            at = at &+ count &+ 1
            return .value(Int(word.number(of: count)))
        }
        return longInteger(in: bytes)
    }

    /// Two whole numbers, of one digit and of two: quality and satellites of most GGA.
    ///
    /// - Returns: `nil` for any other shape; then nothing has changed.
    @inline(always)
    mutating func digitAndPair(in bytes: Span<UInt8>) -> (Int, Int)? {
        let word = EightBytes(bytes, at: at)
        let digit = word[0] &- ASCII.zero
        let tens = word[2] &- ASCII.zero, ones = word[3] &- ASCII.zero
        guard 5 <= end &- at, word[1] == ASCII.comma, word[4] == ASCII.comma,
            digit <= 9, tens <= 9, ones <= 9
        else { return nil }
        at &+= 5
        return (Int(digit), Int(tens) &* 10 &+ Int(ones))
    }

    @inline(never)
    private mutating func longInteger(in bytes: Span<UInt8>) -> Reading<Int> {
        switch decimal(in: bytes) {
        case .value(let decimal): decimal.scale == 0 ? .value(Int(decimal.mantissa)) : .fault
        case .empty: .empty
        case .fault: .fault
        }
    }

    /// `hhmmss` with any digits behind a point; milliseconds of the day, finer digits cut off.
    ///
    /// 23:59:60, a leap second, gives 86,400,000 and more: the first second of the next day.
    @inline(never)
    mutating func time(in bytes: Span<UInt8>) -> Reading<Int32> {
        let word = EightBytes(bytes, at: at)
        guard at < end, word[0] != ASCII.comma else { return pass(.empty) }
        guard word.digitCount == 6, at &+ 6 <= end else { return longTime(in: bytes) }
        var next = at &+ 6
        var nextByte = word[6]
        var millisecond: Int32 = 0
        if nextByte == ASCII.point, next < end {
            let behind = EightBytes(bytes, at: next &+ 1)
            let count = behind.digitCount
            next = next &+ 1 &+ count
            guard count < 8, next <= end else { return longTime(in: bytes) }
            nextByte = behind[count]
            millisecond = behind.thousandths(of: count)
        }
        let (hour, minute, second) = word.pairs
        guard hour < 24, minute < 60, second < 60 else { return longTime(in: bytes) }
        let seconds = (hour &* 60 &+ minute) &* 60 &+ second
        return closeField(
            next,
            before: nextByte,
            .value(seconds &* 1000 &+ millisecond),
            in: bytes
        )
    }

    /// The same as ``time(in:)``, byte by byte.
    @inline(never)
    private mutating func longTime(in bytes: Span<UInt8>) -> Reading<Int32> {
        guard at + 6 <= end else { return closeField(at, .fault, in: bytes) }
        guard let hour = pair(at, in: bytes), let minute = pair(at + 2, in: bytes),
            let second = pair(at + 4, in: bytes)
        else { return closeField(at, .fault, in: bytes) }
        var next = at + 6
        var millisecond: Int32 = 0
        if next < end, bytes[next] == ASCII.point {
            next += 1
            var weight: Int32 = 100
            while next < end {
                let digit = bytes[next] &- ASCII.zero
                guard digit <= 9 else { break }
                millisecond += Int32(digit) * weight
                weight /= 10
                next += 1
            }
        }
        let isLeapSecond = hour == 23 && minute == 59 && second == 60
        guard hour < 24, minute < 60, second < 60 || isLeapSecond else {
            return closeField(next, .fault, in: bytes)
        }
        let seconds = (hour * 60 + minute) * 60 + second
        return closeField(next, .value(seconds * 1000 + millisecond), in: bytes)
    }

    /// Latitude, hemisphere, longitude, hemisphere: four fields.
    @inline(never)
    mutating func position(in bytes: Span<UInt8>) -> Reading<Coordinate> {
        if let place = usualPosition(in: bytes) { return .value(place) }
        let north = angle(
            most: 90,
            positive: UInt8(ascii: "N"),
            negative: UInt8(ascii: "S"),
            in: bytes
        )
        let east = angle(
            most: 180,
            positive: UInt8(ascii: "E"),
            negative: UInt8(ascii: "W"),
            in: bytes
        )
        switch (north, east) {
        case (.value(let north), .value(let east)):
            return .value(
                Coordinate(nanodegreesNorth: north, nanodegreesEast: east)
            )
        case (.empty, .empty): return .empty
        default: return .fault
        }
    }

    /// `ddmm.mmmmm,N,dddmm.mmmmm,E,`, as most receivers write it.
    ///
    /// - Returns: `nil` for any other shape and for what is no place; then nothing has changed.
    @inline(always)
    private mutating func usualPosition(in bytes: Span<UInt8>) -> Coordinate? {
        guard 27 <= end &- at else { return nil }
        let north = EightBytes(bytes, at: at), east = EightBytes(bytes, at: at &+ 13)
        let northTail = EightBytes(bytes, at: at &+ 5), eastTail = EightBytes(bytes, at: at &+ 19)
        let hundreds = east[0] &- ASCII.zero
        guard north[4] == ASCII.point, east[5] == ASCII.point, hundreds <= 1,
            let northLetter = northTail.letterBehindFive(UInt8(ascii: "N"), UInt8(ascii: "S")),
            let eastLetter = eastTail.letterBehindFive(UInt8(ascii: "E"), UInt8(ascii: "W")),
            let northDigits = north.nineDigits(from: 0, with: northTail),
            let eastDigits = east.nineDigits(from: 1, with: eastTail),
            let latitude = Self.nanodegrees(northDigits, most: 90),
            let longitude = Self.nanodegrees(
                Int64(hundreds) &* 1_000_000_000 &+ eastDigits,
                most: 180
            )
        else { return nil }
        at &+= 27
        return Coordinate(
            nanodegreesNorth: northLetter == UInt8(ascii: "S") ? 0 &- latitude : latitude,
            nanodegreesEast: eastLetter == UInt8(ascii: "W") ? 0 &- longitude : longitude
        )
    }

    /// Degrees and minutes in 1e-5 minutes, written as one number.
    @inline(always)
    private static func nanodegrees(_ number: Int64, most: Int64) -> Int64? {
        let (degrees, minutes) = number.quotientAndRemainder(dividingBy: 10_000_000)
        let nanodegrees = degrees &* 1_000_000_000 &+ (minutes &* 10_000 &+ 30) / 60
        guard minutes < 6_000_000, nanodegrees <= most &* 1_000_000_000 else { return nil }
        return nanodegrees
    }

    /// Degrees and minutes as one number, `dddmm.mmmm`, and its hemisphere.
    ///
    /// The two digits left of the point are minutes, whatever stands before them are degrees: some
    /// receivers drop leading zeros.
    @inline(never)
    private mutating func angle(
        most: Int64,
        positive: UInt8,
        negative: UInt8,
        in bytes: Span<UInt8>
    ) -> Reading<Int64> {
        let word = EightBytes(bytes, at: at)
        let count = word.digitCount
        let fractionStart = at &+ count &+ 1
        let behind = EightBytes(bytes, at: fractionStart)
        let scale = behind.digitCount
        let tail = fractionStart &+ scale
        guard count < 8, scale < 8, count > 0, word[count] == ASCII.point, tail &+ 2 < end,
            let letter = EightBytes(bytes, at: tail).isolatedLetter(positive, negative)
        else { return longAngle(most: most, positive: positive, negative: negative, in: bytes) }
        at = tail &+ 3
        let whole = word.number(of: count), fraction = behind.number(of: scale)
        let (degrees, wholeMinutes) = whole.quotientAndRemainder(dividingBy: 100)
        guard wholeMinutes < 60, degrees <= most else { return .fault }
        // Minutes in 1e-9, then degrees: at most 6e10, no overflow.
        let unit = Self.tens[9 &- scale]
        let minutes = wholeMinutes &* 1_000_000_000 &+ fraction &* unit
        let nanodegrees = degrees &* 1_000_000_000 &+ (minutes &+ 30) / 60
        guard nanodegrees <= most &* 1_000_000_000 else { return .fault }
        return .value(letter == negative ? 0 &- nanodegrees : nanodegrees)
    }

    /// The same as ``angle(most:positive:negative:in:)`` for any number of digits.
    @inline(never)
    private mutating func longAngle(
        most: Int64,
        positive: UInt8,
        negative: UInt8,
        in bytes: Span<UInt8>
    ) -> Reading<Int64> {
        let number = decimal(in: bytes)
        let hemisphere = letter(in: bytes)
        switch (number, hemisphere) {
        case (.empty, .empty): return .empty
        case (.value(let number), .value(let letter)):
            guard letter == positive || letter == negative, number.scale <= 12 else {
                return .fault
            }
            let unit = Self.tens[number.scale]
            let whole = number.mantissa / unit
            let degrees = whole / 100
            var minutes = (whole % 100) * unit + number.mantissa % unit
            guard minutes < 60 * unit, degrees <= most else { return .fault }
            // Minutes in 1e-9, then degrees: at most 6e10, no overflow.
            if number.scale <= 9 {
                minutes *= Self.tens[9 - number.scale]
            } else {
                minutes /= Self.tens[number.scale - 9]
            }
            let nanodegrees = degrees * 1_000_000_000 + (minutes + 30) / 60
            guard nanodegrees <= most * 1_000_000_000 else { return .fault }
            return .value(letter == negative ? -nanodegrees : nanodegrees)
        default: return .fault
        }
    }

    private static let tens: InlineArray<13, Int64> = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
        10_000_000_000, 100_000_000_000, 1_000_000_000_000,
    ]

    /// Two digits as a number.
    @inline(always)
    private func pair(_ at: Int, in bytes: Span<UInt8>) -> Int32? {
        let tens = bytes[at] &- ASCII.zero, ones = bytes[at + 1] &- ASCII.zero
        return tens <= 9 && ones <= 9 ? Int32(tens) * 10 + Int32(ones) : nil
    }

    /// Steps over fields that are known to take so many bytes with their last comma.
    ///
    /// - Returns: whether the sentence has so many.
    @inline(always)
    mutating func pass(_ length: Int) -> Bool {
        guard length <= end &- at else { return false }
        at &+= length
        return true
    }

    /// Ends the field at `next`: anything left in it makes it a fault.
    @inline(always)
    private mutating func closeField<Value>(
        _ next: Int,
        _ reading: Reading<Value>,
        in bytes: Span<UInt8>
    ) -> Reading<Value> {
        closeField(next, before: next < end ? bytes[next] : ASCII.comma, reading, in: bytes)
    }

    /// The same, where the byte at `next` is known.
    @inline(always)
    private mutating func closeField<Value>(
        _ next: Int,
        before byte: UInt8,
        _ reading: Reading<Value>,
        in bytes: Span<UInt8>
    ) -> Reading<Value> {
        if next >= end || byte == ASCII.comma {
            at = next &+ 1
            return reading
        }
        at = next
        skipRest(in: bytes)
        return .fault
    }

    @inline(never)
    private mutating func skipRest(in bytes: Span<UInt8>) { skipOne(in: bytes) }

    /// Steps over an empty field.
    @inline(always)
    private mutating func pass<Value>(_ reading: Reading<Value>) -> Reading<Value> {
        at &+= 1
        return reading
    }
}
