import TestSupport
import Testing

@testable import NMEA0183

struct SentenceScannerTests {
    /// The same by single bytes.
    private func byByte(_ bytes: [UInt8], from start: Int, limit: Int) -> (stop: Int, xor: UInt8) {
        var (stop, xor) = (start, UInt8(0))
        while stop < limit, (0x20..<0x80).contains(bytes[stop]), bytes[stop] != UInt8(ascii: "$") {
            xor ^= bytes[stop]
            stop += 1
        }
        return (stop, xor)
    }

    @Test("The fast scan stops where a loop over single bytes does, with the same sum")
    func equal() {
        var random = SplitMix(state: 1)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...70, using: &random)
            // Rarely a byte that stops, so that every place in a word is reached.
            let bytes = (0..<(count + SentenceScanner.slack)).map { _ -> UInt8 in
                Int.random(in: 0..<40, using: &random) == 0
                    ? UInt8.random(in: .min ... .max, using: &random)
                    : UInt8.random(in: 0x20...0x7F, using: &random)
            }
            let start = Int.random(in: 0...count, using: &random)
            let limit = Int.random(in: start...count, using: &random)
            let fast = bytes.withUnsafeBytes { raw in
                raw.baseAddress.map { SentenceScanner.scan($0, from: start, limit: limit) }
            }
            let slow = byByte(bytes, from: start, limit: limit)
            #expect(fast?.stop == slow.stop)
            #expect(fast?.xor == slow.xor)
        }
    }

    @Test("Each of the 256 bytes stops the scan, or does not, in each place")
    func everyByte() {
        for byte in UInt8.min ... .max {
            for place in 0..<24 {
                var bytes = [UInt8](repeating: UInt8(ascii: "A"), count: 24 + SentenceScanner.slack)
                bytes[place] = byte
                let fast = bytes.withUnsafeBytes { raw in
                    raw.baseAddress.map { SentenceScanner.scan($0, from: 0, limit: 24) }
                }
                #expect(fast?.stop == byByte(bytes, from: 0, limit: 24).stop)
            }
        }
    }
}
