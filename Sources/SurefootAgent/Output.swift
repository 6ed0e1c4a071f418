import Glibc

/// Text to a descriptor, gathered and written in large pieces.
///
/// Swift's `print` is held back in blocks when it goes into a pipe; this is written when told.
package final class Output {
    /// Standard output, gathered until ``flush()``.
    nonisolated(unsafe) package static let standard = Output(descriptor: 1, limit: 64 * 1024)
    /// Standard error, written at once.
    nonisolated(unsafe) package static let error = Output(descriptor: 2, limit: 0)

    /// Most bytes kept for a reader that does not read, while nobody waits for it.
    private static let most = 4 * 1024 * 1024

    /// A flush waits until all is written; a recording waits for nobody.
    package var isPatient = true
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

    /// What to poll for room in; `nil` if nothing waits to be written.
    package var waiting: Int32? { pending.isEmpty ? nil : descriptor }

    /// Waits for a slow reader, but no longer than so many milliseconds.
    package func finish(within milliseconds: Int32) {
        for _ in 0..<20 where waiting != nil && fault == nil {
            var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&room, 1, milliseconds / 20)
            flush()
        }
    }

    /// Whether all that was ever given is written.
    @discardableResult
    package func flush() -> Bool {
        var done = 0
        while fault == nil, done < pending.count {
            guard isPatient || hasRoom else { break }
            // A pipe with room takes so many bytes without blocking.
            let most = isPatient ? pending.count - done : min(pending.count - done, Int(PIPE_BUF))
            let count = pending.withUnsafeBytes { raw in
                raw.baseAddress.map { Glibc.write(descriptor, $0 + done, most) } ?? -1
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
        pending.removeSubrange(..<done)
        if fault != nil || pending.count > Self.most {
            fault = fault ?? ETIMEDOUT
            pending.removeAll()
        }
        return fault == nil
    }

    private var hasRoom: Bool {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&room, 1, 0) > 0
    }
}
