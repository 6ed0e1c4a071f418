import Glibc

/// The far end of a pty that plays a receiver's line.
final class FakePTY: FakeOutlet {
    /// How long a paced line waits for a reader that takes nothing, before it drops.
    private static let patience = Monotonic.second
    /// How often a hang-up is looked at; poll cannot wait for its end.
    private static let glance = 20 * Monotonic.millisecond

    /// What a reader opens.
    let path: String
    private var master: Int32?

    init() throws(SourceFault) {
        var ends: (master: Int32, slave: Int32) = (-1, -1)
        guard openpty(&ends.master, &ends.slave, nil, nil, nil) == 0 else {
            throw .failed(call: "openpty", path: "a pty", errno: errno)
        }
        // Closed again at once: from now on the master shows a hang-up while nobody listens.
        defer { Glibc.close(ends.slave) }
        do throws(SourceFault) {
            path = try Self.prepare(ends.slave)
        } catch {
            Glibc.close(ends.master)
            throw error
        }
        _ = fcntl(ends.master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends.master, F_SETFL, O_NONBLOCK)
        master = ends.master
    }

    deinit { close() }

    private static func prepare(_ slave: Int32) throws(SourceFault) -> String {
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            text.baseAddress.flatMap { start in
                ttyname_r(slave, start, text.count) == 0 ? String(cString: start) : nil
            }
        }
        guard let name else { throw .failed(call: "ttyname", path: "a pty", errno: errno) }
        var line = termios()
        guard tcgetattr(slave, &line) == 0 else {
            throw .failed(call: "tcgetattr", path: name, errno: errno)
        }
        cfmakeraw(&line)
        guard tcsetattr(slave, TCSANOW, &line) == 0 else {
            throw .failed(call: "tcsetattr", path: name, errno: errno)
        }
        return name
    }

    func hasReader() -> Bool {
        guard let master else { return false }
        return Monotonic.poll(master, for: POLLOUT, until: 0) & POLLHUP == 0
    }

    func waitForReader(stop: Int32?) -> Bool {
        while !hasReader() {
            guard wait(until: Monotonic.now + Self.glance, stop: stop) else { return false }
        }
        return true
    }

    func send(_ bytes: [UInt8], isPaced: Bool, stop: Int32?) -> Bool {
        guard let master else { return false }
        var sent = 0
        var patience = Monotonic.now + Self.patience
        while sent < bytes.count {
            // Bytes for nobody would wait in the line for the next reader.
            guard hasReader() else { return true }
            let count = bytes[sent...].withUnsafeBytes { raw in
                Glibc.write(master, raw.baseAddress, raw.count)
            }
            if count > 0 {
                sent += count
                patience = Monotonic.now + Self.patience
                continue
            }
            guard errno == EAGAIN || errno == EINTR else { return true }
            if isPaced, Monotonic.now >= patience { return true }
            guard waitForRoom(master, stop: stop) else { return false }
        }
        return true
    }

    /// Waits a moment for room to write.
    private func waitForRoom(_ master: Int32, stop: Int32?) -> Bool {
        var polled = [
            pollfd(fd: master, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: stop ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        _ = Monotonic.poll(&polled, until: Monotonic.now + Self.glance)
        return polled[1].revents == 0
    }

    /// What a reader says, gpsd's probes for one, is thrown away, so that it never waits for us.
    func wait(until deadline: Int64?, stop: Int32?) -> Bool {
        while true {
            let soon = Monotonic.now + Monotonic.second / 4
            let next = min(deadline ?? soon, soon)
            // A hang-up would wake the poll again and again: then the master is left out of it.
            let listened = hasReader() ? master ?? -1 : -1
            var polled = [
                pollfd(fd: stop ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listened, events: Int16(POLLIN), revents: 0),
            ]
            _ = Monotonic.poll(&polled, until: next)
            if polled[0].revents != 0 { return false }
            if Int32(polled[1].revents) & POLLIN != 0 { discardInput() }
            if let deadline, Monotonic.now >= deadline { return true }
        }
    }

    private func discardInput() {
        guard let master else { return }
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { raw in
            _ = Glibc.read(master, raw.baseAddress, raw.count)
        }
    }

    /// A hang-up throws away what the reader has not read yet.
    func drain(stop: Int32?) -> Bool {
        let deadline = Monotonic.now + 5 * Monotonic.second
        var quiet = 0
        while quiet < 24, Monotonic.now < deadline, hasReader() {
            guard wait(until: Monotonic.now + Self.glance, stop: stop) else { return false }
            // A line that cannot be looked at gets half a second.
            quiet = unread().map { $0 == 0 ? quiet + 8 : 0 } ?? quiet + 1
        }
        return true
    }

    /// Bytes the reader has not taken yet; `nil` where the reader holds the line for itself alone.
    private func unread() -> Int32? {
        let slave = Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard slave >= 0 else { return nil }
        defer { Glibc.close(slave) }
        var count: Int32 = 0
        return ioctl(slave, UInt(FIONREAD), &count) == 0 ? count : nil
    }

    func close() {
        if let master { Glibc.close(master) }
        master = nil
    }
}
