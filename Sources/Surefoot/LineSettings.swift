@_exported public import Geodesy
@_exported public import Positioning
@_exported public import Running

/// What a line is told before the first byte; nothing else steers it.
public struct LineSettings: Hashable, Sendable {
    public enum Unit: String, CaseIterable, Hashable, Sendable {
        case kilometer = "km"
        case mile = "mi"

        /// Length in meters.
        public var meters: Double {
            switch self {
            case .kilometer: 1000
            case .mile: 1609.344
            }
        }
    }

    public enum TrackKind: String, CaseIterable, Hashable, Sendable {
        /// Positions smoothed after the run.
        case smoothed
        /// Positions as received.
        case raw
    }

    /// NMEA dates before this day gain 1024 weeks until they are past it; `nil`: dates stand.
    public var notBefore: CivilDate?
    /// For captures in which no sentence has a date.
    public var dateFallback: DateFallback?
    /// Unit of the splits.
    public var unit = Unit.kilometer
    /// Gaps without a fix are credited with what was surely run.
    public var bridgesGaps = true
    /// Which positions the track takes.
    public var track = TrackKind.smoothed
    /// Satellites are told by constellation with every fix.
    public var talliesSatellites = false

    public init() {}
}
