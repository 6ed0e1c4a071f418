import Glibc

/// Binds a socket to a port of this host.
enum BoundSocket {
    /// Gives 0, or the `errno`.
    ///
    /// Where `isLoopback`, it is reachable from this host only; else from
    /// every address, IPv4 too.
    static func bind(_ socket: Int32, family: Int32, port: UInt16, isLoopback: Bool) -> Int32 {
        var code: Int32 = 0
        if family == AF_INET6 {
            var off: Int32 = 0
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size)
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            if isLoopback { address.sin6_addr = in6addr_loopback }
            code = Self.bind(socket, to: &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            if isLoopback { address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian }
            code = Self.bind(socket, to: &address)
        }
        return code
    }

    private static func bind<Address>(_ socket: Int32, to address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, socklen_t(MemoryLayout<Address>.size)) == 0 ? 0 : errno
            }
        }
    }

    /// The port a socket is bound to.
    static func port(of socket: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
        }
        guard code == 0 else { return nil }
        // The port stands behind the family, IPv4 and IPv6 alike.
        return withUnsafeBytes(of: &storage) { raw in
            UInt16(bigEndian: raw.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
