package import Surefoot

/// Listens to a TCP server that sends sentences or gpsd lines by itself.
package final class TCPReceiver: Receiver {
    private let connection: TCPConnection

    package init(host: String, port: UInt16) {
        connection = TCPConnection(Endpoint(host: host, port: port), isGPSD: false)
    }

    package var endpoint: Endpoint { connection.endpoint }
    package var format: CaptureFormat? { nil }
    package var descriptor: Int32? { connection.descriptor }
    package var events: Int16 { connection.events }
    package var deadline: Int64? { connection.deadline }
    package var isLive: Bool { true }
    package var isLocal: Bool { endpoint.isLoopback }
    package var spec: ReceiverSpec { .tcp(host: endpoint.host, port: endpoint.port) }

    package func open() throws(SourceFault) { try connection.open() }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Reading {
        guard try connection.advance() else { return .nothing }
        return try connection.read(into: buffer)
    }

    package func close() { connection.close() }
}
