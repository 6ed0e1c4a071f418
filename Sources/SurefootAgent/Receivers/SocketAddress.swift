import Glibc

/// One address of a host, with a port.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length: socklen_t

    private init?(_ info: addrinfo) {
        guard let address = info.ai_addr,
            Int(info.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
        else { return nil }
        length = info.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { raw in
            raw.copyMemory(
                from: UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
            )
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// The addresses of a host, best first; one given in digits is not looked up.
    static func resolve(_ endpoint: Endpoint) throws(SourceFault) -> [SocketAddress] {
        for flags in [
            AI_NUMERICHOST | AI_NUMERICSERV, AI_NUMERICSERV | AI_ADDRCONFIG, AI_NUMERICSERV,
        ] {
            var hints = addrinfo()
            hints.ai_family = AF_UNSPEC
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            hints.ai_flags = flags
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(endpoint.host, "\(endpoint.port)", &hints, &list) == 0 else {
                continue
            }
            defer { freeaddrinfo(list) }
            var found: [SocketAddress] = []
            var next = list
            while let info = next {
                if let address = SocketAddress(info.pointee) { found.append(address) }
                next = info.pointee.ai_next
            }
            if !found.isEmpty { return found }
        }
        throw .hostNotFound(host: endpoint.host)
    }
}
