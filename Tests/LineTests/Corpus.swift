import Foundation
import Testing

/// Files that lie outside the project: the folder named by SUREFOOT_CORPUS.
enum Corpus {
    static let folder: URL? = ProcessInfo.processInfo.environment["SUREFOOT_CORPUS"]
        .map { URL(filePath: $0, directoryHint: .isDirectory) }

    static let isThere = folder != nil
    static let skipped = "SUREFOOT_CORPUS names no folder"

    static func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(folder).appending(path: path)
        return try Array(Data(contentsOf: file))
    }
}

/// Files under the top-level `fixtures/` folder.
enum Fixture {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent()  // LineTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()  // package root
        .appending(path: "fixtures")

    static func bytes(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: folder.appending(path: path)))
    }
}
