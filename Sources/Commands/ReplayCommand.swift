import Glibc
import Positioning
import Surefoot
import SurefootAgent
import Tracks

extension Command {
    static let replay = Command(
        name: "replay",
        arguments: "FILE…",
        argumentCount: 1...Int.max,
        summary: "Plays captures through the same line as a live receiver.",
        options: [
            Option(name: "gpx", value: "OUT", help: "Write the track as GPX 1.1."),
            Option(
                name: "track",
                value: "smoothed|raw",
                help: "Which positions the GPX takes; smoothed is the default."
            ),
            Option(
                name: "bridge",
                value: "yes|no",
                help: "Credit gaps without a fix with what was surely run; yes is the default."
            ),
            Option(name: "unit", value: "km|mi", help: "Unit of the splits; km is the default."),
            Option(
                name: "not-before",
                value: "DATE",
                help: "NMEA dates before it gain 1024 weeks until they are past it."
            ),
            Option(
                name: "date",
                value: "DATE",
                help: "Day of the first fix, for captures that tell no date."
            ),
            Option(
                name: "speed",
                value: "max|N",
                help: "Pace it N times real time; max is the default."
            ),
            Option(name: "json", value: nil, help: "Print the summary as one JSON object."),
            Option(
                name: "samples",
                value: nil,
                help: "With --json: one entry for each accepted fix, as shown live."
            ),
            Option(name: "json-lines", value: nil, help: "Print every event as a line of JSON."),
        ],
        examples: [
            "surefoot replay park.nmea",
            "surefoot replay --gpx park.gpx --json park.nmea.gz",
            "surefoot replay --date 2026-11-14 --json-lines - < gga-only.nmea",
        ],
        run: { arguments in
            do throws(UsageFault) {
                return try ReplayCommand(arguments).run()
            } catch {
                Output.error.write("surefoot: \(error.message) Try: surefoot help replay\n")
                return ExitStatus.usage
            }
        }
    )
}

/// `surefoot replay`.
struct ReplayCommand {
    private let paths: [String]
    private let gpx: String?
    private let prints: Prints
    private let settings: LineSettings
    private let arguments: Arguments
    /// Times real time; `nil`: as fast as can be.
    private let speed: Double?

    init(_ arguments: Arguments) throws(UsageFault) {
        paths = arguments.positional
        guard !paths.contains("") else { throw UsageFault(message: "A FILE is empty.") }
        let gpx = try arguments.path("gpx")
        self.gpx = gpx == "-" ? "/dev/stdout" : gpx
        prints =
            if arguments.has("json-lines") {
                .lines
            } else if arguments.has("samples") {
                .samples
            } else {
                arguments.has("json") ? .json : .text
            }
        speed = try arguments.speed("speed")
        var settings = LineSettings()
        try Self.apply(arguments, to: &settings)
        self.settings = settings
        self.arguments = arguments
    }

    /// Options that were given stand above what a run folder had in force.
    private static func apply(
        _ arguments: Arguments,
        to settings: inout LineSettings
    ) throws(UsageFault) {
        settings.track = try arguments.choice("track", default: settings.track)
        settings.unit = try arguments.choice("unit", default: settings.unit)
        settings.bridgesGaps = try arguments.isYes("bridge", default: settings.bridgesGaps)
        settings.notBefore = try arguments.date("not-before") ?? settings.notBefore
        if let date = try arguments.date("date") { settings.dateFallback = .on(date) }
        settings.talliesSatellites = arguments.has("json-lines")
    }

    func run() -> Int32 {
        do {
            return try play()
        } catch let fault as SourceFault {
            Output.error.write("surefoot: \(fault.message)\n")
        } catch let fault as SinkFault {
            Output.error.write("surefoot: \(fault.message)\n")
        } catch {
            Output.error.write("surefoot: \(error)\n")
        }
        return ExitStatus.failed
    }

    private func play() throws -> Int32 {
        let sink = ReplaySink(prints)
        sink.speed = speed
        let captures: [Capture]
        do {
            captures = try paths.map { path in try Capture(path: path) }
            if let gpx {
                for path in paths where GPXFile.isSame(gpx, path) {
                    throw SinkFault(path: gpx, errno: EEXIST)
                }
                let name = captures.first?.log?.settings.name
                sink.gpx = try GPXFile(path: gpx, name: name, creator: Version.software)
            }
        } catch {
            // Whoever reads lines has the first and the last one whatever happens.
            if prints == .lines { try sink.end(Line(settings).summary) }
            Output.standard.flush()
            throw error
        }
        var settings = settings
        if let log = captures.first?.log {
            settings = log.settings.line
            try Self.apply(arguments, to: &settings)
        }
        settings.dateFallback = settings.dateFallback ?? captures.first?.file?.dateFallback
        var line = Line(settings, format: captures.first?.format)
        var damage: (any Error)?
        for capture in captures {
            let notes = capture.log?.entries ?? []
            do throws(SourceFault) {
                try CapturePlayer.play(capture.file, notes: notes, into: &line, sink.take)
            } catch {
                // What could be read is told all the same.
                damage = damage ?? error
            }
        }
        line.finish(sink.take)
        Notes.tell(line.takeNotes())
        damage = damage ?? line.fault
        var summary = line.summary
        summary.source = captures.map(\.source).joined(separator: " ")
        try sink.end(summary)
        if let damage {
            Output.standard.flush()
            throw damage
        }
        return status(of: summary)
    }

    private func status(of summary: Summary) -> Int32 {
        guard Output.standard.flush() else {
            if Output.standard.fault != EPIPE {
                let fault = SinkFault(path: "the output", errno: Output.standard.fault ?? EIO)
                Output.error.write("surefoot: \(fault.message)\n")
            }
            return ExitStatus.failed
        }
        return Verdict.tell(summary, isFile: true)
    }
}

/// What `replay` prints.
enum Prints { case text, json, samples, lines }

/// Takes the events of a replayed capture to standard output and into the GPX.
final class ReplaySink {
    var gpx: GPXFile?
    /// Times real time; `nil`: as fast as can be.
    var speed: Double?
    private let prints: Prints
    private var text = TextBuffer(capacity: 80 * 1024)
    private var pacer: Pacer?
    private var hasBegun = false
    private var hasSample = false

    init(_ prints: Prints) {
        self.prints = prints
        if prints == .samples { text.text("{\"samples\": [") }
    }

    /// The first line; its time is that of what comes first, so that a replay is the same each time.
    private func begin(_ time: UTC?) {
        guard prints == .lines, !hasBegun else { return }
        hasBegun = true
        text.text("{\"event\": \"state\"")
        if let time { text.member("time", time) }
        text.text(", \"device\": \"file\", \"recording\": false}\n")
    }

    func take(_ event: borrowing Event) {
        if let speed, case .fix(let fix, _) = event.kind { wait(for: fix.time, at: speed) }
        switch prints {
        case .lines, .samples: write(event)
        case .json, .text: break
        }
        if case .point(let fix, let coordinate, let opensSegment) = event.kind {
            gpx?.add(GPXWriter.Point(fix, at: coordinate), opensSegment: opensSegment)
        }
    }

    private func write(_ event: borrowing Event) {
        if prints == .lines {
            begin(event.time)
            text.line(event)
        } else if case .fix(let fix, let live) = event.kind {
            if hasSample { text.text(", ") }
            hasSample = true
            text.sample(fix, live)
        }
        if text.count > 64 * 1024 { flush() }
    }

    func end(_ summary: Summary) throws(SinkFault) {
        begin(nil)
        switch prints {
        case .json:
            text.open("{")
            text.members(of: summary)
            text.text("}\n")
        case .samples:
            text.text("]")
            text.members(of: summary)
            text.text("}\n")
        case .lines:
            text.text("{\"event\": \"summary\"")
            if let last = summary.last { text.member("time", last.time) }
            text.members(of: summary)
            text.text("}\n")
        case .text: text.report(summary)
        }
        flush()
        try gpx?.finish()
    }

    private func wait(for time: UTC, at speed: Double) {
        flush()
        Output.standard.flush()
        let pacer = pacer ?? Pacer(start: time, speed: speed)
        pacer.wait(for: time)
        self.pacer = pacer
    }

    private func flush() {
        Output.standard.write(text.bytes)
        text.clear()
    }
}
