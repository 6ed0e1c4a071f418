public import Geodesy
public import Positioning
public import Running

/// Something the line found out, in the order in which it did.
public struct Event: Sendable {
    public enum Kind: Sendable {
        /// An accepted fix, and the run's figures with it.
        case fix(Fix, Live)
        case rejected(Rejection, time: UTC?, at: Coordinate?)
        /// No fix was accepted for twice the usual spacing, 2 s at least.
        case signalLost(UTC)
        case signalRegained(UTC)
        /// The track breaks; `from` is the time of the last fix.
        case gap(Gap.Cause, from: UTC)
        case gapEnd(Gap)
        case split(Split, number: Int, time: UTC)
        case paused(UTC)
        case resumed(UTC)
        /// A point of the track, for the file: its fix, and where the track draws it.
        case point(Fix, at: Coordinate, opensSegment: Bool)
    }

    public var kind: Kind

    /// Receiver time of what it tells; `nil` if the receiver gave none.
    public var time: UTC? {
        switch kind {
        case .fix(let fix, _), .point(let fix, _, _): fix.time
        case .rejected(_, let time, _): time
        case .signalLost(let time), .signalRegained(let time): time
        case .gap(_, let from): from
        case .gapEnd(let gap): gap.to
        case .split(_, _, let time), .paused(let time), .resumed(let time): time
        }
    }

    /// Bytes of the source up to and with what told it.
    public var offset: Int64
}

/// What a screen shows with a fix.
///
/// It rests on this fix and those before it, never on later ones.
public struct Live: Hashable, Sendable {
    /// Filtered position.
    public var coordinate: Coordinate
    /// Meters a second, 0 when still; `nil` if not known.
    public var speed: Double?
    /// Seconds a kilometer; `nil` below 0.5 m/s.
    public var pace: Double?
    /// Meters since the start.
    public var distance: Double
    public var isMoving: Bool
    /// Satellites by constellation, if the line was asked to count them.
    public var satellites: Satellites?
}
