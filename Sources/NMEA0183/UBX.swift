/// Frames of u-blox's binary protocol, which share the wire with NMEA sentences.
///
/// Source: u-blox M8 receiver description, section 32.2 (frame) and 32.4 (8-bit Fletcher sum).
enum UBX {
    static let sync1: UInt8 = 0xB5
    static let sync2: UInt8 = 0x62

    enum Finding {
        /// A frame of so many bytes, its sum right.
        case whole(Int)
        /// The bytes so far could be one.
        case undecided
        case none
    }

    /// Looks for a whole frame at `at`.
    static func frame(in bytes: Span<UInt8>, at: Int, held: Int, isLast: Bool) -> Finding {
        let missing: Finding = isLast ? .none : .undecided
        guard at + 1 < held else { return missing }
        guard bytes[at + 1] == sync2 else { return .none }
        guard at + 6 <= held else { return missing }
        let payload = Int(bytes[at + 4]) | Int(bytes[at + 5]) << 8
        guard payload <= SentenceSplitter.longestPayload else { return .none }
        let length = payload + 8
        guard at + length <= held else { return missing }
        var a: UInt8 = 0
        var b: UInt8 = 0
        for i in (at + 2)..<(at + 6 + payload) {
            a &+= bytes[i]
            b &+= a
        }
        return bytes[at + length - 2] == a && bytes[at + length - 1] == b ? .whole(length) : .none
    }
}
