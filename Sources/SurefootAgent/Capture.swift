import Glibc
package import Surefoot

/// Something that can be played: a capture file, standard input, or the folder of a run.
package struct Capture {
    /// `nil`: a run that has not received a byte.
    package let file: CaptureFile?
    /// What the recording noted; for the folder of a run alone.
    package let log: EventLog?
    /// What it holds; `nil`: found from the bytes.
    package let format: CaptureFormat?
    /// Base name, or what was recorded.
    package let source: String

    /// - Throws: what keeps it from being read.
    package init(path: String) throws(SourceFault) {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            file = try CaptureFile(path: path)
            log = nil
            format = nil
            source = path.split(separator: "/").last.map(String.init) ?? path
            return
        }
        let events = try Self.bytes(of: path + "/" + RunFolder.Name.events, orFaultFor: path)
        guard let log = EventLog(parsing: events) else {
            throw .isDirectory(path: path)
        }
        let names = [RunFolder.Name.gpsdCapture, RunFolder.Name.nmeaCapture]
        let name = names.first { access(path + "/" + $0, F_OK) == 0 } ?? RunFolder.Name.nmeaCapture
        var captured = stat()
        let isEmpty = stat(path + "/" + name, &captured) == 0 && captured.st_size == 0
        file = isEmpty ? nil : try CaptureFile(path: path + "/" + name)
        self.log = log
        source = log.settings.source
        format = log.settings.format ?? (name == RunFolder.Name.gpsdCapture ? .gpsd : .nmea)
    }

    /// As the recording had them; of a file, none but its own time stamp.
    package var lineSettings: LineSettings {
        var settings = log?.settings.line ?? LineSettings()
        settings.dateFallback = settings.dateFallback ?? file?.dateFallback
        return settings
    }

    /// A folder without an event log is no run: that it is a folder is what is wrong with it.
    private static func bytes(
        of path: String,
        orFaultFor folder: String
    ) throws(SourceFault) -> [UInt8] {
        guard access(path, F_OK) == 0 else { throw .isDirectory(path: folder) }
        let file = try CaptureFile(path: path)
        var bytes: [UInt8] = []
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { block.deallocate() }
        while true {
            let count = try file.read(into: block)
            guard count > 0 else { return bytes }
            bytes += block.prefix(count)
        }
    }
}
