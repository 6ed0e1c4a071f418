import Glibc
package import Surefoot

/// Reads a capture file, plain or gzip, known by its first bytes; a named pipe too.
package final class FileReceiver: Receiver {
    package let path: String
    private var opened: Int32?
    private var isRegular = true
    private var isFirst = true
    private var inflater: Inflater?
    /// Thrown at the next read, after the bytes before it were handed on.
    private var pending: SourceFault?

    package init(path: String) {
        self.path = path
    }

    deinit { close() }

    package var format: CaptureFormat? { nil }
    package var descriptor: Int32? { isRegular ? nil : opened }
    package var events: Int16 { Int16(POLLIN) }
    package var deadline: Int64? { nil }
    package var isLive: Bool { false }
    package var isLocal: Bool { true }
    package var spec: ReceiverSpec { .file(path: path) }

    package func open() throws(SourceFault) {
        close()
        let flags = O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        var node = stat()
        guard stat(path, &node) == 0 else { throw fault(errno) }
        let kind = node.st_mode & S_IFMT
        if kind == S_IFDIR { throw .isDirectory(path: path) }
        if kind == S_IFREG, node.st_size == 0, !path.hasPrefix("/proc/") {
            throw .emptyFile(path: path)
        }
        let descriptor = Glibc.open(path, flags)
        guard descriptor >= 0 else { throw fault(errno) }
        if kind == S_IFCHR, isatty(descriptor) == 1 {
            Glibc.close(descriptor)
            throw .isSerialDevice(path: path)
        }
        opened = descriptor
        isRegular = kind == S_IFREG
        isFirst = true
        pending = nil
        try detectGzip(descriptor)
    }

    private func detectGzip(_ descriptor: Int32) throws(SourceFault) {
        guard isRegular else { return }
        let isGzip = withUnsafeTemporaryAllocation(byteCount: 2, alignment: 1) { raw in
            pread(descriptor, raw.baseAddress, 2, 0) == 2 && raw[0] == 0x1F && raw[1] == 0x8B
        }
        guard isGzip else { return }
        inflater = try Inflater(path: path)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Reading {
        if let pending { throw pending }
        guard let opened else { return .ended }
        if let inflater {
            let step = inflater.read(from: opened, into: buffer)
            pending = step.fault
            if step.count > 0 {
                isFirst = false
                return .bytes(step.count)
            }
            if let fault = step.fault { throw fault }
            if isFirst { throw .emptyFile(path: path) }
            return .ended
        }
        let count = Glibc.read(opened, buffer.baseAddress, buffer.count)
        if count > 0 {
            isFirst = false
            return .bytes(count)
        }
        if count < 0 {
            let code = errno
            if code == EAGAIN || code == EINTR { return .nothing }
            throw .failed(call: "read", path: path, errno: code)
        }
        if isRegular { return .ended }
        // A named pipe that no one has opened for writing yet reads as ended, but is not hung up.
        let isFIFOWithoutWriter = isFirst && Monotonic.poll(opened, for: POLLIN, until: 0) == 0
        if isFIFOWithoutWriter { return .nothing }
        if isFirst { throw .emptyFile(path: path) }
        return .ended
    }

    package func close() {
        if let opened { Glibc.close(opened) }
        opened = nil
        inflater = nil
    }

    private func fault(_ code: Int32) -> SourceFault {
        switch code {
        case ENOENT, ENOTDIR: .missingFile(path: path)
        case EACCES, EPERM: .fileDenied(path: path)
        case EISDIR: .isDirectory(path: path)
        default: .failed(call: "open", path: path, errno: code)
        }
    }
}
