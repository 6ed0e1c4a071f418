package import Surefoot

/// Plays captures through a line, with what a recording noted beside them.
package enum CapturePlayer {
    /// Plays one capture to its end, with the notes where they stood among its bytes.
    package static func play(
        _ file: CaptureFile?,
        notes: [(offset: Int64, entry: EventLog.Entry)] = [],
        into line: inout Line,
        _ body: (borrowing Event) -> Void
    ) throws(SourceFault) {
        let start = line.byteCount
        guard let file else { return }
        defer { line.endFile(body) }
        for note in notes {
            guard try feed(file, until: start + note.offset, into: &line, body) else { return }
            switch note.entry {
            case .interrupt(let cause): line.interrupt(cause, body)
            case .pass(let time): line.pass(time, body)
            }
        }
        _ = try feed(file, until: .max, into: &line, body)
    }

    /// - Returns: false if the capture ended before.
    private static func feed(
        _ file: CaptureFile,
        until end: Int64,
        into line: inout Line,
        _ body: (borrowing Event) -> Void
    ) throws(SourceFault) -> Bool {
        while line.byteCount < end {
            let left = end - line.byteCount
            let count = try line.fill { room throws(SourceFault) in
                let most = left < Int64(room.count) ? Int(left) : room.count
                return try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<most]))
            }
            guard count > 0 else { return false }
            line.drain(body)
        }
        return true
    }
}
