import Glibc
package import Surefoot

/// Listens to a receiver on a serial line, a USB one or a pty.
///
/// - The line is raw, 8N1, without flow control, and opened for reading only; one that is no pty is
///   held exclusively.
/// - Its settings come back at ``close()``.
/// - Without a speed, a pty keeps its own and any other line is set to 9600 baud.
package final class SerialReceiver: Receiver {
    package let path: String
    package let baud: Int?
    package private(set) var descriptor: Int32?
    private var saved: termios?

    package init(path: String, baud: Int? = nil) {
        self.path = path
        self.baud = baud
    }

    deinit { close() }

    package var format: CaptureFormat? { .nmea }
    package var events: Int16 { Int16(POLLIN) }
    package var deadline: Int64? { nil }
    package var isLive: Bool { true }
    package var isLocal: Bool { true }
    package var spec: ReceiverSpec { .serial(path: path, baud: baud) }

    package func open() throws(SourceFault) {
        close()
        var node = stat()
        guard stat(path, &node) == 0 else { throw fault(errno, node: nil) }
        // Major 1 is memory, such as /dev/null, which everybody has open.
        guard node.st_mode & S_IFMT == S_IFCHR, Self.major(node.st_rdev) != 1 else {
            throw .notASerialDevice(path: path)
        }
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else {
            throw fault(errno, node: node)
        }
        if let holder = DeviceHolder.find(of: path) {
            throw .deviceHeld(path: path, holder: holder)
        }
        let opened = Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw fault(errno, node: node) }
        do throws(SourceFault) {
            try prepare(opened, isPTY: Self.isPTY(node.st_rdev))
        } catch {
            Glibc.close(opened)
            throw error
        }
        descriptor = opened
    }

    private func prepare(_ opened: Int32, isPTY: Bool) throws(SourceFault) {
        var line = termios()
        guard tcgetattr(opened, &line) == 0 else {
            let code = errno
            throw code == ENOTTY ? .notASerialDevice(path: path) : fault(code, node: nil)
        }
        // On a pty the hold would outlive a reader that was killed, as long as the far end is open.
        if !isPTY { _ = ioctl(opened, UInt(TIOCEXCL)) }
        let before = line
        cfmakeraw(&line)
        line.c_cflag &= ~tcflag_t(CSTOPB | PARENB | HUPCL) & ~tcflag_t(CRTSCTS)
        line.c_cflag |= tcflag_t(CS8 | CLOCAL | CREAD)
        line.c_iflag &= ~tcflag_t(IXON | IXOFF | IXANY)
        withUnsafeMutableBytes(of: &line.c_cc) { raw in
            // With at least one byte asked for, 0 bytes read means a hang-up and nothing else.
            raw[Int(VMIN)] = 1
            raw[Int(VTIME)] = 0
        }
        if let speed = LineSpeed(baud: baud ?? 9600), baud != nil || !isPTY {
            cfsetspeed(&line, speed.code)
        }
        guard tcsetattr(opened, TCSANOW, &line) == 0 else {
            let code = errno
            _ = ioctl(opened, UInt(TIOCNXCL))
            throw .failed(call: "tcsetattr", path: path, errno: code)
        }
        saved = before
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Reading {
        guard let descriptor else { throw .disconnected(source: path, errno: 0) }
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count == 0 { throw .disconnected(source: path, errno: 0) }
        let code = errno
        guard code == EAGAIN || code == EINTR else {
            throw .disconnected(source: path, errno: code)
        }
        return .nothing
    }

    package func close() {
        guard let open = descriptor else { return }
        descriptor = nil
        if var saved { tcsetattr(open, TCSANOW, &saved) }
        saved = nil
        _ = ioctl(open, UInt(TIOCNXCL))
        Glibc.close(open)
    }

    /// Major numbers 136 to 143 are the slaves of Unix 98 ptys (Linux, devices.txt).
    private static func isPTY(_ device: dev_t) -> Bool {
        (136...143).contains(major(device))
    }

    private static func major(_ device: dev_t) -> dev_t { (device >> 8) & 0xFFF }

    private func fault(_ code: Int32, node: stat?) -> SourceFault {
        switch code {
        case ENOENT, ENODEV, ENXIO, ENOTDIR, EIO: .noSuchDevice(path: path)
        case EACCES, EPERM: .deviceDenied(path: path, group: node.flatMap(Self.group))
        case EBUSY: .deviceHeld(path: path, holder: DeviceHolder.find(of: path))
        default: .failed(call: "open", path: path, errno: code)
        }
    }

    /// The group that may read the node.
    static func group(of node: stat) -> String? {
        guard node.st_mode & S_IRGRP != 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { text in
            var entry = group_entry()
            var found: UnsafeMutablePointer<group_entry>?
            let code = getgrgid_r(node.st_gid, &entry, text.baseAddress, text.count, &found)
            guard code == 0, found != nil, let name = entry.gr_name else {
                return "\(node.st_gid)"
            }
            return String(cString: name)
        }
    }
}

private typealias group_entry = Glibc.group
