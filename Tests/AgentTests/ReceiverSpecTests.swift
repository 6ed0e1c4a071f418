import SurefootAgent
import Testing

@Suite("Receiver spec")
struct ReceiverSpecTests {
    /// Forms from CLI.md, with what the full form is by hand.
    @Test(
        "Every form of --from is understood, and its full form means the same",
        arguments: [
            ("auto", ReceiverSpec.auto, "auto"),
            ("-", .standardInput, "-"),
            ("gpsd", .gpsd(host: "127.0.0.1", port: 2947), "gpsd:127.0.0.1:2947"),
            ("gpsd:pi", .gpsd(host: "pi", port: 2947), "gpsd:pi:2947"),
            ("gpsd:pi:3000", .gpsd(host: "pi", port: 3000), "gpsd:pi:3000"),
            ("gpsd:[::1]", .gpsd(host: "::1", port: 2947), "gpsd:[::1]:2947"),
            ("tcp:[fe80::1%eth0]:10110", .tcp(host: "fe80::1%eth0", port: 10110), nil),
            ("tcp:boat:10110", .tcp(host: "boat", port: 10110), "tcp:boat:10110"),
            ("udp:10110", .udp(port: 10110), "udp:10110"),
            ("serial:/dev/ttyACM0", .serial(path: "/dev/ttyACM0", baud: nil), nil),
            ("serial:/dev/ttyS0@4800", .serial(path: "/dev/ttyS0", baud: 4800), nil),
            ("serial:/dev/a@b/c", .serial(path: "/dev/a@b/c", baud: nil), nil),
            ("park.nmea", .file(path: "park.nmea"), "park.nmea"),
            ("./auto", .file(path: "./auto"), nil),
        ] as [(String, ReceiverSpec, String?)]
    )
    func understood(text: String, spec: ReceiverSpec, full: String?) throws {
        let parsed = try ReceiverSpec(parsing: text)
        #expect(parsed == spec)
        #expect(parsed.description == full ?? text)
        #expect(try ReceiverSpec(parsing: parsed.description) == spec)
    }

    @Test(
        "Wrong usage is named",
        arguments: [
            ("", .empty),
            ("gpsd:", .missingHost("gpsd:")),
            ("gpsd:::1", .bareIPv6("gpsd:::1")),
            ("gpsd:[::1", .openBracket("gpsd:[::1")),
            ("tcp:boat", .missingPort("tcp:boat")),
            ("tcp:boat:", .missingPort("tcp:boat:")),
            ("tcp:boat:+1", .badPort("+1", in: "tcp:boat:+1")),
            ("udp:65536", .badPort("65536", in: "udp:65536")),
            ("udp:0", .badPort("0", in: "udp:0")),
            ("serial:", .missingPath("serial:")),
            ("serial:/dev/ttyS0@fast", .badBaud("fast", in: "serial:/dev/ttyS0@fast")),
            ("serial:/dev/ttyS0@9601", .badBaud("9601", in: "serial:/dev/ttyS0@9601")),
        ] as [(String, SpecFault)]
    )
    func refused(text: String, fault: SpecFault) {
        #expect(throws: fault) { try ReceiverSpec(parsing: text) }
        #expect(fault.message.hasSuffix("."))
        #expect(fault.exitStatus == 2)
    }
}
