import Glibc
import SurefootAgent
import Testing

@Suite("TCP and UDP receivers", .timeLimit(.minutes(1)))
struct SocketReceiverTests {
    @Test(
        "A TCP receiver hears what the server sends, writes nothing, and is lost when it hangs up"
    )
    func tcp() throws {
        let (listener, port) = Self.bound(SOCK_STREAM.rawValue)
        defer { close(listener) }
        listen(listener, 1)
        let receiver = TCPReceiver(host: "127.0.0.1", port: port)
        try receiver.open()
        let peer = accept(listener, nil, nil)
        let bytes = Rim.capture(seconds: 3)
        #expect(send(peer, bytes, bytes.count, 0) == bytes.count)
        #expect(Rim.hear(receiver, atLeast: bytes.count).bytes == bytes)
        var byte: UInt8 = 0
        #expect(recv(peer, &byte, 1, Int32(MSG_DONTWAIT)) == -1)
        close(peer)
        let lost = SourceFault.disconnected(source: "127.0.0.1:\(port)", errno: 0)
        #expect(Rim.hear(receiver).fault == lost)
    }

    @Test("A UDP receiver hears one datagram a read")
    func udp() throws {
        let receiver = UDPReceiver(port: 0)
        try receiver.open()
        let (sender, _) = Self.bound(SOCK_DGRAM.rawValue)
        defer { close(sender) }
        var address = Self.loopback(receiver.port)
        for text in ["$GPTXT,one\r\n", "$GPTXT,two"] {
            let bytes = Array(text.utf8)
            let count = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(sender, bytes, bytes.count, 0, $0, 16)
                }
            }
            #expect(count == bytes.count)
        }
        #expect(Rim.hear(receiver, atLeast: 1).bytes == Array("$GPTXT,one\r\n".utf8))
        #expect(Rim.hear(receiver, atLeast: 1).bytes == Array("$GPTXT,two".utf8))
        let second = UDPReceiver(port: receiver.port)
        #expect(
            Rim.fault { () throws(SourceFault) in try second.open() }
                == .portInUse(port: receiver.port)
        )
    }

    @Test("A port where nothing listens is refused at once, with the next step")
    func refused() {
        let (unheard, port) = Self.bound(SOCK_STREAM.rawValue)
        defer { close(unheard) }
        for receiver in [
            GPSDReceiver(port: port), TCPReceiver(host: "localhost", port: port),
        ] as [any Receiver] {
            var fault = Rim.fault { () throws(SourceFault) in try receiver.open() }
            if fault == nil { fault = Rim.hear(receiver).fault }
            guard case .refused = fault else {
                Issue.record("\(String(describing: fault))")
                continue
            }
            #expect(fault?.exitStatus == 6)
        }
    }

    @Test("A host that does not answer the connect holds up nothing")
    func silent() throws {
        let (listener, port) = Self.bound(SOCK_STREAM.rawValue)
        defer { close(listener) }
        // A queue of one: the kernel drops what else knocks, as a dead host would.
        listen(listener, 0)
        let receivers = (0..<4).map { _ in TCPReceiver(host: "127.0.0.1", port: port) }
        let start = Rim.now
        var block = [UInt8](repeating: 0, count: 16)
        for receiver in receivers {
            try receiver.open()
            let reading = try block.withUnsafeMutableBytes { try receiver.read(into: $0) }
            #expect(reading == .nothing)
        }
        #expect(receivers.last?.isConnecting == true)
        #expect(Rim.now - start < 2)
    }

    @Test("A host whose name leads nowhere is said to be not found")
    func notFound() {
        let receiver = TCPReceiver(host: "no host", port: 1)
        let fault = Rim.fault { () throws(SourceFault) in try receiver.open() }
        #expect(fault == .hostNotFound(host: "no host"))
    }

    static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// A socket of our own on a free port, and the port.
    static func bound(_ kind: UInt32) -> (Int32, UInt16) {
        let opened = socket(AF_INET, Int32(kind), 0)
        var address = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(opened, $0, size)
                _ = getsockname(opened, $0, &size)
            }
        }
        return (opened, UInt16(bigEndian: address.sin_port))
    }
}
