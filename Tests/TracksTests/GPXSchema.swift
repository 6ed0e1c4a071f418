import Foundation

/// Judges GPX bytes by the real GPX 1.1 schema, through xmllint.
///
/// `Tests/support/gpx-schema.sh` fetches the schema; `make test` passes its path.
enum GPXSchema {
    static let path = ProcessInfo.processInfo.environment["SUREFOOT_GPX_SCHEMA"]

    static let skipReason =
        "set SUREFOOT_GPX_SCHEMA=$(Tests/support/gpx-schema.sh .build/test-data) to run this"

    /// xmllint's complaints, `nil` if the document is valid.
    static func complaint(about document: [UInt8]) throws -> String? {
        guard let path else { throw CocoaError(.fileNoSuchFile) }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("surefoot-\(UUID().uuidString).gpx")
        try Data(document).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xmllint", "--nonet", "--noout", "--schema", path, file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : String(decoding: output, as: UTF8.self)
    }
}
