import Foundation
import Testing

/// What a recording stands: signals, a reader that does not read, streams that are closed.
@Suite("What a recording stands", .serialized)
struct SurvivalTests {
    private static let capture = URL(filePath: #filePath)
        .deletingLastPathComponent()  // AgentTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()  // package root
        .appending(path: "fixtures/park-run.nmea").path

    private static let saved = [
        "capture.nmea", "events.jsonl", "lock", "summary.json", "track.gpx",
    ]

    private func files(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// A recording of a fake receiver that has shown some fixes.
    private func begun(in runs: TemporaryFolder) throws -> (fake: Program, record: Program) {
        let fake = try Program(Program.surefoot, ["fake", "--speed", "20", Self.capture])
        let path = try #require(fake.line())
        let record = try Program(
            Program.surefoot,
            ["record", "--json", "--from", "serial:\(path)", "--out", runs.url.path]
        )
        for _ in 0..<5 { _ = record.lines(until: "\"event\": \"fix\"") }
        return (fake, record)
    }

    @Test("A terminal that hangs up ends the run, and it is saved")
    func hangUp() throws {
        let runs = try TemporaryFolder()
        let (fake, record) = try begun(in: runs)
        record.send(SIGHUP)
        while record.line() != nil {}
        #expect(record.status() == 0)
        fake.send(SIGTERM)
        #expect(try files(in: runs.only()) == Self.saved)
    }

    @Test("A run cut by a kill is finished when the next one starts")
    func killed() throws {
        let runs = try TemporaryFolder()
        let (fake, record) = try begun(in: runs)
        record.send(SIGKILL)
        _ = record.status()
        fake.send(SIGTERM)
        let folder = try runs.only()
        #expect(try !files(in: folder).contains("summary.json"))
        _ = try Program.output(
            Program.surefoot,
            ["record", "--json", "--from", Self.capture, "--out", runs.url.path]
        )
        #expect(try files(in: folder) == Self.saved)
    }

    @Test("A reader that does not read holds up neither the capture nor the end")
    func blockedReader() throws {
        let runs = try TemporaryFolder()
        let (fake, record) = try begun(in: runs)
        // Nothing is read from here on: 700 fixes of over 400 bytes fill any pipe.
        let capture = try runs.only().appending(path: "capture.nmea")
        let deadline = Date(timeIntervalSinceNow: 60)
        var size = 0
        while size < 300_000, Date() < deadline {
            let values = try capture.resourceValues(forKeys: [.fileSizeKey])
            size = values.fileSize ?? 0
            _ = poll(nil, 0, 50)
            var fresh = capture
            fresh.removeAllCachedResourceValues()
        }
        #expect(size >= 300_000)
        record.send(SIGTERM)
        #expect(record.status() == 0)
        fake.send(SIGTERM)
        #expect(try files(in: runs.only()) == Self.saved)
    }

    @Test("With all standard streams closed the GPX is the same")
    func closedStreams() throws {
        let folder = try TemporaryFolder()
        let open = folder.url.appending(path: "open.gpx").path
        let closed = folder.url.appending(path: "closed.gpx").path
        let replay = "'\(Program.surefoot.path)' replay --json-lines '\(Self.capture)' --gpx"
        let shell = URL(filePath: "/bin/sh")
        _ = try Program.output(shell, ["-c", "\(replay) \(open) > /dev/null"])
        _ = try Program.output(shell, ["-c", "\(replay) \(closed) <&- >&- 2>&-"])
        let expected = try Data(contentsOf: URL(filePath: open))
        #expect(try Data(contentsOf: URL(filePath: closed)) == expected)
    }

    @Test("A capture is never replaced by its own track")
    func ownInput() throws {
        let folder = try TemporaryFolder()
        let copy = folder.url.appending(path: "run.nmea").path
        try FileManager.default.copyItem(atPath: Self.capture, toPath: copy)
        _ = try Program.output(Program.surefoot, ["replay", "--gpx", copy, copy])
        #expect(FileManager.default.contentsEqual(atPath: copy, andPath: Self.capture))
    }
}
