import Glibc

/// Text to a descriptor, gathered and written in large pieces.
///
/// Swift's `print` is held back in blocks when it goes into a pipe; this is written when told.
package final class Output {
    /// Standard output, gathered until ``flush()``.
    nonisolated(unsafe) package static let standard = Output(descriptor: 1, limit: 64 * 1024)
    /// Standard error, written at once.
    nonisolated(unsafe) package static let error = Output(descriptor: 2, limit: 0)

    private let descriptor: Int32
    private let limit: Int
    private var pending: [UInt8] = []
    /// `errno` of the first write that failed; nothing is written after it.
    package private(set) var fault: Int32?

    package init(descriptor: Int32, limit: Int) {
        self.descriptor = descriptor
        self.limit = limit
    }

    package func write(_ text: String) {
        pending.append(contentsOf: text.utf8)
        if pending.count >= limit { flush() }
    }

    package func write(_ bytes: [UInt8]) {
        pending.append(contentsOf: bytes)
        if pending.count >= limit { flush() }
    }

    /// Whether all that was ever given is written.
    @discardableResult
    package func flush() -> Bool {
        var done = 0
        while fault == nil, done < pending.count {
            let count = pending.withUnsafeBytes { raw in
                raw.baseAddress.map { Glibc.write(descriptor, $0 + done, raw.count - done) } ?? -1
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                fault = errno
            }
        }
        pending.removeAll(keepingCapacity: true)
        return fault == nil
    }
}
