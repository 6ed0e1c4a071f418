package import GPSD
import NMEA0183
import Positioning

/// The whole path of the data on one page.
///
///     bytes → sentences → epoch → fix → gate → filter → odometer, pace → events
///     └──────── Decoder ───────┘        └───────────── Runner ─────────────┘
///
/// A line is a value: it reads no clock and no file. A live receiver and a capture run through the
/// same line, and give the same events, however their bytes were cut into blocks.
public struct Line: Sendable {
    private var decoder: Decoder
    private var runner: Runner
    private let settings: LineSettings

    public init(_ settings: LineSettings = LineSettings()) {
        self.init(settings, format: nil)
    }

    /// A line for a source that sends `format`; `nil`: it is found from the bytes.
    package init(
        _ settings: LineSettings,
        format: CaptureFormat?,
        isLive: Bool = false,
        blockSize: Int = 128 * 1024
    ) {
        self.settings = settings
        decoder = Decoder(
            format: format,
            settings: settings,
            blockSize: blockSize,
            isLive: isLive
        )
        runner = Runner(settings)
    }

    /// Bytes taken so far.
    public var byteCount: Int64 { decoder.total }

    /// Lets `read` put the next bytes into free room, and takes as many as it says.
    ///
    /// Then ``drain(_:)``.
    public mutating func fill<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        try decoder.fill(read)
    }

    /// Hands over what the bytes so far tell.
    public mutating func drain(_ body: (borrowing Event) -> Void) {
        Self.drain(&decoder, &runner, isLast: false, body)
    }

    /// The source ends: what is open is taken as it stands.
    public mutating func finish(_ body: (borrowing Event) -> Void) {
        Self.drain(&decoder, &runner, isLast: true, body)
        runner.finish(body)
    }

    /// The source breaks off and will go on: what is open is taken as it stands, the track breaks.
    public mutating func interrupt(_ cause: Gap.Cause, _ body: (borrowing Event) -> Void) {
        Self.drain(&decoder, &runner, isLast: true, body)
        runner.interrupt(cause, offset: decoder.total, body)
    }

    /// The source went over to another file of the same run: nothing is lost, a sentence that was
    /// open is cut short.
    package mutating func endFile(_ body: (borrowing Event) -> Void) {
        Self.drain(&decoder, &runner, isLast: true, body)
    }

    /// Receiver time is at least so far, says a clock: the line tells what that means.
    package mutating func pass(_ time: UTC, _ body: (borrowing Event) -> Void) {
        runner.pass(time, body)
    }

    /// Seconds after the latest fix at which ``pass(_:_:)`` would tell something; `nil`: never.
    package var nextSilence: Double? { runner.nextSilence }

    /// What the source sends; `nil` while the bytes do not tell.
    package var format: CaptureFormat? { decoder.format }

    /// What gpsd's stream had that a person should know, since the last call.
    package mutating func takeNotes() -> [GPSDNote] { decoder.takeNotes() }

    /// Why the source cannot be read on this host; `nil` if it can.
    package var fault: LibraryFault? { decoder.fault }

    /// Something in the source was understood.
    package var isUnderstood: Bool { decoder.isUnderstood }

    /// Frames of u-blox's binary protocol were seen.
    package var hasFrames: Bool { (decoder.nmea?.splitter.bytes.ubx ?? 0) > 0 }

    /// The run so far, in figures.
    public var summary: Summary { Summary(decoder, runner, settings) }

    private static func drain(
        _ decoder: inout Decoder,
        _ runner: inout Runner,
        isLast: Bool,
        _ body: (borrowing Event) -> Void
    ) {
        if isLast {
            decoder.finish { runner.take($0, body) }
        } else {
            decoder.drain { runner.take($0, body) }
        }
    }
}
