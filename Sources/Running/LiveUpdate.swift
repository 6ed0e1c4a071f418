package import Geodesy
package import Positioning

/// What the screen shows after a fix. It never depends on later fixes.
package struct LiveUpdate: Sendable {
    package var time: UTC
    /// Causally filtered.
    package var coordinate: Coordinate
    /// The live pace's own speed, meters a second; 0 while still.
    package var speed: Double
    /// Seconds a kilometer; `nil` below 0.5 m/s.
    package var pace: Double? { speed >= 0.5 ? 1000 / speed : nil }
    /// Meters so far, never falling.
    package var distance: Double
    package var isMoving: Bool
    /// True when the innovation gate kept the position out of the filter.
    package var isOutlier: Bool
    /// The gap that this fix ended, if one did.
    package var gap: Gap?
}
