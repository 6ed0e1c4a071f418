import Surefoot
import Testing
import Tracks

/// Plays a capture whole, byte by byte and cut at random, and expects the same JSON and GPX bytes.
func expectSameBytes(
    of capture: [UInt8],
    _ settings: LineSettings,
    _ location: SourceLocation = #_sourceLocation
) {
    let whole = output(Run(replaying: capture, settings: settings))
    if capture.count < 40_000 {
        let single = output(Run(replaying: capture.map { [$0] }, settings: settings))
        let isSame = single == whole
        #expect(isSame, "byte by byte differs", sourceLocation: location)
    }
    var random = SplitMix(state: UInt64(capture.count))
    for round in 0..<4 {
        var blocks: [[UInt8]] = []
        var rest = capture[...]
        while !rest.isEmpty {
            let size = Int(random.next() % 300) + 1
            blocks.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        let isSame = output(Run(replaying: blocks, settings: settings)) == whole
        #expect(isSame, "cut at random, round \(round), differs", sourceLocation: location)
    }
}

/// JSON lines, summary and GPX of a run.
func output(_ run: Run) -> [UInt8] {
    var text = TextBuffer()
    var gpx = GPXWriter(name: "test", creator: "test", waypointCount: 0)
    gpx.begin()
    for event in run.events {
        text.line(event)
        guard case .point(let fix, let coordinate, let opensSegment) = event.kind else { continue }
        if opensSegment { gpx.endSegment() }
        gpx.add(GPXWriter.Point(fix, at: coordinate))
    }
    gpx.end()
    text.members(of: run.summary)
    return text.bytes + gpx.text.bytes
}

/// Random numbers that are the same each time.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
