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
    public var splits: [Split]
    public var lastPartial: Split?
    public var segments: Int
    public var gaps: [Gap]
    public var isDateCorrected: Bool
    public var flags: [Flag]

    public enum Flag: String, Sendable {
        case dateFromFile = "date_from_file"
        case dateFromHost = "date_from_host"
    }

    /// Seconds a kilometer in motion; `nil` if nothing was run.
    public var pace: Double? {
        distance > 0 && movingTime > 0 ? movingTime / distance * 1000 : nil
    }

    init(_ decoder: Decoder, _ runner: Runner, _ settings: LineSettings) {
        let figures = runner.figures
        let answer = runner.answer
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
        outliers = figures.outliers
        first = figures.first
        last = figures.last
        pathLength = figures.path
        liveDistance = figures.distance
        distance = answer.distance
        bridgesGaps = settings.bridgesGaps
        bridged = figures.bridged
        elapsedTime = figures.elapsed
        movingTime = answer.movingTime
        splits = answer.splits
        lastPartial = answer.lastPartial
        segments = figures.segments
        gaps = figures.gaps
        isDateCorrected = decoder.nmea?.dates.hasCorrected ?? false
        flags = []
        if decoder.nmea?.dates.usedFallback ?? false {
            switch settings.dateFallback {
            case .nearFileTime: flags.append(.dateFromFile)
            case .nearHostTime: flags.append(.dateFromHost)
            case .on, nil: break
            }
        }
    }
}
