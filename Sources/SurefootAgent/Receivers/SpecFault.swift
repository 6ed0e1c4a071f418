/// What is wrong with the text after `--from`: wrong usage, exit 2.
package enum SpecFault: Error, Hashable {
    case empty
    case missingHost(String)
    case missingPort(String)
    case missingPath(String)
    case badPort(String, in: String)
    case badBaud(String, in: String)
    case bareIPv6(String)
    case openBracket(String)

    package var exitStatus: Int32 { 2 }

    package var message: String {
        switch self {
        case .empty:
            "--from is empty: say auto, gpsd, serial:PATH, tcp:HOST:PORT, udp:PORT, a file or -."
        case .missingHost(let text): "“\(text)” names no host: say HOST:PORT after the first colon."
        case .missingPort(let text): "“\(text)” names no port: add :PORT, a number from 1 to 65535."
        case .missingPath(let text):
            "“\(text)” names no device: say for example serial:/dev/ttyACM0."
        case .badPort(let port, let text):
            "“\(port)” in “\(text)” is not a port: give a number from 1 to 65535."
        case .badBaud(let baud, let text):
            "“\(baud)” in “\(text)” is not a line speed: give for example 4800, 9600 or 115200."
        case .bareIPv6(let text):
            "“\(text)” has too many colons: put an IPv6 address in brackets, as in gpsd:[::1]:2947."
        case .openBracket(let text):
            "“\(text)” has a bracket out of place: write an IPv6 host as in gpsd:[::1]:2947."
        }
    }
}
