import Surefoot
import Tracks

/// One input, and what must hold whatever it is: nothing traps, all adds up, cuts change nothing.
struct OneInput {
    private let bytes: [UInt8]

    init(_ data: UnsafePointer<UInt8>?, _ size: Int) {
        bytes = Array(UnsafeBufferPointer(start: data, count: size))
    }

    /// Through the line, in one block and in two.
    func check(as format: CaptureFormat) -> Int32 {
        let cut = bytes.isEmpty ? 0 : Int(bytes[bytes.count / 2]) * bytes.count / 256
        let whole = played([bytes[...]], format)
        let halves = played([bytes[..<cut], bytes[cut...]], format)
        precondition(whole == halves, "cut in two at \(cut), the input gives something else")
        return 0
    }

    /// Through the reader of GPX, in large pieces and in small ones.
    func checkAsGPX() -> Int32 {
        guard let whole = try? GPXReader().read(bytes: bytes) else { return 0 }
        let chunkSize = Int(bytes.last ?? 0) % 61 + 3
        let pieces = try? GPXReader(chunkSize: chunkSize).read(bytes: bytes)
        // Of a file that is no XML, libxml2 may make something else at a cut: `<!-->` is one such.
        guard whole.fault == nil, pieces?.fault == nil else { return 0 }
        precondition(whole.tracks == pieces?.tracks, "in pieces of \(chunkSize), other tracks")
        return 0
    }

    /// What the line says of these blocks: one line a fix, then the figures.
    private func played(_ blocks: [ArraySlice<UInt8>], _ format: CaptureFormat) -> [UInt8] {
        var settings = LineSettings()
        settings.notBefore = CivilDate(year: 2026, month: 1, day: 1)
        settings.dateFallback = .on(CivilDate(daysSince1970: 20_000))
        settings.talliesSatellites = true
        var line = Line(settings, format: format, blockSize: 4096)
        var text = TextBuffer()
        for block in blocks {
            var rest = block
            while !rest.isEmpty {
                let count = line.fill { room in
                    let count = min(room.count, rest.count)
                    room.copyBytes(from: rest.prefix(count))
                    return count
                }
                rest = rest.dropFirst(count)
                line.drain { text.line($0) }
            }
        }
        line.finish { text.line($0) }
        let summary = line.summary
        text.members(of: summary)
        precondition(line.byteCount == bytes.count, "bytes were lost")
        let judged = summary.rejected.values.reduce(summary.accepted, +)
        precondition(judged == summary.epochs, "an epoch was neither accepted nor rejected")
        return text.bytes
    }
}
