import Glibc
package import Surefoot
import Tracks

/// Makes the track and the summary of a run from its capture and its event log.
package enum RunFinisher {
    /// Finishes the runs in a folder that a kill or a power cut left without their summary.
    ///
    /// One that another recorder holds is left alone, and so is one that cannot be finished.
    package static func finishOthers(in parent: String) {
        for name in Folder.names(in: parent) {
            let folder = parent + "/" + name
            guard access(folder + "/" + RunFolder.Name.summary, F_OK) != 0,
                access(folder + "/" + RunFolder.Name.events, F_OK) == 0,
                let lock = try? AppendingFile(
                    path: folder + "/" + RunFolder.Name.lock,
                    isNew: false
                ), lock.lock()
            else { continue }
            _ = try? finish(folder)
        }
    }

    /// Plays the folder, writes `track.gpx` and `summary.json`, each whole or not at all.
    @discardableResult
    package static func finish(_ folder: String) throws -> Summary {
        let capture = try Capture(path: folder)
        var line = Line(capture.lineSettings, format: capture.format)
        let gpx = try GPXFile(
            path: folder + "/" + RunFolder.Name.track,
            name: capture.log?.settings.name,
            creator: Version.software,
            isPrivate: true
        )
        let take = { (event: borrowing Event) in
            guard case .point(let fix, let coordinate, let opensSegment) = event.kind else {
                return
            }
            gpx.add(GPXWriter.Point(fix, at: coordinate), opensSegment: opensSegment)
        }
        try CapturePlayer.play(capture.file, notes: capture.log?.entries ?? [], into: &line, take)
        line.finish(take)
        var summary = line.summary
        summary.source = capture.source
        try gpx.finish(isDurable: true)
        var text = TextBuffer()
        text.open("{")
        text.members(of: summary)
        text.text("}\n")
        try WholeFile.write(text.bytes, to: folder + "/" + RunFolder.Name.summary)
        return summary
    }
}
