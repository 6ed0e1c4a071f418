import Glibc

/// Finds the one receiver that `auto` means: a gpsd that has a device, else the only USB line.
package struct ReceiverSearch: Sendable {
    package var gpsd = Endpoint(host: ReceiverSpec.gpsdHost, port: ReceiverSpec.gpsdPort)
    /// Where the device nodes are.
    package var folder = "/dev"
    /// How long gpsd may take to tell its devices, in milliseconds.
    package var patience: Int64 = 2000

    package init() {}

    package func find() throws(SourceFault) -> ReceiverSpec {
        let devices = devicesOfGPSD()
        if devices == true { return .gpsd(host: gpsd.host, port: gpsd.port) }
        let paths = Folder.names(in: folder)
            .filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }
            .map { "\(folder)/\($0)" }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        if paths.count > 1 { throw .severalDevices(paths: paths) }
        guard let path = paths.first else { throw .noReceiver(gpsdAnswers: devices != nil) }
        return .serial(path: path, baud: nil)
    }

    /// Whether gpsd has a device; `nil` where no gpsd answers.
    private func devicesOfGPSD() -> Bool? {
        let deadline = Monotonic.now + patience * Monotonic.millisecond
        let receiver = GPSDReceiver(host: gpsd.host, port: gpsd.port)
        defer { receiver.close() }
        var answers: Bool?
        var heard: [UInt8] = []
        do throws(SourceFault) {
            try receiver.open()
            while let descriptor = receiver.descriptor {
                let result = try withUnsafeTemporaryReading(receiver, &heard)
                if result {
                    if heard.contains(Self.version) { answers = false }
                    if let has = Self.hasDevice(heard) { return has }
                    if heard.count > 256 * 1024 { return answers }
                    continue
                }
                let events = Int32(receiver.events)
                guard Monotonic.poll(descriptor, for: events, until: deadline) != 0 else { break }
            }
        } catch {
            return answers
        }
        return answers
    }

    private func withUnsafeTemporaryReading(
        _ receiver: GPSDReceiver,
        _ heard: inout [UInt8]
    ) throws(SourceFault) -> Bool {
        var block = [UInt8](repeating: 0, count: 16 * 1024)
        var result: Result<Reading, SourceFault> = .success(.nothing)
        block.withUnsafeMutableBytes { raw in
            do throws(SourceFault) {
                result = .success(try receiver.read(into: raw))
            } catch {
                result = .failure(error)
            }
        }
        guard case .bytes(let count) = try result.get() else { return false }
        heard += block[..<count]
        return true
    }

    private static let version = Array("\"class\":\"VERSION\"".utf8)
    private static let devices = Array("\"class\":\"DEVICES\"".utf8)
    private static let device = Array("\"path\":\"".utf8)

    /// `nil` until a whole DEVICES line is there.
    private static func hasDevice(_ heard: [UInt8]) -> Bool? {
        let lines = heard.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines.dropLast() where line.contains(devices) {
            return line.contains(device)
        }
        return nil
    }
}
