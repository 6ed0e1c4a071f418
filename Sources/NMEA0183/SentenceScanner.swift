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

    /// What a walk over usual sentences met; see ``walk(_:over:limit:passesSatellites:)``.
    struct Walk {
        /// Where the next sentence starts, or where the walk could not go on.
        var at: Int
        /// Sentences found sound.
        var valid = 0
        /// GSA or GSV were passed over, and where the last GSA lies: behind its `$`, before its `*`;
        /// 0 if there was none.
        var hasPassed = false
        var lastGSA = (start: 0, end: 0)
    }

    /// Goes from one usual sentence to the next: an address of five capitals, a right checksum in
    /// capitals, the end of a line.
    ///
    /// Two of three sentences tell of satellites, and most of the time nobody asks: those are passed
    /// over here, once their checksum is verified, at the cost of one comparison.
    ///
    /// - Returns: where the sentence at `walk.at` starts and where its line ends, with `walk.at`
    ///   behind it; `nil` for any other, which may well be one, and a sentence that is not whole
    ///   before `limit`: then `walk.at` is where it starts.
    @inline(always)
    static func walk(
        _ walk: inout Walk,
        over bytes: UnsafeRawPointer,
        limit: Int,
        passesSatellites: Bool
    ) -> (dollar: Int, stop: Int)? {
        while walk.at < limit {
            let dollar = walk.at
            guard let (stop, next) = usualEnd(bytes, at: dollar, limit: limit) else { return nil }
            let head = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: dollar, as: UInt64.self)
            )
            // One letter of these is free: it tells the constellation.
            let kind = head & 0x00FF_FFFF_FF00_FFFF
            let isSystem = UInt8(truncatingIfNeeded: head >> 16) &- UInt8(ascii: "A") < 26
            guard passesSatellites, kind == gsv || kind == gsa, isSystem else {
                guard startsWithAddress(head) else { return nil }
                walk.valid &+= 1
                walk.at = next
                return (dollar, stop)
            }
            if kind == gsa { walk.lastGSA = (dollar &+ 1, stop &- 3) }
            walk.hasPassed = true
            walk.valid &+= 1
            walk.at = next
        }
        return nil
    }

    /// `$G`, any letter, `GSV,` or `GSA,`.
    private static let gsv: UInt64 = 0x2C_5653_4700_4724, gsa: UInt64 = 0x2C_4153_4700_4724

    /// Where the line ends that starts with the `$` at `dollar`, if `*`, a right checksum in capitals
    /// and the end of the line stand behind its fields, and where the next line starts.
    ///
    /// No byte up to `$` itself may stand among the fields: usual sentences do without.
    @inline(always)
    private static func usualEnd(
        _ bytes: UnsafeRawPointer,
        at dollar: Int,
        limit: Int
    ) -> (stop: Int, next: Int)? {
        var at = dollar &+ 1
        var sum = Block(repeating: 0)
        var block: Block, found: Block
        while true {
            block = bytes.loadUnaligned(fromByteOffset: at, as: Block.self)
            let second = bytes.loadUnaligned(fromByteOffset: at &+ 16, as: Block.self)
            found = isUpToDollar(block)
            let secondFound = isUpToDollar(second)
            let either = words(found | secondFound)
            if either.0 | either.1 != 0 {
                let own = words(found)
                if own.0 | own.1 == 0 {
                    sum ^= block
                    at &+= 16
                    (block, found) = (second, secondFound)
                }
                break
            }
            sum ^= block ^ second
            at &+= 32
            if at >= limit { return nil }
        }
        let (low, high) = words(found)
        let count =
            low != 0
            ? low.trailingZeroBitCount >> 3 : 8 &+ high.trailingZeroBitCount >> 3
        let stop = at &+ count
        // Bytes beyond the limit are left over from before: what ends there ends nowhere.
        guard stop < limit, stop &- dollar >= 10,
            stop &- dollar <= SentenceSplitter.longestSentence
        else { return nil }
        sum ^= block & before(count)
        // `*`, two digits and what ends the line in one number.
        let tail = UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: stop &- 3, as: UInt64.self)
        )
        let xor = fold(sum) ^ ASCII.asterisk ^ UInt8(truncatingIfNeeded: tail >> 8 ^ tail >> 16)
        let right = UInt64(hexDigits(xor)) << 8 | UInt64(ASCII.asterisk)
        // The line feed is taken along if it is there already.
        if tail & 0xFF_FFFF_FFFF == right | lineEnd, stop &+ 1 < limit {
            return (stop, stop &+ 2)
        }
        let end = UInt8(truncatingIfNeeded: tail >> 24)
        let isLineFeed = UInt8(truncatingIfNeeded: tail >> 32) == ASCII.lineFeed
        guard end == ASCII.carriageReturn || end == ASCII.lineFeed, tail & 0xFF_FFFF == right
        else { return nil }
        return (stop, isLineFeed && stop &+ 1 < limit ? stop &+ 2 : stop &+ 1)
    }

    /// Carriage return and line feed behind three other bytes.
    private static let lineEnd: UInt64 = 0x0A_0D00_0000

    /// All ones where a byte is `$`, comes before it in ASCII, or is 0x80 and more; else all zeros.
    @inline(always)
    private static func isUpToDollar(_ block: Block) -> Block {
        let signed = unsafeBitCast(block, to: SIMD16<Int8>.self)
        let low = signed .< SIMD16<Int8>(repeating: Int8(ASCII.dollar) + 1)
        return unsafeBitCast(low, to: Block.self)
    }

    /// The two hexadecimal digits of a byte, the first in the low byte.
    @inline(always)
    private static func hexDigits(_ byte: UInt8) -> UInt16 {
        let values = UInt16(byte >> 4) | UInt16(byte & 15) << 8
        let areLetters = (values &+ 0x0606) >> 4 & 0x0101
        return values &+ 0x3030 &+ areLetters &* 7
    }

    /// Whether a word starts with `$`, five capitals and a comma.
    ///
    /// No byte of those is 0x80 or more, so that nothing carries.
    @inline(always)
    private static func startsWithAddress(_ word: UInt64) -> Bool {
        let five: UInt64 = 0x8080_8080_8000
        let fromA = (word & 0xFFFF_FFFF_FF00 | five) &- 0x4141_4141_4100
        let toZ = (five | 0x5A5A_5A5A_5A00) &- (word & 0xFFFF_FFFF_FF00)
        let ends: UInt64 = UInt64(ASCII.comma) << 48 | UInt64(ASCII.dollar)
        return fromA & toZ & five == five && word & 0x00FF_0000_0000_00FF == ends
    }
}
