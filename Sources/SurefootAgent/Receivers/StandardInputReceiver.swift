import Glibc
package import Surefoot

/// Reads standard input, whatever it is, without changing how others see it.
package final class StandardInputReceiver: Receiver {
    package let input: Int32

    /// - Parameter input: The descriptor to read; it is not closed here.
    package init(input: Int32 = STDIN_FILENO) {
        self.input = input
    }

    package var format: CaptureFormat? { nil }
    package var descriptor: Int32? { input }
    package var events: Int16 { Int16(POLLIN) }
    package var deadline: Int64? { nil }
    package var isLive: Bool { false }
    package var isLocal: Bool { true }
    package var spec: ReceiverSpec { .standardInput }

    package func open() throws(SourceFault) {
        var node = stat()
        guard fstat(input, &node) == 0 else {
            throw .failed(call: "fstat", path: "standard input", errno: errno)
        }
        if node.st_mode & S_IFMT == S_IFDIR { throw .isDirectory(path: "standard input") }
    }

    /// `O_NONBLOCK` would reach the shell's terminal too, so the descriptor is asked first.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Reading {
        guard Monotonic.poll(input, for: POLLIN, until: 0) != 0 else { return .nothing }
        let count = Glibc.read(input, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended }
        let code = errno
        if code == EAGAIN || code == EINTR { return .nothing }
        if code == EIO { return .ended }
        throw .failed(call: "read", path: "standard input", errno: code)
    }

    package func close() {}
}
