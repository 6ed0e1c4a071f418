import Foundation
import Geodesy
import Positioning
import TestSupport
import Tracks

/// A whole file as a run leaves it: segments, and waypoints in the room behind the head.
func written(
    _ segments: [[Fix]],
    name: String? = "park",
    waypoints: [(name: String, point: GPXWriter.Point)] = []
) -> [UInt8] {
    var writer = GPXWriter(name: name, creator: "surefoot 0.1.0", waypointCount: waypoints.count)
    writer.begin()
    for segment in segments {
        writer.endSegment()
        for fix in segment { writer.add(GPXWriter.Point(fix)) }
    }
    writer.end()
    var bytes = writer.text.bytes
    let room = writer.roomStart..<(writer.roomStart + writer.roomLength)
    bytes.replaceSubrange(room, with: writer.prologue(waypoints))
    return bytes
}

/// Fixes anywhere on Earth and in any year of four digits, fields there or not.
func anyFixes(_ count: Int, _ random: inout SplitMix) -> [Fix] {
    (0..<count).map { _ in
        var fix = Fix(
            time: UTC(milliseconds: Int64.random(in: 0...253_402_300_799_999, using: &random)),
            coordinate: Coordinate(
                nanodegreesNorth: Int64.random(
                    in: -90_000_000_000...90_000_000_000,
                    using: &random
                ),
                nanodegreesEast: Int64.random(
                    in: -180_000_000_000..<180_000_000_000,
                    using: &random
                )
            ),
            horizontalAccuracy: 3
        )
        // As many digits as the file holds, so that what is read is what was written.
        func number(_ range: ClosedRange<Int>, _ digits: Double) -> Double? {
            guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
            return Double(Int.random(in: range, using: &random)) / digits
        }
        fix.altitude = number(-1_200_000...10_000_000, 100)
        fix.satellitesUsed = number(0...255, 1).map { Int($0) }
        fix.hdop = number(1...100_000, 100)
        fix.speed = number(0...1_000_000, 1000)
        fix.course = number(0...35_999, 100)
        return fix
    }
}

/// Another program's words on a file.
enum Program {
    /// What it says of these bytes, `nil` if it fails; the argument `FILE` becomes their path.
    static func output(_ arguments: [String], on document: [UInt8]) throws -> String? {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("surefoot-\(UUID().uuidString).gpx")
        try Data(document).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: arguments[0])
        process.arguments = arguments.dropFirst().map { $0 == "FILE" ? file.path : $0 }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: output, as: UTF8.self) : nil
    }
}
