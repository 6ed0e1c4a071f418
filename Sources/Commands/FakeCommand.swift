import Surefoot
import SurefootAgent

extension Command {
    static let fake = Command(
        name: "fake",
        arguments: "FILE",
        argumentCount: 1...1,
        summary: "Plays a capture as a receiver, paced by the receiver's own times.",
        options: [
            Option(
                name: "gpsd",
                value: "PORT",
                help: "Be a gpsd on loopback instead of a receiver on a pseudo terminal.",
                isValueOptional: true
            ),
            Option(name: "loop", value: nil, help: "Start again at the end."),
            Option(name: "speed", value: "max|N", help: "N times real time; 1 is the default."),
            Option(
                name: "hangup",
                value: nil,
                help: "Hang up at the end, as an unplugged receiver does; else it stays, silent."
            ),
        ],
        examples: [
            "surefoot fake fixtures/park-run.nmea",
            "surefoot fake --speed 10 --loop fixtures/park-run.nmea",
            "surefoot fake --gpsd=2947 fixtures/gpsd-stream.jsonl",
        ],
        run: { arguments in
            do throws(UsageFault) {
                return try FakeCommand.run(arguments)
            } catch {
                Output.error.write("surefoot: \(error.message) Try: surefoot help fake\n")
                return ExitStatus.usage
            }
        }
    )
}

/// `surefoot fake`.
enum FakeCommand {
    static func run(_ arguments: Arguments) throws(UsageFault) -> Int32 {
        let path = arguments.positional[0]
        var options = FakeReceiver.Options(
            isLooping: arguments.has("loop"),
            hangsUp: arguments.has("hangup")
        )
        options.speed = arguments["speed"] == nil ? 1 : try arguments.speed("speed") ?? .infinity
        let port = try arguments.port("gpsd")
        let signals = Signals()
        defer { signals.restore() }
        do throws(SourceFault) {
            if arguments.has("gpsd") {
                try playGPSD(path, port: port ?? 2947, options, signals)
            } else {
                // A file that cannot be played is said before there is a receiver.
                _ = try CaptureScript(path: path)
                let fake = try FakeReceiver.onPTY()
                tell(fake.address)
                _ = try fake.play(options: options, stop: signals.descriptor) {
                    () throws(SourceFault) in try CaptureScript(path: path)
                }
            }
        } catch {
            Output.error.write("surefoot: \(error.message)\n")
            return error.exitStatus
        }
        return ExitStatus.done
    }

    private static func playGPSD(
        _ path: String,
        port: UInt16,
        _ options: FakeReceiver.Options,
        _ signals: Signals
    ) throws(SourceFault) {
        let script = try CaptureScript(path: path, isForGPSD: true)
        let fake = try FakeReceiver.onGPSD(
            port: port,
            handshake: script.handshake ?? FakeHandshake()
        )
        tell(fake.address)
        let isReports = script.format == .gpsd
        _ = try fake.play(options: options, stop: signals.descriptor) {
            () throws(SourceFault) -> any FakeScript in
            if isReports { return try CaptureScript(path: path, isForGPSD: true) }
            return try TPVScript(path: path)
        }
    }

    /// The first line of standard output is the address alone.
    private static func tell(_ address: String) {
        Output.standard.write(address + "\n")
        Output.standard.flush()
    }
}
