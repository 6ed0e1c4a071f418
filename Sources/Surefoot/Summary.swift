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
    /// Meters climbed; `nil` without heights.
    public var ascent: Double?
    /// The receiver's speed was good enough for the whole run; `nil` if it told none.
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
        /// What the screen showed and the best answer differ by over 1 %.
        case disagreeLiveFinal = "disagree_live_final"
        /// The receiver's speed read low by over 1 %, and was put right by the positions.
        case speedLow = "speed_low"
    }

    /// Share of the distance by which live and final may differ, and meters.
    static let disagreement = 0.01
    static let leastDisagreement = 10.0
    /// Share by which a speed field reads low before it is told.
    static let lowSpeed = 0.01

    /// Seconds a kilometer in motion; `nil` if not a meter was run.
    public var pace: Double? {
        distance >= 1 && movingTime > 0 ? movingTime / distance * 1000 : nil
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
        ascent = runner.climbed
        isSpeedFieldTrusted = answer.isSpeedTrusted
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
        let difference = abs(liveDistance - distance)
        if difference > max(Self.disagreement * distance, Self.leastDisagreement) {
            flags.append(.disagreeLiveFinal)
        }
        if let shortfall = answer.speedShortfall,
            shortfall > Self.lowSpeed || answer.lostTrust
        {
            flags.append(.speedLow)
        }
    }
}
