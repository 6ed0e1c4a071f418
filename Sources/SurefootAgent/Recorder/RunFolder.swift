import Glibc
package import Positioning
package import Surefoot
import Tracks

/// A run on disk: the capture and the event log are the truth, all else is made from them again.
package enum RunFolder {
    /// Names of the files in it.
    package enum Name {
        package static let nmeaCapture = "capture.nmea"
        package static let gpsdCapture = "capture.gpsd.jsonl"
        package static let events = "events.jsonl"
        package static let track = "track.gpx"
        package static let summary = "summary.json"
        package static let lock = "lock"
    }

    package static func captureName(_ format: CaptureFormat) -> String {
        switch format {
        case .nmea: Name.nmeaCapture
        case .gpsd: Name.gpsdCapture
        }
    }

    /// `$XDG_DATA_HOME/surefoot/runs`, by default under `~/.local/share`.
    package static var standardParent: String {
        if let home = environment("XDG_DATA_HOME"), home.hasPrefix("/") {
            return home + "/surefoot/runs"
        }
        return (environment("HOME") ?? ".") + "/.local/share/surefoot/runs"
    }

    /// Makes a new folder named by the host's clock, `-2` and so on behind it on a clash.
    package static func make(in parent: String, at time: UTC) throws(SinkFault) -> String {
        try makeParents(parent)
        var name = TextBuffer()
        name.time(time)
        // 2026-12-01T06-10-03Z: colons are not for every file system, milliseconds for no reader.
        let stamp = String(decoding: name.bytes.prefix(19), as: UTF8.self).map {
            $0 == ":" ? "-" : $0
        }
        for n in 1...999 {
            let path = parent + "/" + String(stamp) + "Z" + (n > 1 ? "-\(n)" : "")
            if mkdir(path, 0o700) == 0 { return path }
            guard errno == EEXIST else { throw SinkFault(path: path, errno: errno) }
        }
        throw SinkFault(path: parent, errno: EEXIST)
    }

    /// Takes away a folder in which nothing could be written.
    static func remove(_ folder: String) {
        for name in [Name.nmeaCapture, Name.gpsdCapture, Name.events, Name.lock] {
            unlink(folder + "/" + name)
        }
        rmdir(folder)
    }

    private static func makeParents(_ path: String) throws(SinkFault) {
        var whole = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            whole += "/" + part
            if mkdir(whole, 0o700) != 0, errno != EEXIST {
                let reason = errno
                var status = stat()
                guard stat(whole, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                    throw SinkFault(path: whole, errno: reason)
                }
            }
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
