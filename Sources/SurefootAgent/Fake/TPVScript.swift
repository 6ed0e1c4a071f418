import Positioning
import Surefoot
import Tracks

/// Plays the fixes of an NMEA capture as gpsd would report them: one TPV a fix, paced by its time.
package struct TPVScript: FakeScript {
    private var moments: [FakeMoment]
    private var at = 0

    package init(path: String) throws(SourceFault) {
        let file = try CaptureFile(path: path)
        var settings = LineSettings()
        settings.dateFallback = file.dateFallback
        var line = Line(settings)
        var moments: [FakeMoment] = []
        var first: UTC?
        let take = { (event: borrowing Event) in
            guard case .fix(let fix, _) = event.kind else { return }
            let start = first ?? fix.time
            first = start
            let since = max(
                moments.last?.milliseconds ?? 0,
                fix.time.milliseconds - start.milliseconds
            )
            moments.append(FakeMoment(milliseconds: since, bytes: Self.report(fix)))
        }
        try CapturePlayer.play(file, into: &line, take)
        line.finish(take)
        self.moments = moments
    }

    package mutating func next() throws(SourceFault) -> FakeMoment? {
        guard at < moments.count else { return nil }
        defer { at += 1 }
        return moments[at]
    }

    /// gpsd's `eph` holds 95 % of positions, 1.73 times the DRMS.
    private static func report(_ fix: Fix) -> [UInt8] {
        var text = TextBuffer()
        text.text("{\"class\":\"TPV\",\"device\":\"/dev/ttyACM0\",\"mode\":")
        text.text(fix.altitude == nil ? "2" : "3")
        text.text(",\"time\":\"")
        text.time(fix.time)
        text.text("\",\"lat\":")
        text.fixed(fix.coordinate.nanodegreesNorth, digits: 9)
        text.text(",\"lon\":")
        text.fixed(fix.coordinate.nanodegreesEast, digits: 9)
        number(",\"altMSL\":", fix.altitude, &text)
        number(",\"track\":", fix.course, &text)
        number(",\"speed\":", fix.speed, &text)
        number(",\"eph\":", fix.horizontalAccuracy * 1.73, &text)
        text.text("}\r\n")
        return text.bytes
    }

    private static func number(_ key: StaticString, _ value: Double?, _ text: inout TextBuffer) {
        guard let value else { return }
        text.text(key)
        text.decimal(value, digits: 4)
    }
}
