public import Geodesy

/// A position with its time and quality at one epoch, as the receiver gave it.
public struct Fix: Hashable, Sendable {
    public var time: UTC
    public var coordinate: Coordinate
    /// Height above mean sea level, in meters.
    public var altitude: Double?
    /// Speed over ground, in meters a second, 0 or more.
    public var speed: Double?
    /// Course over ground, in degrees clockwise from true north, 0 to 360.
    public var course: Double?
    /// Horizontal dilution of precision, above 0.
    public var hdop: Double?
    /// Root mean square of the horizontal error (DRMS), in meters, above 0.
    ///
    /// A circle of this radius holds the true position 63 to 68 % of the time. Where it comes from:
    /// docs/decisions/accuracy-percentile.md.
    public var horizontalAccuracy: Double
    /// Satellites used, as counted by the receiver in the fix itself.
    public var satellitesUsed: Int?

    public init(time: UTC, coordinate: Coordinate, horizontalAccuracy: Double) {
        self.time = time
        self.coordinate = coordinate
        self.horizontalAccuracy = horizontalAccuracy
    }
}
