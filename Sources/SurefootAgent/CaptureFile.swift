import Glibc
package import Positioning

/// A capture on disk or on standard input, read in blocks.
package final class CaptureFile {
    package let path: String
    private let descriptor: Int32

    /// - Parameter path: `-` is standard input.
    package init(path: String) throws(CaptureFault) {
        self.path = path
        if path == "-" {
            descriptor = 0
            return
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CaptureFault(path: path, errno: errno) }
        var status = stat()
        fstat(descriptor, &status)
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw CaptureFault(path: path, errno: EISDIR)
        }
    }

    deinit {
        if descriptor > 0 { close(descriptor) }
    }

    /// The file's own time stamp, or the host's clock for a stream.
    package var dateFallback: DateFallback {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .nearHostTime(HostClock.now)
        }
        let seconds = Int64(status.st_mtim.tv_sec), nanoseconds = Int64(status.st_mtim.tv_nsec)
        return .nearFileTime(UTC(milliseconds: seconds * 1000 + nanoseconds / 1_000_000))
    }

    /// Reads the next block; 0 at the end.
    package func read(into room: UnsafeMutableRawBufferPointer) throws(CaptureFault) -> Int {
        while true {
            let count = Glibc.read(descriptor, room.baseAddress, room.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw CaptureFault(path: path, errno: errno) }
        }
    }
}

/// Why a capture cannot be read.
package struct CaptureFault: Error, Hashable, Sendable {
    package var path: String
    package var errno: Int32

    /// One sentence.
    package var message: String {
        "Cannot read \(path): \(String(cString: strerror(errno)))."
    }
}

/// The host's clock, which the line never asks.
package enum HostClock {
    package static var now: UTC {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UTC(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
