import Foundation
import Surefoot
import Testing
import Tracks

/// Inputs that once broke the program, found by Tests/Fuzz/fuzz.sh; fixtures/crashes tells how.
struct CrashesTests {
    @Test("A report with another report inside it is passed over, and the next one is read")
    func classInReport() throws {
        let run = Run(replaying: try Crash.bytes("gpsd-class-in-report.jsonl"))
        // The last of the four reports, by its own words.
        #expect(run.fixes.map(\.coordinate.nanodegreesNorth) == [60_197_120_000])
        #expect(run.summary.reports?.valid == 4)
    }

    @Test("Speeds and heights that no receiver means are not known, and spoil no other field")
    func hugeNumbers() throws {
        let run = Run(replaying: try Crash.bytes("gpsd-huge-numbers.jsonl"))
        let first = try #require(run.fixes.first)
        #expect(first.speed == nil)
        #expect(first.altitude == nil)
        #expect(first.coordinate.nanodegreesNorth == 60_100_000_000)
        // All that follow claim errors of kilometers.
        #expect(run.summary.rejected == [.accuracy: 4])
    }

    @Test("A clock set back and a place 900 km off are a new segment, and no way")
    func clockStepRefused() throws {
        var settings = LineSettings()
        settings.dateFallback = .on(CivilDate(daysSince1970: 20_000))
        let run = Run(
            replaying: try Crash.bytes("nmea-clock-step-refused.nmea"),
            settings: settings
        )
        #expect(run.summary.segments == 2)
        #expect(run.gaps.map(\.cause) == [.clockStep])
        #expect(run.distance == 0)
    }

    @Test("What once broke the line is read in one block and in single bytes alike")
    func replay() throws {
        for name in try Crash.names() where !name.hasSuffix(".gpx") {
            expectSameBytes(of: try Crash.bytes(name), LineSettings())
        }
    }

    @Test("What once broke the GPX reader is read, or refused, without a trap")
    func gpx() throws {
        for name in try Crash.names() where name.hasSuffix(".gpx") {
            let bytes = try Crash.bytes(name)
            let whole = try? GPXReader().read(bytes: bytes)
            let pieces = try? GPXReader(chunkSize: 3).read(bytes: bytes)
            #expect(whole?.tracks == pieces?.tracks)
        }
    }
}

private enum Crash {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("fixtures/crashes")

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: folder.appendingPathComponent(name)))
    }
}
