package import Surefoot
import Tracks

/// Makes the track and the summary of a run from its capture and its event log.
package enum RunFinisher {
    /// Plays the folder, writes `track.gpx` and `summary.json`, each whole or not at all.
    @discardableResult
    package static func finish(_ folder: String) throws -> Summary {
        let capture = try Capture(path: folder)
        var line = Line(capture.lineSettings, format: capture.log?.settings.format)
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
