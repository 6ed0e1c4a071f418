import Foundation
import Testing

/// What takes over a minute: run by `make soak`.
@Suite(
    "Soak",
    .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["SUREFOOT_SOAK"] != nil,
        "make soak sets SUREFOOT_SOAK"
    )
)
struct SoakTests {
    /// The release build, for figures that mean something.
    private static let surefoot =
        ProcessInfo.processInfo.environment["SUREFOOT_BINARY"]
        .map { URL(filePath: $0) } ?? Program.surefoot

    @Test(
        "Memory does not grow with the length of a run: 1 h and 24 h at 1 Hz differ by under 1 MiB"
    )
    func memoryIsFlat() throws {
        let folder = try TemporaryFolder()
        let short = try peakMemory(of: capture(hours: 1, in: folder))
        let long = try peakMemory(of: capture(hours: 24, in: folder))
        print("peak memory: 1 h \(short) KiB, 24 h \(long) KiB")
        #expect(long - short < 1024)
    }

    @Test("A park run recorded in real time from a fake receiver is the capture replayed")
    func realTime() throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures")
        let capture = fixtures.appending(path: "ten-hertz.nmea").path
        let runs = try TemporaryFolder()
        let fake = try Program(Self.surefoot, ["fake", "--hangup", capture])
        let path = try #require(fake.line())
        let record = try Program(
            Self.surefoot,
            ["record", "--json", "--from", "serial:\(path)", "--out", runs.url.path]
        )
        let lines = record.lines(until: "\"state\": \"noDevice\"", within: 120)
        record.send(SIGTERM)
        while record.line() != nil {}
        #expect(record.status() == 0)
        #expect(lines.count { $0.contains("\"event\": \"fix\"") } == 600)
        let track = try Data(contentsOf: runs.only().appending(path: "track.gpx"))
        let again = runs.url.appending(path: "again.gpx")
        _ = try Program.output(
            Self.surefoot,
            ["replay", "--json", "--not-before", "2026-01-01", "--gpx", again.path, capture]
        )
        #expect(try Data(contentsOf: again) == track)
    }

    @Test("Ten thousand more fixes cost no more heap blocks: nothing is allocated for a fix")
    func noAllocationPerFix() throws {
        let folder = try TemporaryFolder()
        let stripped = folder.url.appending(path: "surefoot").path
        // Valgrind does not read the debug information of Swift.
        _ = try Program.output(
            URL(filePath: "/usr/bin/strip"),
            ["-o", stripped, Self.surefoot.path]
        )
        let few = try blocks(stripped, capture(hours: 3, in: folder))
        let many = try blocks(stripped, capture(hours: 6, in: folder))
        print("heap blocks: 10,800 fixes \(few), 21,600 fixes \(many)")
        #expect(many - few < 50)
    }

    /// Blocks taken from the heap by a whole replay, as valgrind counts them.
    private func blocks(_ program: String, _ capture: URL) throws -> Int {
        let log = capture.appendingPathExtension("valgrind").path
        _ = try Program.output(
            URL(filePath: "/usr/bin/valgrind"),
            [
                "--leak-check=no", "--log-file=\(log)", program, "replay", "--json", "--gpx",
                capture.appendingPathExtension("gpx").path, capture.path,
            ]
        )
        let text = try String(contentsOfFile: log, encoding: .utf8)
        let match = try #require(text.firstMatch(of: /total heap usage: ([0-9,]+) allocs/))
        return try #require(Int(match.1.filter(\.isNumber)))
    }

    /// Walking east at 3 m/s, 1 Hz, RMC and GGA.
    private func capture(hours: Int, in folder: TemporaryFolder) throws -> URL {
        let file = folder.url.appending(path: "\(hours)h.nmea")
        var text = ""
        for second in 0..<(hours * 3600) {
            let time = String(
                format: "%02d%02d%02d.00",
                second / 3600 % 24,
                second / 60 % 60,
                second % 60
            )
            let minutes = 10.0 + Double(second) * 0.0016
            let degrees = 20 + Int(minutes / 60)
            let east = String(
                format: "%03d%08.5f",
                degrees,
                minutes.truncatingRemainder(dividingBy: 60)
            )
            text += sentence("GPRMC,\(time),A,6000.00000,N,\(east),E,5.831,90.00,010626,,,A")
            text += sentence("GPGGA,\(time),6000.00000,N,\(east),E,1,09,0.9,20.0,M,18.0,M,,")
        }
        try text.write(to: file, atomically: true, encoding: .ascii)
        return file
    }

    private func sentence(_ body: String) -> String {
        "$\(body)*\(String(format: "%02X", body.utf8.reduce(0, ^)))\r\n"
    }

    /// Peak resident memory in KiB, as GNU time tells it.
    private func peakMemory(of capture: URL) throws -> Int {
        let gpx = capture.appendingPathExtension("gpx").path
        let lines = try Program.output(
            URL(filePath: "/bin/sh"),
            [
                "-c",
                "\(Self.surefoot.path) replay --json --gpx \(gpx) \(capture.path) > /dev/null & "
                    + "child=$!; peak=0; while kill -0 $child 2> /dev/null; do "
                    + "now=$(awk '/VmHWM/ {print $2}' /proc/$child/status 2> /dev/null); "
                    + "[ \"${now:-0}\" -gt $peak ] && peak=$now; done; echo $peak",
            ]
        )
        return try #require(lines.last.flatMap { Int($0) })
    }
}
