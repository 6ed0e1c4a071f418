import Glibc

/// A TCP connection that is made without waiting, trying one address of the host after another.
final class TCPConnection {
    /// How long one address may take to answer, in seconds.
    static let patience = 5

    let endpoint: Endpoint
    let isGPSD: Bool
    private(set) var descriptor: Int32?
    private(set) var isConnected = false
    private(set) var deadline: Int64?
    private var addresses: [SocketAddress] = []
    private var lastFault: SourceFault?

    init(_ endpoint: Endpoint, isGPSD: Bool) {
        self.endpoint = endpoint
        self.isGPSD = isGPSD
    }

    deinit { close() }

    var events: Int16 { Int16(isConnected ? POLLIN : POLLOUT) }

    /// Begins to connect; a refusal may come here, or from ``advance()``.
    func open() throws(SourceFault) {
        close()
        addresses = try SocketAddress.resolve(endpoint).reversed()
        try tryNext()
    }

    /// Looks how the connect stands.
    ///
    /// - Returns: Whether the connection is there.
    func advance() throws(SourceFault) -> Bool {
        if isConnected { return true }
        guard let descriptor else { throw .disconnected(source: "\(endpoint)", errno: 0) }
        let ready = Monotonic.poll(descriptor, for: POLLOUT, until: 0)
        if ready == 0 {
            guard let deadline, Monotonic.now >= deadline else { return false }
            lastFault = .noAnswer(endpoint, seconds: Self.patience)
            try tryNext()
            return isConnected
        }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        if getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) != 0 { code = errno }
        if code != 0 {
            lastFault = fault(code)
            try tryNext()
            return isConnected
        }
        // A port of this host where nobody listens can, by chance, be connected to itself.
        if endpoint.isLoopback, BoundSocket.port(of: descriptor) == endpoint.port {
            lastFault = .refused(endpoint, isGPSD: isGPSD)
            try tryNext()
            return isConnected
        }
        connected(descriptor)
        return true
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Reading {
        guard let descriptor, isConnected else { return .nothing }
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .bytes(count) }
        let code = count == 0 ? 0 : errno
        guard code == EAGAIN || code == EINTR else {
            throw .disconnected(source: "\(endpoint)", errno: code)
        }
        return .nothing
    }

    /// Says a short line to the server; a new connection has room for it.
    func send(_ text: StaticString) throws(SourceFault) {
        guard let descriptor else { throw .disconnected(source: "\(endpoint)", errno: 0) }
        let count = Glibc.send(
            descriptor,
            text.utf8Start,
            text.utf8CodeUnitCount,
            Int32(MSG_NOSIGNAL)
        )
        guard count == text.utf8CodeUnitCount else {
            throw .disconnected(source: "\(endpoint)", errno: count < 0 ? errno : 0)
        }
    }

    func close() {
        if let descriptor { Glibc.close(descriptor) }
        descriptor = nil
        isConnected = false
        deadline = nil
    }

    private func tryNext() throws(SourceFault) {
        while true {
            close()
            guard let address = addresses.popLast() else {
                throw lastFault ?? .hostNotFound(host: endpoint.host)
            }
            let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
            let opened = socket(address.family, Int32(flags), 0)
            guard opened >= 0 else {
                lastFault = fault(errno)
                continue
            }
            descriptor = opened
            let code = address.withPointer { connect(opened, $0, $1) == 0 ? 0 : errno }
            switch code {
            case 0: return connected(opened)
            case EINPROGRESS, EINTR:
                deadline = Monotonic.now + Int64(Self.patience) * Monotonic.second
                return
            default: lastFault = fault(code)
            }
        }
    }

    /// A host that vanished without a word is noticed after about half a minute.
    private func connected(_ opened: Int32) {
        isConnected = true
        deadline = nil
        set(SOL_SOCKET, SO_KEEPALIVE, 1, on: opened)
        set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 10, on: opened)
        set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5, on: opened)
        set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 3, on: opened)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32, on opened: Int32) {
        var value = value
        setsockopt(opened, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private func fault(_ code: Int32) -> SourceFault {
        switch code {
        case ECONNREFUSED: .refused(endpoint, isGPSD: isGPSD)
        case ETIMEDOUT: .noAnswer(endpoint, seconds: Self.patience)
        default: .unreachable(endpoint, errno: code)
        }
    }
}
