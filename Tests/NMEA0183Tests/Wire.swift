import Foundation
import NMEA0183
import Positioning

/// A sentence from its letters between `$` and `*`, with its sum and line end.
///
/// The sum by the rule of NMEA 0183, section 5.3.1: XOR of all bytes between.
func sentence(_ inside: String, end: String = "\r\n") -> String {
    "$" + inside + "*" + String(format: "%02X", inside.utf8.reduce(0, ^)) + end
}

/// A UBX frame: class and id, length, payload, and the sum of the u-blox M8 description, 32.4.
func frame(_ kind: (UInt8, UInt8), _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count
    let inside = [kind.0, kind.1, UInt8(length & 0xFF), UInt8(length >> 8)] + payload
    var (a, b) = (UInt8(0), UInt8(0))
    for byte in inside {
        a &+= byte
        b &+= a
    }
    return [0xB5, 0x62] + inside + [a, b]
}

/// What the splitter makes of a stream.
struct SplitStream: Equatable {
    var sentences: [String] = []
    var offsets: [Int64] = []
    var counts = SentenceCounts()
    var bytes = ByteCounts()

    /// Takes a stream as it comes, in blocks.
    init(_ blocks: [[UInt8]], blockSize: Int = 4096) {
        var splitter = SentenceSplitter(blockSize: blockSize)
        for block in blocks {
            var rest = block[...]
            while !rest.isEmpty {
                let count = splitter.fill { room in
                    let count = min(room.count, rest.count)
                    room.copyBytes(from: rest.prefix(count))
                    return count
                }
                rest = rest.dropFirst(count)
                take(&splitter, isLast: false)
            }
        }
        take(&splitter, isLast: true)
        counts = splitter.sentences
        bytes = splitter.bytes
    }

    init(_ text: String) {
        self.init([Array(text.utf8)])
    }

    private mutating func take(_ splitter: inout SentenceSplitter, isLast: Bool) {
        while let sentence = splitter.next(isLast: isLast) {
            let letters = splitter.storage[sentence.start..<sentence.end]
            sentences.append(String(decoding: letters, as: UTF8.self))
            offsets.append(sentence.offset)
        }
    }
}

/// The epochs that a stream gives; `counts` tells how many of them were out behind each block.
func epochs(
    _ blocks: [String],
    floor: CivilDate? = nil,
    fallback: DateFallback? = nil
) -> (epochs: [Epoch], counts: [Int], dates: DateResolver) {
    var decoder = NMEADecoder(dates: DateResolver(floor: floor, fallback: fallback))
    var epochs: [Epoch] = []
    var counts: [Int] = []
    for block in blocks {
        _ = decoder.fill { room in
            room.copyBytes(from: block.utf8)
            return block.utf8.count
        }
        decoder.drain { epochs.append(copy $0) }
        counts.append(epochs.count)
    }
    decoder.finish { epochs.append(copy $0) }
    return (epochs, counts, decoder.dates)
}

/// The instant that Foundation reads from RFC 3339 with milliseconds.
func utc(_ text: String) -> UTC? {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter.date(from: text).map {
        UTC(milliseconds: Int64(($0.timeIntervalSince1970 * 1000).rounded()))
    }
}
