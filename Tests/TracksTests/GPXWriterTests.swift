import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import Tracks

struct GPXWriterTests {
    private func fix(_ north: Int64, _ east: Int64, _ milliseconds: Int64 = 0) -> Fix {
        Fix(
            // Seconds by `date -u -d 2026-11-14T06:10:03Z +%s`.
            time: UTC(milliseconds: 1_794_636_603_000 + milliseconds),
            coordinate: Coordinate(nanodegreesNorth: north, nanodegreesEast: east),
            horizontalAccuracy: 3
        )
    }

    private let hostile = "<&>\"' ]]> \u{0}\u{1}\u{B}\u{FFFE} é 서울 \u{1F3C3}\r\n\t-- \u{7F}"

    // MARK: The schema

    @Test(
        "Every kind of run is valid GPX 1.1",
        .enabled(if: GPXSchema.path != nil, Comment(rawValue: GPXSchema.skipReason)),
        arguments: [0, 1, 2, 3, 4]
    )
    func valid(kind: Int) throws {
        var random = SplitMix(state: 1)
        let fixes = anyFixes(40, &random)
        let waypoints = fixes.prefix(3).map { (name: hostile, point: GPXWriter.Point($0)) }
        let document =
            switch kind {
            case 0: written([])
            case 1: written([fixes, Array(fixes.prefix(1)), fixes], waypoints: waypoints)
            case 2: written([fixes], name: hostile)
            case 3: written([[fix(0, 180_000_000_000), fix(90_000_000_000, -180_000_000_000)]])
            default: written([[], fixes, []], name: nil)
            }
        #expect(try GPXSchema.complaint(about: document) == nil)
    }

    // MARK: Shape, by the words of the contract

    @Test("A run without one fix is one track without a segment")
    func noFix() throws {
        let document = try GPXReader().read(bytes: written([]))
        #expect(document.fault == nil)
        #expect(document.tracks == [Track(name: "park", type: "running")])
    }

    @Test("No segment is empty")
    func noEmptySegment() throws {
        let one = fix(1, 2)
        let document = try GPXReader().read(bytes: written([[], [one], [], [], [one, one], []]))
        #expect(document.tracks.first?.segments.map(\.points.count) == [1, 2])
    }

    @Test("Longitude 180 is written as -180: the schema has no 180")
    func dateLine() {
        let text = String(decoding: written([[fix(0, 180_000_000_000)]]), as: UTF8.self)
        #expect(text.contains(#"lon="-180.000000000""#))
    }

    @Test("A name with every character that XML fears comes back, without those it cannot hold")
    func hostileName() throws {
        let document = try GPXReader().read(bytes: written([], name: hostile))
        #expect(document.fault == nil)
        #expect(document.tracks.first?.name == "<&>\"' ]]>  é 서울 \u{1F3C3}   -- \u{7F}")
    }

    @Test("Waypoints fill the room behind the head to the byte, fewer of them too")
    func room() throws {
        let writer = GPXWriter(name: nil, creator: "t", waypointCount: 3)
        let points = [fix(1, 2), fix(3, 4)].map { (name: "Lap", point: GPXWriter.Point($0)) }
        for count in 0...2 {
            #expect(writer.prologue(Array(points.prefix(count))).count == writer.roomLength)
        }
        let document = try GPXReader().read(bytes: written([[fix(5, 6)]], waypoints: points))
        #expect(document.waypoints.map(\.name) == ["Lap", "Lap"])
        #expect(document.waypoints.map(\.point.coordinate.nanodegreesNorth) == [1, 3])
    }

    // MARK: Read back

    @Test("Points that are written are the points that are read, whatever their values")
    func roundTrip() throws {
        var random = SplitMix(state: 2)
        for _ in 0..<40 {
            let segments = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                anyFixes(Int.random(in: 1...60, using: &random), &random)
            }
            let document = try GPXReader().read(bytes: written(segments))
            #expect(document.fault == nil)
            #expect(document.skippedPoints + document.skippedFields == 0)
            let expected = segments.map { segment in
                Track.Segment(
                    points: segment.map { fix in
                        TrackPoint(
                            coordinate: fix.coordinate,
                            time: fix.time,
                            elevation: fix.altitude,
                            satellites: fix.satellitesUsed,
                            hdop: fix.hdop,
                            speed: fix.speed,
                            course: fix.course
                        )
                    }
                )
            }
            #expect(document.tracks.first?.segments == expected)
        }
    }

    @Test("gpxpy reads the same points, times and elevations, in the same segments")
    func gpxpy() throws {
        let script = """
            import gpxpy, sys
            for track in gpxpy.parse(open(sys.argv[1])).tracks:
                for number, segment in enumerate(track.segments):
                    for p in segment.points:
                        t = round(p.time.timestamp() * 1000)
                        print(number, repr(p.latitude), repr(p.longitude), t, p.elevation)
            """
        var random = SplitMix(state: 3)
        // gpxpy takes times from the year 1 to 9999 through a Double.
        let segments = [anyFixes(100, &random), anyFixes(50, &random)]
        let output = try #require(
            try Program.output(["/usr/bin/python3", "-c", script, "FILE"], on: written(segments))
        )
        let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
        let expected = segments.enumerated().flatMap { number, fixes in fixes.map { (number, $0) } }
        try #require(lines.count == expected.count)
        for (line, (number, fix)) in zip(lines, expected) {
            #expect(Int(line[0]) == number)
            #expect(nano(line[1]) == fix.coordinate.nanodegreesNorth)
            #expect(nano(line[2]) == fix.coordinate.nanodegreesEast)
            #expect(Int64(line[3]) == fix.time.milliseconds)
            #expect(Double(line[4]) == fix.altitude)
        }
    }

    private func nano(_ degrees: Substring) -> Int64? {
        Double(degrees).map { Int64(($0 * 1e9).rounded()) }
    }

    @Test("gpsbabel reads the same points, times and elevations")
    func gpsbabel() throws {
        var random = SplitMix(state: 4)
        let fixes = anyFixes(100, &random).enumerated().map { index, fix in
            var fix = fix
            // Whole seconds of this century: unicsv tells no others.
            fix.time = UTC(milliseconds: 1_794_636_603_000 + Int64(index) * 1000)
            return fix
        }
        let output = try #require(
            try Program.output(
                ["/usr/bin/gpsbabel", "-t", "-i", "gpx", "-f", "FILE", "-o", "unicsv", "-F", "-"],
                on: written([fixes])
            )
        )
        var lines = output.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let head = lines.removeFirst()
        let column = { (name: String) throws in try #require(head.firstIndex(of: name)) }
        let (latitude, longitude) = (try column("Latitude"), try column("Longitude"))
        let (altitude, date, time) = (
            try column("Altitude"), try column("Date"), try column("Time")
        )
        let formatter = ISO8601DateFormatter()
        try #require(lines.count == fixes.count)
        for (line, fix) in zip(lines, fixes) {
            // gpsbabel prints six digits of degrees and one of meters.
            let north = try #require(Double(line[latitude]))
            let east = try #require(Double(line[longitude]))
            #expect(abs(north - fix.coordinate.latitude) <= 0.51e-6)
            #expect(abs(east - fix.coordinate.longitude) <= 0.51e-6)
            if let elevation = fix.altitude {
                let found = try #require(Double(line[altitude]))
                #expect(abs(found - elevation) <= 0.051)
            } else {
                #expect(line[altitude].isEmpty)
            }
            let day = line[date].replacingOccurrences(of: "/", with: "-")
            let seconds = formatter.date(from: "\(day)T\(line[time])Z")?.timeIntervalSince1970
            #expect(seconds == Double(fix.time.milliseconds) / 1000)
        }
    }
}
