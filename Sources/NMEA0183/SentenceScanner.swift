/// Finds the end of a sentence and the XOR of its bytes, eight bytes at a time.
///
/// This is the one fast kernel of the program. It reads up to eight bytes past `limit`, which the
/// splitter's storage leaves free; SentenceSplitterTests hold it against a loop over single bytes.
enum SentenceScanner {
    /// Bytes that must be readable past the limit of a scan.
    static let slack = 8

    /// Scans from `start` up to the first control character, `$` or byte of 0x80 and more.
    ///
    /// - Returns: where that byte stands, or `limit`, and the XOR of all bytes before it.
    @inline(__always)
    static func scan(
        _ bytes: UnsafeRawPointer,
        from start: Int,
        limit: Int
    ) -> (stop: Int, xor: UInt8) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let dollars = ones &* UInt64(UInt8(ascii: "$"))
        var at = start
        var sum: UInt64 = 0
        while at < limit {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            // A borrow can only mark bytes above a true hit, and the lowest hit is taken.
            let control = (word &- ones &* 0x20) & ~word
            let dollar = (word ^ dollars) &- ones & ~(word ^ dollars)
            let hits = (control | dollar | word) & highs
            // Without a hit, 64: what lies past the limit is not the sentence's, and counts as one.
            let sound = min(hits.trailingZeroBitCount & ~7, (limit - at) * 8)
            if sound < 64 {
                sum ^= word & ((1 << UInt64(sound)) &- 1)
                at += sound >> 3
                break
            }
            sum ^= word
            at += 8
        }
        sum ^= sum >> 32
        sum ^= sum >> 16
        sum ^= sum >> 8
        return (at, UInt8(truncatingIfNeeded: sum))
    }
}
