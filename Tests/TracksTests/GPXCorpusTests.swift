import Foundation
import Geodesy
import Positioning
import Testing
import Tracks

/// The collection of captures and cases, which is not part of this repository.
private let corpus = ProcessInfo.processInfo.environment["SUREFOOT_CORPUS"]

@Suite(.enabled(if: corpus != nil, "set SUREFOOT_CORPUS to the folder of cases and captures"))
struct GPXCorpusTests {
    @Test("Case 54: a track cut in the middle of a point gives its 5 whole points")
    func case54() throws {
        let document = try GPXReader().read(path: "\(try #require(corpus))/cases/54-cut-track.gpx")
        let points = try #require(document.tracks.first?.segments.first?.points)
        #expect(document.pointCount == 5)
        #expect(
            points.map(\.coordinate.nanodegreesNorth) == [
                37_521_100_000, 37_521_127_000, 37_521_154_000, 37_521_180_900, 37_521_207_900,
            ]
        )
        #expect(points.allSatisfy { $0.coordinate.nanodegreesEast == 126_932_400_000 })
        #expect(points.allSatisfy { $0.elevation == 31.4 })
        // date -u -d 2026-11-14T06:10:00Z +%s
        #expect(
            points.map { $0.time?.milliseconds } == (0..<5).map { 1_794_636_600_000 + $0 * 1000 }
        )
        #expect(document.fault == GPXFault(line: 9, reason: .endsEarly))
        #expect(document.skippedPoints == 0)
    }

    @Test("Every real track has the points, segments and start that gpxpy counted")
    func references() throws {
        let captures = "\(try #require(corpus))/captures"
        let table = try String(contentsOfFile: "\(captures)/reference_runs.tsv", encoding: .utf8)
        let rows = table.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let header = try #require(rows.first)
        let column = { (name: String) in try #require(header.firstIndex(of: name)) }
        let (path, count) = (try column("path"), try column("n"))
        let (segments, start) = (try column("segs"), try column("start"))
        let tracks = rows.dropFirst().filter { $0[path].hasSuffix(".gpx") }
        #expect(tracks.count == 5)
        for row in tracks {
            let document = try GPXReader().read(path: "\(captures)/\(row[path])")
            #expect(document.fault == nil, "\(row[path])")
            #expect(document.pointCount == Int(row[count]), "\(row[path])")
            #expect(document.skippedPoints + document.skippedFields == 0, "\(row[path])")
            let all = document.tracks.flatMap(\.segments)
            #expect(all.count == Int(row[segments]), "\(row[path])")
            let first = try Date(row[start], strategy: .iso8601)
            #expect(
                all.first?.points.first?.time?.milliseconds
                    == Int64(first.timeIntervalSince1970 * 1000),
                "\(row[path])"
            )
        }
    }

    @Test("Every GPX file of the collection has as many points as its text has end tags")
    func counts() throws {
        let captures = "\(try #require(corpus))/captures"
        var fileCount = 0
        for folder in ["runs", "truth"] {
            let files = try FileManager.default.subpathsOfDirectory(atPath: "\(captures)/\(folder)")
            for file in files where file.hasSuffix(".gpx") {
                fileCount += 1
                let path = "\(captures)/\(folder)/\(file)"
                let text = try String(contentsOfFile: path, encoding: .utf8)
                let document = try GPXReader(chunkSize: 4099).read(path: path)
                #expect(document.pointCount == text.components(separatedBy: "<trkpt").count - 1)
                #expect(document.waypoints.count == text.components(separatedBy: "<wpt").count - 1)
                #expect(document.fault == nil)
            }
        }
        #expect(fileCount == 6)
    }
}
