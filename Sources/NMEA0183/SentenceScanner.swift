/// Finds the end of a sentence and the XOR of its bytes, 32 bytes at a time.
///
/// This is the one fast kernel of the program: each byte of a capture passes here. It reads up to
/// ``slack`` bytes past `limit`, which the splitter's storage leaves free; SentenceSplitterTests
/// hold it against a loop over single bytes.
enum SentenceScanner {
    /// Bytes that must be readable past the limit of a scan.
    static let slack = 32

    private typealias Block = SIMD16<UInt8>

    /// Scans from `start` up to the first control character, `$` or byte of 0x80 and more.
    ///
    /// - Returns: where that byte stands, or `limit`, and the XOR of all bytes before it.
    @inline(always)
    static func scan(
        _ bytes: UnsafeRawPointer,
        from start: Int,
        limit: Int
    ) -> (stop: Int, xor: UInt8) {
        var at = start
        var sum = Block(repeating: 0)
        while at < limit {
            let first = bytes.loadUnaligned(fromByteOffset: at, as: Block.self)
            let second = bytes.loadUnaligned(fromByteOffset: at &+ 16, as: Block.self)
            let firstStops = stops(first), secondStops = stops(second)
            if at &+ 32 > limit || words(firstStops | secondStops) != (0, 0) {
                let sound = distance(firstStops) ?? 16 &+ (distance(secondStops) ?? 16)
                let count = min(sound, limit &- at)
                sum ^= (first & before(count)) ^ (second & before(count &- 16))
                at &+= count
                break
            }
            sum ^= first ^ second
            at &+= 32
        }
        return (at, fold(sum))
    }

    /// How many bytes come before the first that may end a sentence; `nil` if none does.
    @inline(always)
    private static func distance(_ stops: Block) -> Int? {
        let (low, high) = words(stops)
        if low | high == 0 { return nil }
        return low != 0
            ? low.trailingZeroBitCount >> 3 : 8 &+ high.trailingZeroBitCount >> 3
    }

    @inline(always)
    private static func words(_ block: Block) -> (UInt64, UInt64) {
        let words = unsafeBitCast(block, to: SIMD2<UInt64>.self)
        return (UInt64(littleEndian: words.x), UInt64(littleEndian: words.y))
    }

    /// All ones where a byte may end a sentence, all zeros elsewhere.
    @inline(always)
    private static func stops(_ block: Block) -> Block {
        // As signed numbers, bytes of 0x80 and more lie below the control characters too.
        let signed = unsafeBitCast(block, to: SIMD16<Int8>.self)
        let low = signed .< SIMD16<Int8>(repeating: 0x20)
        let dollar = block .== Block(repeating: ASCII.dollar)
        return unsafeBitCast(low .| dollar, to: Block.self)
    }

    /// All ones in the first `count` bytes of 16, none below 0.
    @inline(always)
    private static func before(_ count: Int) -> Block {
        let places = SIMD16<Int8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        let mask = places .< SIMD16<Int8>(repeating: Int8(truncatingIfNeeded: count))
        return unsafeBitCast(mask, to: Block.self)
    }

    /// The XOR of all 16 bytes.
    @inline(always)
    private static func fold(_ block: Block) -> UInt8 {
        let (low, high) = words(block)
        var sum = low ^ high
        sum ^= sum >> 32
        sum ^= sum >> 16
        sum ^= sum >> 8
        return UInt8(truncatingIfNeeded: sum)
    }

    /// Whether the usual sentence starts behind the `$` at `at`: an address of five capitals, a
    /// right checksum in capitals, the end of a line.
    ///
    /// - Returns: where its line ends; `nil` for any other, which may well be one, and a sentence
    ///   that is not whole before `limit`.
    @inline(always)
    static func usualSentence(_ bytes: UnsafeRawPointer, at dollar: Int, limit: Int) -> Int? {
        let start = dollar &+ 1
        let (stop, xor) = scan(bytes, from: start, limit: limit)
        guard stop < limit, stop &- start >= 9 else { return nil }
        let end = bytes.load(fromByteOffset: stop, as: UInt8.self)
        guard end == ASCII.carriageReturn || end == ASCII.lineFeed,
            bytes.load(fromByteOffset: stop &- 3, as: UInt8.self) == ASCII.asterisk
        else { return nil }
        let digits = UInt16(
            littleEndian: bytes.loadUnaligned(fromByteOffset: stop &- 2, as: UInt16.self)
        )
        let sum = xor ^ ASCII.asterisk ^ UInt8(truncatingIfNeeded: digits ^ digits >> 8)
        guard digits == hexDigits(sum) else { return nil }
        let address = UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        )
        return startsWithFiveCapitals(address) ? stop : nil
    }

    /// The two hexadecimal digits of a byte, the first in the low byte.
    @inline(always)
    private static func hexDigits(_ byte: UInt8) -> UInt16 {
        let values = UInt16(byte >> 4) | UInt16(byte & 15) << 8
        let areLetters = (values &+ 0x0606) >> 4 & 0x0101
        return values &+ 0x3030 &+ areLetters &* 7
    }

    /// Whether a word starts with five capitals and a comma.
    ///
    /// No byte of it is 0x80 or more, so that nothing carries.
    @inline(always)
    private static func startsWithFiveCapitals(_ word: UInt64) -> Bool {
        let five: UInt64 = 0x80_8080_8080
        let fromA = (word | five) &- 0x41_4141_4141
        let toZ = (five | 0x5A_5A5A_5A5A) &- (word & 0xFF_FFFF_FFFF)
        return fromA & toZ & five == five && word >> 40 & 0xFF == UInt64(ASCII.comma)
    }
}
