/// Eight bytes of a sentence in one register, the first in the lowest byte.
///
/// What a loop over single bytes would ask of each, a few instructions ask of all eight. Bytes
/// beyond the end of the span read as 0.
struct EightBytes: Equatable {
    private let word: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(always)
    init(_ bytes: Span<UInt8>, at start: Int) {
        if start >= 0, start <= bytes.count &- 8 {
            word = UInt64(
                littleEndian: bytes.bytes.unsafeLoadUnaligned(
                    fromUncheckedByteOffset: start,
                    as: UInt64.self
                )
            )
        } else {
            word = Self.rest(of: bytes, from: start)
        }
    }

    @inline(always)
    private init(word: UInt64) { self.word = word }

    @inline(never)
    private static func rest(of bytes: Span<UInt8>, from start: Int) -> UInt64 {
        var word: UInt64 = 0
        var i = bytes.count
        while i > start {
            i -= 1
            word = word << 8 | UInt64(bytes[i])
        }
        return word
    }

    /// The byte at a place, 0 to 7.
    @inline(always)
    subscript(place: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: place &* 8))
    }

    /// Whether its first `count` bytes, 1 to 8, are those of another.
    @inline(always)
    func starts(as other: EightBytes, count: Int) -> Bool {
        (word ^ other.word) &<< UInt64(truncatingIfNeeded: 8 &* (8 &- count)) == 0
    }

    /// The formatter of an address, `RMC` of `GPRMC`: three letters, the first in the lowest byte.
    @inline(always)
    var formatter: UInt32 { UInt32(truncatingIfNeeded: word >> 16) & 0xFF_FFFF }

    /// Where the first comma stands; 8 if there is none.
    @inline(always)
    var commaIndex: Int {
        let others = word ^ (Self.ones &* UInt64(ASCII.comma))
        // A borrow can only mark bytes above a true hit, and the lowest hit is taken.
        return ((others &- Self.ones) & ~others & Self.highs).trailingZeroBitCount >> 3
    }

    @inline(always)
    var startsWithTwoCommas: Bool {
        word & 0xFFFF == UInt64(ASCII.comma) << 8 | UInt64(ASCII.comma)
    }

    /// Digits it starts with, 0 to 8.
    @inline(always)
    var digitCount: Int {
        // A carry can only reach bytes above one that is no digit, and the lowest of those is taken.
        ((values &+ Self.ones &* 0x76 | values) & Self.highs).trailingZeroBitCount >> 3
    }

    /// The number that its first `count` digits make.
    @inline(always)
    func number(of count: Int) -> Int64 {
        // Digits move up until the last is the highest byte, zeros follow from below.
        let digits = values << UInt64(truncatingIfNeeded: 8 &* (8 &- count))
        let twos = digits &* 10 &+ digits >> 8
        let mask: UInt64 = 0x0000_00FF_0000_00FF
        let upper = (twos & mask) &* (100 + 1_000_000 << 32)
        let lower = (twos >> 16 & mask) &* (1 + 10_000 << 32)
        return Int64(truncatingIfNeeded: (upper &+ lower) >> 32)
    }

    /// A number with at most one point and the comma behind it, all within the eight bytes.
    ///
    /// - Returns: also how many bytes stand before the comma; `nil` for any other shape.
    @inline(always)
    var shortDecimal: (decimal: Decimal, length: Int)? {
        // Neither a digit nor a point carries into the byte above it: the first two marks are true.
        let marks = (values &+ Self.ones &* 0x76 | values) & Self.highs
        let first = UInt64(truncatingIfNeeded: marks.trailingZeroBitCount & 0x78)
        let next = UInt8(truncatingIfNeeded: word &>> first)
        guard next == ASCII.point, marks != 0 else {
            guard next == ASCII.comma, first > 0, marks != 0 else { return nil }
            let length = Int(truncatingIfNeeded: first >> 3)
            return (Decimal(mantissa: number(of: length), scale: 0), length)
        }
        let others = marks & (marks &- 1)
        let second = UInt64(truncatingIfNeeded: others.trailingZeroBitCount & 0x78)
        guard others != 0, UInt8(truncatingIfNeeded: word &>> second) == ASCII.comma, second > 8
        else { return nil }
        // The digits close up over the point.
        let whole: UInt64 = 1 &<< first &- 1
        let together = EightBytes(word: word & whole | (word &>> 8) & ~whole)
        let length = Int(truncatingIfNeeded: second >> 3)
        return (
            Decimal(
                mantissa: together.number(of: length &- 1),
                scale: Int(truncatingIfNeeded: (second &- first) >> 3) &- 1
            ),
            length
        )
    }

    /// Whether it starts with a comma, `first` or `second`, and a comma; and which.
    @inline(always)
    func isolatedLetter(_ first: UInt8, _ second: UInt8) -> UInt8? {
        let commas = UInt64(ASCII.comma) | UInt64(ASCII.comma) << 16
        let letter = self[1]
        guard word & 0xFF_00FF == commas, letter == first || letter == second else { return nil }
        return letter
    }

    /// The last five of nine digits stand at the start of `tail`, the first four here, from `start`.
    ///
    /// - Returns: the number they make; `nil` if one is no digit.
    @inline(always)
    func nineDigits(from start: Int, with tail: EightBytes) -> Int64? {
        let four = word &>> UInt64(truncatingIfNeeded: 8 &* start) & 0xFFFF_FFFF
        let eight = EightBytes(word: four | tail.word &<< 32)
        let last = tail[4] &- ASCII.zero
        guard eight.digitCount == 8, last <= 9 else { return nil }
        return eight.number(of: 8) &* 10 &+ Int64(last)
    }

    /// The letter behind five other bytes if commas stand around it and it is one of two.
    @inline(always)
    func letterBehindFive(_ first: UInt8, _ second: UInt8) -> UInt8? {
        EightBytes(word: word &>> 40).isolatedLetter(first, second)
    }

    /// The first three of `count` digits behind a point; 0 to 7 of them.
    @inline(always)
    func thousandths(of count: Int) -> Int32 {
        let digits = leading(count)
        let (a, b, c) = (digits & 0xFF, digits >> 8 & 0xFF, digits >> 16 & 0xFF)
        return Int32(truncatingIfNeeded: a &* 100 &+ b &* 10 &+ c)
    }

    /// Three numbers of two digits each.
    @inline(always)
    var pairs: (Int32, Int32, Int32) {
        let twos = values &* 10 &+ values >> 8
        return (
            Int32(truncatingIfNeeded: twos & 0xFF), Int32(truncatingIfNeeded: twos >> 16 & 0xFF),
            Int32(truncatingIfNeeded: twos >> 32 & 0xFF)
        )
    }

    /// 0 to 9 where there are digits.
    @inline(always)
    private var values: UInt64 { word ^ (Self.ones &* UInt64(ASCII.zero)) }

    /// The values of the first `count` bytes, 0 to 7, and zeros.
    @inline(always)
    private func leading(_ count: Int) -> UInt64 {
        values & (1 &<< UInt64(truncatingIfNeeded: 8 &* count) &- 1)
    }
}
