package import Geodesy

/// All that a receiver said for one instant, joined; not yet judged.
package struct Epoch: Sendable {
    /// `nil` if the receiver gave no time, or none that is one.
    package var time: UTC?
    package var coordinate: Coordinate?
    package var altitude: Double?
    package var speed: Double?
    package var course: Double?
    package var hdop: Double?
    package var horizontalAccuracy: Double?
    package var satellitesUsed: Int?
    /// By constellation, as spoken of last; `nil` if nobody asked.
    package var satellites: Satellites?
    /// What the receiver's own words rule out: `field` to `duplicate`.
    package var rejection: Rejection?
    /// The date was moved by whole rollovers of the GPS week to lie past the floor.
    package var isDateCorrected = false
    /// The device was lost, or another took its place, since the epoch before.
    package var followsBreak = false
    /// Bytes of the source up to and with the sentence that closed this epoch.
    package var offset: Int64 = 0

    package init() {}

    /// The fix of an epoch that nothing rules out.
    package var fix: Fix? {
        guard let time, let coordinate, rejection == nil else { return nil }
        var fix = Fix(
            time: time,
            coordinate: coordinate,
            horizontalAccuracy: horizontalAccuracy ?? Accuracy.unknown
        )
        fix.altitude = altitude
        fix.speed = speed
        fix.course = course
        fix.hdop = hdop
        fix.satellitesUsed = satellitesUsed
        return fix
    }
}
