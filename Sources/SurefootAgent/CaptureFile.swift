import Glibc
package import Positioning

/// A capture on disk, plain or gzip, or on standard input, read in blocks.
package final class CaptureFile {
    private let receiver: any Receiver
    private let path: String?

    /// - Parameter path: `-` is standard input.
    /// - Throws: what keeps the file from being read.
    package init(path: String) throws(SourceFault) {
        self.path = path == "-" ? nil : path
        receiver = path == "-" ? StandardInputReceiver() : FileReceiver(path: path)
        try receiver.open()
    }

    deinit {
        receiver.close()
    }

    /// The file's own time stamp, or the host's clock for a stream.
    package var dateFallback: DateFallback {
        var status = stat()
        guard let path, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .nearHostTime(HostClock.now)
        }
        let seconds = Int64(status.st_mtim.tv_sec), nanoseconds = Int64(status.st_mtim.tv_nsec)
        return .nearFileTime(UTC(milliseconds: seconds * 1000 + nanoseconds / 1_000_000))
    }

    /// Reads the next block, and waits for it; 0 at the end.
    package func read(into room: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Int {
        while true {
            switch try receiver.read(into: room) {
            case .bytes(let count): return count
            case .ended: return 0
            case .nothing:
                guard let descriptor = receiver.descriptor else { continue }
                var waiting = pollfd(fd: descriptor, events: receiver.events, revents: 0)
                poll(&waiting, 1, 1000)
            }
        }
    }
}
