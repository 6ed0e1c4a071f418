import Foundation
import Testing

/// Live runs against replays of the same capture: real programs, a real pty, the real gpsd.
@Suite("Live and replayed", .serialized)
struct LiveTests {
    private static let fixtures = URL(filePath: #filePath)
        .deletingLastPathComponent()  // AgentTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()  // package root
        .appending(path: "fixtures")

    @Test(
        "A fake receiver recorded gives the bytes of its capture replayed",
        arguments: ["ten-hertz.nmea", "noisy-mix.nmea", "park-run.nmea", "cases/rmc-late.nmea"]
    )
    func fakeEqualsReplay(_ name: String) throws {
        let capture = Self.fixtures.appending(path: name).path
        let replayed = try Program.output(
            Program.surefoot,
            ["replay", "--json-lines", "--not-before", "2026-01-01", capture]
        )
        let lastFix = try #require(replayed.last { $0.contains("\"event\": \"fix\"") })
        let lastTime = try #require(time(of: lastFix))

        let runs = try TemporaryFolder()
        let fake = try Program(
            Program.surefoot,
            ["fake", "--speed", "40", "--hangup", capture]
        )
        let path = try #require(fake.line())
        let record = try Program(
            Program.surefoot,
            ["record", "--json", "--from", "serial:\(path)", "--out", runs.url.path]
        )
        // The hang-up closes the last epoch, and is an event of the live run alone.
        var lines = record.lines(until: "\"state\": \"noDevice\"")
        record.send(SIGTERM)
        while let line = record.line() { lines.append(line) }
        #expect(record.status() == 0)
        #expect(fake.status() == 0)

        #expect(lines.contains { time(of: $0) == lastTime && $0.contains("\"event\": \"fix\"") })
        #expect(comparable(lines) == comparable(replayed))

        let folder = try runs.only()
        let recorded = try Data(contentsOf: folder.appending(path: "capture.nmea"))
        #expect(recorded == FileManager.default.contents(atPath: capture))
        let gpx = folder.appending(path: "again.gpx")
        _ = try Program.output(
            Program.surefoot,
            ["replay", "--json", "--gpx", gpx.path, folder.path]
        )
        let track = try Data(contentsOf: folder.appending(path: "track.gpx"))
        #expect(try Data(contentsOf: gpx) == track)
        let bare = folder.appending(path: "bare.gpx")
        _ = try Program.output(
            Program.surefoot,
            ["replay", "--json", "--not-before", "2026-01-01", "--gpx", bare.path, capture]
        )
        #expect(try Data(contentsOf: bare) == track)
    }

    @Test("Through the real gpsd, a run has the fixes of its capture, also after gpsd was killed")
    func realGPSD() throws {
        let gpsd = try #require(
            ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd"].first {
                FileManager.default.isExecutableFile(atPath: $0)
            },
            "gpsd is not installed: make test installs it"
        )
        let capture = Self.fixtures.appending(path: "park-run.nmea").path
        let replayed = try points(of: capture)

        let runs = try TemporaryFolder()
        let fake = try Program(Program.surefoot, ["fake", "--speed", "4", capture])
        let path = try #require(fake.line())
        let port = String(20_000 + Int(getpid()) % 20_000)
        let daemon = { try Program(URL(filePath: gpsd), ["-N", "-n", "-b", "-S", port, path]) }
        let record = try Program(
            Program.surefoot,
            [
                "record", "--json", "--wait", "--from", "gpsd:127.0.0.1:\(port)",
                "--out", runs.url.path,
            ]
        )
        let first = try daemon()
        var lines: [String] = []
        for _ in 0..<40 { lines += record.lines(until: "\"event\": \"fix\"") }
        first.send(SIGKILL)
        _ = first.status()
        lines += record.lines(until: "\"state\": \"noDevice\"")
        let before = lines.count { $0.contains("\"event\": \"fix\"") }
        let second = try daemon()
        for _ in 0..<40 { lines += record.lines(until: "\"event\": \"fix\"") }
        record.send(SIGTERM)
        while let line = record.line() { lines.append(line) }
        #expect(record.status() == 0)
        second.send(SIGKILL)
        fake.send(SIGTERM)

        // As received, not as filtered: gpsd had another history than the capture from its start.
        let live = try points(of: runs.only().path)
        #expect(before >= 30)
        #expect(live.count >= before + 30)
        for (time, place) in live {
            let original = try #require(replayed[time], "no such fix in the capture: \(time)")
            #expect(abs(place.lat - original.lat) < 1e-7)
            #expect(abs(place.lon - original.lon) < 1e-7)
        }
        let summary = try #require(lines.last { $0.contains("\"event\": \"summary\"") })
        #expect(summary.contains("\"segments\": 2"))
        #expect(summary.contains("\"cause\": \"device_lost\""))
    }

    // MARK: Lines

    /// What CLI.md calls equal: without what only a live run has.
    private func comparable(_ lines: [String]) -> [String] {
        let liveOnly = ["state", "device", "authorization", "background", "presence", "error"]
        return lines.filter { line in
            !liveOnly.contains { line.hasPrefix("{\"event\": \"\($0)\"") }
        }.map { line in
            var line = line
            if line.contains("\"event\": \"signal\"") || line.contains("\"event\": \"gap\"") {
                line.replace(#/"time": "[^"]*", /#, with: "")
            }
            line.replace(#/"source": "[^"]*", /#, with: "")
            return line
        }.filter { !$0.contains("\"cause\": \"device_lost\", \"from\"") }
    }

    private func time(of line: String) -> String? {
        line.firstMatch(of: /"time": "([^"]*)"/).map { String($0.1) }
    }

    private struct Place {
        var lat: Double
        var lon: Double
    }

    /// Positions as received, by time: the points of a raw track.
    private func points(of capture: String) throws -> [String: Place] {
        let folder = try TemporaryFolder()
        let gpx = folder.url.appending(path: "raw.gpx")
        _ = try Program.output(
            Program.surefoot,
            ["replay", "--json", "--track", "raw", "--gpx", gpx.path, capture]
        )
        let text = String(decoding: try Data(contentsOf: gpx), as: UTF8.self)
        var points: [String: Place] = [:]
        let point = #/<trkpt lat="([-0-9.]+)" lon="([-0-9.]+)">.*?<time>([^<]*)</#
        for match in text.matches(of: point) {
            guard let lat = Double(match.1), let lon = Double(match.2) else { continue }
            points[String(match.3)] = Place(lat: lat, lon: lon)
        }
        return points
    }
}
