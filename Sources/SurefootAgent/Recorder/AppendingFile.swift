import Glibc

/// A file that only grows, each write whole or a fault.
package final class AppendingFile {
    package let path: String
    private let descriptor: Int32

    /// Opens or makes it; `isNew`: it must not be there yet.
    package init(path: String, isNew: Bool = true) throws(SinkFault) {
        self.path = path
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | (isNew ? O_EXCL : 0)
        descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw SinkFault(path: path, errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    package func append(_ bytes: [UInt8]) throws(SinkFault) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                raw.baseAddress.map { write(descriptor, $0 + done, raw.count - done) } ?? -1
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SinkFault(path: path, errno: count < 0 ? errno : ENOSPC) }
            done += count
        }
    }

    /// Waits until the disk has it.
    package func synchronize() throws(SinkFault) {
        guard fdatasync(descriptor) == 0 else { throw SinkFault(path: path, errno: errno) }
    }

    /// Takes the lock that tells others that a recording is going on; false if another has it.
    package func lock() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
