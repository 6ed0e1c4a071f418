/// A capture played to its end: the front door for tests.
///
///     import Surefoot
///
///     let run = Run(replaying: try Array(Data(contentsOf: capture)))
///     #expect(run.fixes.count == 581)
///     #expect(abs(run.distance - 1709.8) < 0.5)
///     #expect(run.gaps.map(\.cause) == [.noFix])
public struct Run: Sendable {
    /// Accepted fixes as received, in time order.
    public private(set) var fixes: [Fix] = []
    /// What a screen would have shown with each of them.
    public private(set) var live: [Live] = []
    /// Everything the line told, in order.
    public private(set) var events: [Event] = []
    public let summary: Summary

    /// - Parameters:
    ///   - capture: bytes as they stood on the wire: NMEA 0183, or JSON lines of gpsd.
    ///   - settings: give a ``LineSettings/dateFallback`` for captures without dates.
    public init(replaying capture: [UInt8], settings: LineSettings = LineSettings()) {
        self.init(replaying: [capture], settings: settings)
    }

    /// Plays a capture that comes in blocks: how it was cut makes no difference.
    public init(replaying blocks: some Sequence<[UInt8]>, settings: LineSettings = LineSettings()) {
        var line = Line(settings)
        var events: [Event] = []
        for block in blocks {
            var rest = block[...]
            while !rest.isEmpty {
                let count = line.fill { room in
                    let count = min(room.count, rest.count)
                    room.copyBytes(from: rest.prefix(count))
                    return count
                }
                rest = rest.dropFirst(count)
                line.drain { events.append(copy $0) }
            }
        }
        line.finish { events.append(copy $0) }
        for event in events {
            guard case .fix(let fix, let shown) = event.kind else { continue }
            fixes.append(fix)
            live.append(shown)
        }
        self.events = events
        summary = line.summary
    }

    /// Meters: the best answer after the run.
    public var distance: Double { summary.distance }
    /// Stretches without fixes that break the track.
    public var gaps: [Gap] { summary.gaps }
}
