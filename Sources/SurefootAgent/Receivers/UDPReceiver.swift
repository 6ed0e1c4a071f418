import Glibc
package import Surefoot

/// Listens for datagrams on a port of every address of this host, IPv4 and IPv6; one a read.
package final class UDPReceiver: Receiver {
    private let asked: UInt16
    package private(set) var descriptor: Int32?

    /// - Parameter port: 0 takes a free one; ``port`` tells which.
    package init(port: UInt16) {
        asked = port
    }

    deinit { close() }

    package var format: CaptureFormat? { nil }
    package var events: Int16 { Int16(POLLIN) }
    package var deadline: Int64? { nil }
    package var isLive: Bool { true }
    package var isLocal: Bool { true }
    package var spec: ReceiverSpec { .udp(port: port) }

    /// The port listened on, or the one asked for while closed.
    package var port: UInt16 {
        guard let descriptor else { return asked }
        return BoundSocket.port(of: descriptor) ?? asked
    }

    package func open() throws(SourceFault) {
        close()
        var code: Int32 = 0
        for family in [AF_INET6, AF_INET] {
            let flags = SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
            let opened = socket(family, Int32(flags), 0)
            guard opened >= 0 else {
                code = errno
                continue
            }
            code = BoundSocket.bind(opened, family: family, port: asked, isLoopback: false)
            if code == 0 {
                descriptor = opened
                return
            }
            Glibc.close(opened)
            // Only a host without IPv6 gets a second try.
            guard code == EADDRNOTAVAIL || code == EAFNOSUPPORT else { break }
        }
        switch code {
        case EADDRINUSE: throw .portInUse(port: asked)
        case EACCES, EPERM: throw .portDenied(port: asked)
        default: throw .failed(call: "bind", path: "udp:\(asked)", errno: code)
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Reading {
        guard let descriptor else { throw .disconnected(source: "udp:\(asked)", errno: 0) }
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .bytes(count) }
        let code = count == 0 ? EAGAIN : errno
        // ECONNREFUSED is an echo of nothing we sent; no datagram is lost by it.
        guard code == EAGAIN || code == EINTR || code == ECONNREFUSED else {
            throw .disconnected(source: "udp:\(asked)", errno: code)
        }
        return .nothing
    }

    package func close() {
        if let descriptor { Glibc.close(descriptor) }
        descriptor = nil
    }
}
