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

    /// Where the line of the usual sentence at `dollar` ends and the next starts, by single bytes.
    private func usualByByte(_ bytes: [UInt8], _ dollar: Int, _ limit: Int) -> (Int, Int)? {
        var stop = dollar + 1
        while stop < limit, (0x25..<0x80).contains(bytes[stop]) { stop += 1 }
        let isLine = stop < limit && (bytes[stop] == 0x0D || bytes[stop] == 0x0A)
        guard bytes[dollar] == UInt8(ascii: "$"), isLine,
            (10...SentenceSplitter.longestSentence).contains(stop - dollar),
            bytes[(dollar + 1)...(dollar + 5)].allSatisfy({ (0x41...0x5A).contains($0) }),
            bytes[dollar + 6] == UInt8(ascii: ","),
            Array(bytes[(stop - 3)..<stop]) == Self.checksum(bytes[(dollar + 1)..<(stop - 3)])
        else { return nil }
        let hasLineFeed = stop + 1 < limit && bytes[stop + 1] == 0x0A
        return (stop, hasLineFeed ? stop + 2 : stop + 1)
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        let sum = Int(bytes.reduce(0, ^))
        return [UInt8(ascii: "*"), digits[sum >> 4], digits[sum & 15]]
    }

    @Test(
        "A walk over sentences, whole and garbled, goes as far as a loop over single bytes",
        arguments: [false, true]
    )
    func walk(passesSatellites: Bool) {
        var random = SplitMix(state: 2)
        for _ in 0..<4000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let talker =
                    ["GP", "GN", "GA", "P1", "PG", "QZ"].randomElement(using: &random) ?? ""
                let kind = ["GSV", "GSA", "RMC", "GSv"].randomElement(using: &random) ?? ""
                var body = Array("\(talker)\(kind),".utf8)
                for _ in 0..<Int.random(in: 0...80, using: &random) {
                    body.append(UInt8.random(in: 0x2B...0x5A, using: &random))
                }
                let end = ["\r\n", "\r\n", "\r\n", "\n", "\r"].randomElement(using: &random) ?? ""
                bytes += [UInt8(ascii: "$")] + body + Self.checksum(body[...]) + Array(end.utf8)
            }
            if Bool.random(using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            }
            let limit =
                bytes.count
                - (Bool.random(using: &random) ? 0 : Int.random(in: 0...9, using: &random))
            // What lies behind the limit is left over from before.
            bytes += (0..<SentenceScanner.slack).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }

            var (at, valid, gsa) = (0, 0, 0)
            var given: Int?
            while at < limit, let (stop, next) = usualByByte(bytes, at, limit) {
                let head = String(decoding: bytes[(at + 1)...(at + 5)], as: UTF8.self)
                let isPassed =
                    passesSatellites && head.hasPrefix("G")
                    && ["GSV", "GSA"].contains(head.suffix(3))
                (valid, at) = (valid + 1, next)
                if isPassed, head.hasSuffix("GSA") { gsa = stop - 3 }
                if !isPassed {
                    given = stop
                    break
                }
            }

            var walk = SentenceScanner.Walk(at: 0)
            let found = bytes.withUnsafeBytes { raw in
                raw.baseAddress.flatMap {
                    SentenceScanner.walk(
                        &walk,
                        over: $0,
                        limit: limit,
                        passesSatellites: passesSatellites
                    )
                }
            }
            #expect(found?.stop == given)
            #expect(walk.at == at)
            #expect(walk.valid == valid)
            #expect(walk.lastGSA.end == gsa)
        }
    }
}
