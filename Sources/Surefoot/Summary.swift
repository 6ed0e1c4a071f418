import GPSD
import NMEA0183

/// A run in figures: all that `summary.json` holds.
public struct Summary: Sendable {
    /// Base name, `-`, or the receiver's name.
    public var source = ""
    public var byteCount: Int64
    public var bytes: ByteCounts
    /// For an NMEA source.
    public var sentences: SentenceCounts?
    /// For a gpsd source.
    public var reports: ReportCounts?
    /// Something in the source was understood.
    public var isUnderstood: Bool

    /// Distinct receiver times, and those that came twice or without a time.
    public var epochs: Int
    public var accepted: Int
    public var rejected: [Rejection: Int]
    /// Fixes that the filter did not believe; they count as accepted.
    public var outliers: Int
    /// As received.
    public var first: Fix?
    public var last: Fix?

    /// Meters: the plain sum over accepted fixes, what the screen showed, the best answer.
    public var pathLength: Double
    public var liveDistance: Double
    public var distance: Double
    public var bridgesGaps: Bool
    public var bridged: Double
    /// Seconds from the first accepted fix to the last, and of it in motion.
    public var elapsedTime: Double
    public var movingTime: Double
    /// Meters climbed; `nil` without altitudes.
    public var ascent: Double?
    /// Whether distance rests on the receiver's speed field as it stands; `nil` before the end.
    public var isSpeedFieldTrusted: Bool?
    public var splits: [Split]
    public var lastPartial: Split?
    public var segments: Int
    public var gaps: [Gap]
    public var isDateCorrected: Bool
    public var flags: [Flag]

    public enum Flag: String, Sendable {
        case dateFromFile = "date_from_file"
        case dateFromHost = "date_from_host"
        /// The screen showed over 1 % more or less than the best answer after the run.
        case disagreeLiveFinal = "disagree_live_final"
        /// The receiver's speed field read low; positions put it right.
        case speedLow = "speed_low"
    }

    /// Meters below which live and final may differ by what one stop is worth.
    private static let shortRun = 200.0

    /// Seconds a kilometer in motion; `nil` if nothing was run.
    public var pace: Double? {
        distance > 0 && movingTime > 0 ? movingTime / distance * 1000 : nil
    }

    init(_ decoder: Decoder, _ runner: Runner, _ settings: LineSettings) {
        let figures = runner.figures
        byteCount = decoder.total
        bytes = decoder.nmea?.splitter.bytes ?? decoder.gpsd?.bytes ?? ByteCounts()
        sentences = decoder.nmea?.splitter.sentences
        reports = decoder.gpsd?.reports
        isUnderstood = decoder.isUnderstood
        epochs = figures.epochs
        accepted = figures.accepted
        rejected = [:]
        for reason in Rejection.allCases where figures.rejected[reason.index] > 0 {
            rejected[reason] = figures.rejected[reason.index]
        }
        first = figures.first
        last = figures.last
        pathLength = figures.path
        liveDistance = figures.liveDistance
        bridgesGaps = settings.bridgesGaps
        elapsedTime = figures.elapsed
        segments = figures.segments
        // Before the end of a run its live figures are the best there is.
        let answer = runner.answer
        outliers = answer?.outliers ?? 0
        distance = answer?.distance ?? figures.liveDistance
        bridged = answer?.bridged ?? 0
        movingTime = answer?.moving ?? figures.liveMovingTime
        ascent = figures.hasAltitude ? answer?.ascent : nil
        splits = answer?.splits ?? runner.splits.whole
        lastPartial = answer == nil ? runner.splits.partial : answer?.lastPartial
        gaps = answer?.gaps ?? []
        isSpeedFieldTrusted = answer?.isSpeedFieldTrusted
        isDateCorrected = decoder.nmea?.dates.hasCorrected ?? false
        flags = []
        if let answer, abs(answer.liveDistance - answer.distance) > 0.01 * answer.distance,
            answer.distance > Self.shortRun
        {
            flags.append(.disagreeLiveFinal)
        }
        if let scale = answer?.speedScale, max(scale.slow, scale.fast) > 1.015 {
            flags.append(.speedLow)
        }
        if decoder.nmea?.dates.usedFallback ?? false {
            switch settings.dateFallback {
            case .nearFileTime: flags.append(.dateFromFile)
            case .nearHostTime: flags.append(.dateFromHost)
            case .on, nil: break
            }
        }
    }
}
