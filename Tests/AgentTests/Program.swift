import Foundation
import Testing

/// A program run beside the test: its lines are read as they come, with a deadline and no sleep.
final class Program {
    /// The `surefoot` that was built with these tests.
    static let surefoot = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent()
        .appending(path: "surefoot")

    private let process = Process()
    private let output = Pipe()
    private var held = Data()

    init(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The next line; `nil` at the end, or after so many seconds.
    func line(within seconds: Double = 30) -> String? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            if let end = held.firstIndex(of: 0x0A) {
                let line = String(decoding: held[held.startIndex..<end], as: UTF8.self)
                held = held[(end + 1)...]
                return line
            }
            let left = deadline.timeIntervalSinceNow
            guard left > 0 else { return nil }
            let descriptor = output.fileHandleForReading.fileDescriptor
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(left * 1000)) > 0 else { return nil }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { return nil }
            held += more
        }
    }

    /// All lines up to and with the first that holds a text.
    func lines(until text: String, within seconds: Double = 60) -> [String] {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var lines: [String] = []
        while let line = line(within: deadline.timeIntervalSinceNow) {
            lines.append(line)
            if line.contains(text) { break }
        }
        return lines
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits for its end.
    ///
    /// - Returns: its status; -1 if it had to be killed after so many seconds.
    func status(within seconds: Double = 30) -> Int32 {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while process.isRunning, Date() < deadline { _ = poll(nil, 0, 20) }
        guard process.isRunning else { return process.terminationStatus }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return -1
    }

    /// What a program prints, run to its end.
    static func output(_ executable: URL, _ arguments: [String]) throws -> [String] {
        let program = try Program(executable, arguments)
        var lines: [String] = []
        while let line = program.line() { lines.append(line) }
        return lines
    }
}

/// A folder for one test, gone with it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The one entry in it.
    func only() throws -> URL {
        let entries = try FileManager.default.contentsOfDirectory(
            at: url,
            includingPropertiesForKeys: nil
        )
        try #require(entries.count == 1)
        return entries[0]
    }
}
