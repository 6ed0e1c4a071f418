/// Where the bytes of a run come from, as `--from` names it.
///
/// `auto`, `gpsd[:HOST[:PORT]]`, `serial:PATH[@BAUD]`, `tcp:HOST:PORT`, `udp:PORT`, `-` for standard
/// input, anything else is a file. An IPv6 host stands in brackets. A file whose name looks like one
/// of these is reached as `./NAME`.
package enum ReceiverSpec: Hashable, Sendable {
    case auto
    case gpsd(host: String, port: UInt16)
    /// `baud` is `nil` where the speed is left to the receiver.
    case serial(path: String, baud: Int?)
    case tcp(host: String, port: UInt16)
    case udp(port: UInt16)
    case file(path: String)
    case standardInput

    package static let gpsdHost = "127.0.0.1"
    package static let gpsdPort: UInt16 = 2947

    package init(parsing text: String) throws(SpecFault) {
        if text.isEmpty { throw .empty }
        if text == "auto" {
            self = .auto
        } else if text == "-" {
            self = .standardInput
        } else if text == "gpsd" {
            self = .gpsd(host: Self.gpsdHost, port: Self.gpsdPort)
        } else if text.hasPrefix("gpsd:") {
            let (host, port) = try Self.endpoint(text.dropFirst(5), in: text)
            self = .gpsd(host: host, port: port ?? Self.gpsdPort)
        } else if text.hasPrefix("tcp:") {
            let (host, port) = try Self.endpoint(text.dropFirst(4), in: text)
            guard let port else { throw .missingPort(text) }
            self = .tcp(host: host, port: port)
        } else if text.hasPrefix("udp:") {
            self = .udp(port: try Self.port(text.dropFirst(4), in: text))
        } else if text.hasPrefix("serial:") {
            self = try Self.serial(text.dropFirst(7), in: text)
        } else {
            self = .file(path: text)
        }
    }

    private static func serial(
        _ rest: Substring,
        in text: String
    ) throws(SpecFault) -> ReceiverSpec {
        var path = rest
        var baud: Int?
        if let at = rest.lastIndex(of: "@"), !rest[at...].contains("/") {
            path = rest[..<at]
            let digits = rest[rest.index(after: at)...]
            guard let number = decimal(digits), LineSpeed(baud: number) != nil else {
                throw .badBaud(String(digits), in: text)
            }
            baud = number
        }
        guard !path.isEmpty else { throw .missingPath(text) }
        return .serial(path: String(path), baud: baud)
    }

    private static func endpoint(
        _ rest: Substring,
        in text: String
    ) throws(SpecFault) -> (host: String, port: UInt16?) {
        let host: Substring
        let after: Substring
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { throw .openBracket(text) }
            host = rest[rest.index(after: rest.startIndex)..<end]
            after = rest[rest.index(after: end)...]
            guard after.isEmpty || after.first == ":" else { throw .openBracket(text) }
        } else {
            let colon = rest.firstIndex(of: ":") ?? rest.endIndex
            host = rest[..<colon]
            after = rest[colon...]
            if after.dropFirst().contains(":") { throw .bareIPv6(text) }
        }
        guard !host.isEmpty else { throw .missingHost(text) }
        guard !after.isEmpty else { return (String(host), nil) }
        return (String(host), try port(after.dropFirst(), in: text))
    }

    private static func port(_ digits: Substring, in text: String) throws(SpecFault) -> UInt16 {
        if digits.isEmpty { throw .missingPort(text) }
        guard let number = decimal(digits), let port = UInt16(exactly: number), port > 0 else {
            throw .badPort(String(digits), in: text)
        }
        return port
    }

    /// Digits only: no sign, no space, at most nine of them.
    private static func decimal(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.count <= 9 else { return nil }
        var number = 0
        for byte in digits.utf8 {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}

extension ReceiverSpec: CustomStringConvertible {
    /// The full form, which parses to the same value.
    package var description: String {
        switch self {
        case .auto: "auto"
        case .gpsd(let host, let port): "gpsd:\(Endpoint(host: host, port: port))"
        case .serial(let path, let baud): "serial:\(path)" + (baud.map { "@\($0)" } ?? "")
        case .tcp(let host, let port): "tcp:\(Endpoint(host: host, port: port))"
        case .udp(let port): "udp:\(port)"
        case .file(let path): path
        case .standardInput: "-"
        }
    }
}

extension ReceiverSpec {
    /// As a run names its source: a file without its folders.
    package var baseName: String {
        guard case .file(let path) = self else { return description }
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Whether the source is a receiver that needs permission.
    package var isLive: Bool {
        switch self {
        case .auto, .gpsd, .serial, .tcp, .udp: true
        case .file, .standardInput: false
        }
    }

    /// The receiver named, not yet open; `auto` looks for one, which may take two seconds.
    package func makeReceiver(
        search: ReceiverSearch = ReceiverSearch()
    ) throws(SourceFault) -> any Receiver {
        switch self {
        case .auto: try search.find().makeReceiver(search: search)
        case .gpsd(let host, let port): GPSDReceiver(host: host, port: port)
        case .serial(let path, let baud): SerialReceiver(path: path, baud: baud)
        case .tcp(let host, let port): TCPReceiver(host: host, port: port)
        case .udp(let port): UDPReceiver(port: port)
        case .file(let path): FileReceiver(path: path)
        case .standardInput: StandardInputReceiver()
        }
    }
}
