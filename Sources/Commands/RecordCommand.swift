import Glibc
import Positioning
import Surefoot
import SurefootAgent

extension Command {
    static let record = Command(
        name: "record",
        arguments: "",
        argumentCount: 0...0,
        summary: "Records a run now. It ends by q, Ctrl-C or SIGTERM, and is saved.",
        options: [
            Option(
                name: "from",
                value: "SOURCE",
                help: """
                    auto (the default), gpsd[:HOST[:PORT]], serial:PATH[@BAUD], tcp:HOST:PORT, \
                    udp:PORT, a capture file, or - for standard input.
                    """
            ),
            Option(
                name: "out",
                value: "DIR",
                help: "Folder of runs; the default is surefoot/runs under $XDG_DATA_HOME."
            ),
            Option(name: "name", value: "TEXT", help: "Name of the run, for its track."),
            Option(name: "for", value: "30m", help: "End after so many s, m or h."),
            Option(name: "wait", value: nil, help: "Wait for a receiver that is not there yet."),
            Option(name: "unit", value: "km|mi", help: "Unit of the splits; km is the default."),
            Option(
                name: "not-before",
                value: "DATE|none",
                help: """
                    NMEA dates before it gain 1024 weeks until they are past it; the default is the \
                    day this version was made.
                    """
            ),
            Option(name: "json", value: nil, help: "Print every event as a line of JSON."),
            Option(name: "plain", value: nil, help: "Print a line for each split, no live line."),
        ],
        examples: [
            "surefoot record",
            "surefoot record --from serial:/dev/ttyACM0@9600 --name 'Sunday run'",
            "surefoot record --from gpsd --for 30m --json",
        ],
        run: { arguments in
            do throws(UsageFault) {
                return try RecordCommand.run(arguments)
            } catch {
                Output.error.write("surefoot: \(error.message) Try: surefoot help record\n")
                return ExitStatus.usage
            }
        }
    )
}

/// `surefoot record`.
enum RecordCommand {
    static func run(_ arguments: Arguments) throws(UsageFault) -> Int32 {
        let spec: ReceiverSpec
        do throws(SpecFault) {
            spec = try ReceiverSpec(parsing: arguments["from"] ?? "auto")
        } catch {
            throw UsageFault(message: error.message)
        }
        var line = LineSettings()
        line.unit = try arguments.choice("unit", default: .kilometer)
        line.notBefore =
            switch arguments["not-before"] {
            case nil: Version.buildDate
            case "none": nil
            default: try arguments.date("not-before")
            }
        line.talliesSatellites = arguments.has("json")
        line.dateFallback = .nearHostTime(HostClock.now)
        if case .file(let path) = spec, let file = try? CaptureFile(path: path) {
            line.dateFallback = file.dateFallback
        }
        let settings = Recording.Settings(
            line: line,
            parent: try arguments.path("out") ?? RunFolder.standardParent,
            name: arguments["name"],
            duration: try arguments.duration("for"),
            waits: arguments.has("wait")
        )
        let view = view(arguments, unit: line.unit)
        Output.standard.isPatient = false
        defer { Output.standard.finish(within: 2000) }
        do throws(SourceFault) {
            guard let receiver = try receiver(spec, waits: settings.waits, view) else {
                return ExitStatus.done
            }
            let outcome = Recording(receiver: receiver, settings: settings, view: view).run()
            guard outcome.exitStatus == ExitStatus.done, let summary = outcome.summary else {
                if outcome.folder == nil, view is JSONLinesView {
                    view.end(Line(line).summary, isSaved: false)
                }
                return outcome.exitStatus
            }
            return Verdict.tell(summary, isFile: !receiver.isLive)
        } catch {
            view.fail(.source, error.message)
            if view is JSONLinesView { view.end(Line(line).summary, isSaved: false) }
            return error.exitStatus
        }
    }

    /// The receiver named; `nil` if a signal came while one was waited for.
    private static func receiver(
        _ spec: ReceiverSpec,
        waits: Bool,
        _ view: any RecordingView
    ) throws(SourceFault) -> (any Receiver)? {
        guard waits, spec == .auto else { return try spec.makeReceiver() }
        let signals = Signals()
        defer { signals.restore() }
        var hasTold = false
        while true {
            do throws(SourceFault) {
                return try spec.makeReceiver()
            } catch {
                if !hasTold { view.device(.noDevice, spec.description, reason: error.message) }
                hasTold = true
            }
            var waiting = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, 1000) > 0 { return nil }
        }
    }

    private static func view(
        _ arguments: Arguments,
        unit: LineSettings.Unit
    ) -> any RecordingView {
        if arguments.has("json") { return JSONLinesView() }
        let isLive = isatty(1) != 0 && !arguments.has("plain")
        return TerminalView(isLive: isLive, unit: unit)
    }
}
