import Surefoot
import Testing

@Suite("Fixes that come late, and the front door")
struct LateFixesTests {
    /// 600 epochs at 10 Hz without a gap: so its story and its twin say.
    @Test("A clock that took late fixes for a gap breaks nothing: no fix is missing")
    func falseGap() throws {
        let capture = try Fixture.bytes("ten-hertz.nmea")
        var line = Line()
        var latest: UTC?
        var told: [String] = []
        func feed(_ bytes: ArraySlice<UInt8>) {
            var rest = bytes
            while !rest.isEmpty {
                let count = line.fill { room in
                    let count = min(room.count, rest.count)
                    room.copyBytes(from: rest.prefix(count))
                    return count
                }
                rest = rest.dropFirst(count)
                line.drain { event in
                    switch event.kind {
                    case .fix(let fix, _): latest = fix.time
                    case .gap: told.append("gap")
                    case .gapEnd: told.append("gap_end")
                    default: break
                    }
                }
            }
        }
        feed(capture[..<(capture.count / 2)])
        let time = try #require(latest)
        line.pass(UTC(milliseconds: time.milliseconds + 12_500)) { event in
            if case .gap = event.kind { told.append("gap") }
        }
        feed(capture[(capture.count / 2)...])
        line.finish { _ in }

        #expect(told == ["gap", "gap_end"])
        #expect(line.summary.accepted == 600)
        #expect(line.summary.gaps.isEmpty)
        #expect(line.summary.segments == 1)
    }

    @Test("The README's example holds: fixes and gap as fixtures/twin.py has them")
    func frontDoor() throws {
        let run = Run(replaying: try Fixture.bytes("park-run.nmea"))
        #expect(run.fixes.count == 737)
        #expect(run.gaps.map(\.cause) == [.noFix])
        // The story's own truth is not told; the plain sum is 2168.9 m, and jitter only adds.
        #expect(run.distance < 2168.9)
        #expect(abs(run.distance - 2140) < 1)
    }
}
