package import Surefoot

/// Listens to a gpsd: its JSON lines, as they come.
///
/// After each connect it says `?WATCH`, and nothing else ever. gpsd says nothing when its device is
/// lost: silence must be timed by the caller.
package final class GPSDReceiver: Receiver {
    private static let watch: StaticString = "?WATCH={\"enable\":true,\"json\":true};\n"

    private let connection: TCPConnection
    private var hasAsked = false

    package init(host: String = ReceiverSpec.gpsdHost, port: UInt16 = ReceiverSpec.gpsdPort) {
        connection = TCPConnection(Endpoint(host: host, port: port), isGPSD: true)
    }

    package var endpoint: Endpoint { connection.endpoint }
    package var format: CaptureFormat? { .gpsd }
    package var descriptor: Int32? { connection.descriptor }
    package var events: Int16 { connection.events }
    package var deadline: Int64? { connection.deadline }
    package var isLive: Bool { true }
    package var isLocal: Bool { endpoint.isLoopback }
    package var spec: ReceiverSpec { .gpsd(host: endpoint.host, port: endpoint.port) }

    package func open() throws(SourceFault) {
        hasAsked = false
        try connection.open()
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Reading {
        guard try connection.advance() else { return .nothing }
        if !hasAsked {
            hasAsked = true
            try connection.send(Self.watch)
        }
        return try connection.read(into: buffer)
    }

    package func close() { connection.close() }
}
