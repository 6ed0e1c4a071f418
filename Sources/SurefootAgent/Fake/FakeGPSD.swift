import Glibc

/// A gpsd on loopback: several clients, each told what is reported after its `?WATCH`.
final class FakeGPSD: FakeOutlet {
    /// Most bytes kept for a client; one that lets more pile up is dropped.
    private static let most = 1024 * 1024

    private struct Client {
        var descriptor: Int32
        var isWatching = false
        var heard: [UInt8] = []
        var unsent: [UInt8] = []
    }

    let port: UInt16
    private let handshake: FakeHandshake
    private var listener: Int32?
    private var clients: [Client] = []

    init(port: UInt16, handshake: FakeHandshake) throws(SourceFault) {
        let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let opened = socket(AF_INET, Int32(flags), 0)
        guard opened >= 0 else { throw .failed(call: "socket", path: "gpsd", errno: errno) }
        var on: Int32 = 1
        setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var code = BoundSocket.bind(opened, family: AF_INET, port: port, isLoopback: true)
        if code == 0, listen(opened, 16) != 0 { code = errno }
        guard code == 0, let bound = BoundSocket.port(of: opened) else {
            Glibc.close(opened)
            throw .failed(call: "bind", path: "127.0.0.1:\(port)", errno: code)
        }
        listener = opened
        self.port = bound
        self.handshake = handshake
    }

    deinit { close() }

    func hasReader() -> Bool { clients.contains { $0.isWatching } }

    func waitForReader(stop: Int32?) -> Bool {
        while !hasReader() {
            guard serve(until: nil, stop: stop) != .stopped else { return false }
        }
        return true
    }

    func send(_ bytes: [UInt8], isPaced: Bool, stop: Int32?) -> Bool {
        for index in clients.indices where clients[index].isWatching {
            clients[index].unsent += bytes
        }
        guard serve(until: 0, stop: stop) != .stopped else { return false }
        if isPaced {
            dropClients { $0.unsent.count > Self.most }
            return true
        }
        // As fast as it is read: the slowest client sets the pace, for five seconds at most.
        return flush(to: 64 * 1024, patience: 5 * Monotonic.second, stop: stop)
    }

    func wait(until deadline: Int64?, stop: Int32?) -> Bool {
        while true {
            switch serve(until: deadline, stop: stop) {
            case .stopped: return false
            case .timeUp: return true
            case .served: continue
            }
        }
    }

    func drain(stop: Int32?) -> Bool {
        flush(to: 0, patience: 5 * Monotonic.second, stop: stop)
    }

    func close() {
        dropClients { _ in true }
        if let listener { Glibc.close(listener) }
        listener = nil
    }

    /// Serves until no client has more than `rest` bytes to come; one that takes none is dropped.
    private func flush(to rest: Int, patience: Int64, stop: Int32?) -> Bool {
        let deadline = Monotonic.now + patience
        while clients.contains(where: { $0.unsent.count > rest }) {
            switch serve(until: deadline, stop: stop) {
            case .stopped: return false
            case .served: continue
            case .timeUp: dropClients { $0.unsent.count > rest }
            }
        }
        return true
    }

    private enum Served {
        case served
        case timeUp
        case stopped
    }

    /// Waits for something to do, and does it.
    private func serve(until deadline: Int64?, stop: Int32?) -> Served {
        var polled = [
            pollfd(fd: stop ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        for client in clients {
            let events = client.unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
            polled.append(pollfd(fd: client.descriptor, events: Int16(events), revents: 0))
        }
        let ready = Monotonic.poll(&polled, until: deadline)
        if polled[0].revents != 0 { return .stopped }
        guard ready > 0 else { return .timeUp }
        var gone: Set<Int32> = []
        for index in clients.indices where polled[index + 2].revents != 0 {
            if !hear(&clients[index]) || !say(&clients[index]) {
                gone.insert(clients[index].descriptor)
            }
        }
        dropClients { gone.contains($0.descriptor) }
        if polled[1].revents != 0 { accept() }
        return .served
    }

    private func accept() {
        guard let listener else { return }
        let descriptor = accept4(listener)
        guard descriptor >= 0 else { return }
        var client = Client(descriptor: descriptor)
        client.unsent = handshake.version
        guard say(&client) else {
            Glibc.close(descriptor)
            return
        }
        clients.append(client)
    }

    private func accept4(_ listener: Int32) -> Int32 {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return -1 }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
    }

    /// - Returns: Whether the client is still there.
    private func hear(_ client: inout Client) -> Bool {
        var count = 0
        let heard = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { raw in
            count = recv(client.descriptor, raw.baseAddress, raw.count, 0)
            return Array(raw.prefix(max(0, count)))
        }
        if count == 0 { return false }
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        client.heard += heard
        while let end = client.heard.firstIndex(where: { $0 == 0x0A || $0 == UInt8(ascii: ";") }) {
            obey(Array(client.heard[...end]), &client)
            client.heard.removeFirst(end + 1)
        }
        return client.heard.count < 4096
    }

    private func obey(_ command: [UInt8], _ client: inout Client) {
        guard command.contains(Array("?WATCH".utf8)) else { return }
        if command.contains(Array("\"enable\":false".utf8)) {
            client.isWatching = false
        } else {
            client.unsent += handshake.watch
            client.isWatching = true
        }
    }

    /// - Returns: Whether the client is still there.
    private func say(_ client: inout Client) -> Bool {
        guard !client.unsent.isEmpty else { return true }
        let count = client.unsent.withUnsafeBytes { raw in
            Glibc.send(client.descriptor, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
        }
        guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
        client.unsent.removeFirst(count)
        return true
    }

    private func dropClients(where isGone: (Client) -> Bool) {
        for client in clients where isGone(client) { Glibc.close(client.descriptor) }
        clients.removeAll(where: isGone)
    }
}
