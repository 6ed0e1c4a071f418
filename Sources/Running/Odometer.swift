package import Positioning

/// Adds up the length of the way run, in meters along the WGS 84 ellipsoid.
///
/// Standing still adds nothing, and a hole between two fixes that is too long to be filled adds
/// what the caller says was bridged.
package struct Odometer: Sendable {
    /// Meters a second below which a runner stands.
    static let stillSpeed = 0.5

    /// Meters since the start.
    package private(set) var distance = 0.0
    /// Seconds in which the runner moved.
    package private(set) var movingTime = 0.0

    private var last: UTC?

    package init() {}

    /// What one fix added, and how the runner moves.
    package struct Advance: Sendable {
        /// Meters a second, 0 when still; `nil` if not known yet.
        package var speed: Double?
        package var isMoving: Bool
    }

    /// Takes the next accepted fix that goes on from the one before, so many meters away.
    package mutating func step(_ fix: Fix, way: Double) -> Advance {
        defer { last = fix.time }
        guard let last else { return Advance(speed: fix.speed, isMoving: true) }
        let seconds = fix.time.seconds(since: last)
        let speed = fix.speed ?? way / seconds
        guard speed >= Self.stillSpeed else { return Advance(speed: 0, isMoving: false) }
        distance += way
        movingTime += seconds
        return Advance(speed: speed, isMoving: true)
    }

    /// Takes the first fix behind a gap, over which so many meters are credited.
    package mutating func resume(at fix: Fix, bridging meters: Double) -> Advance {
        if let last, meters > 0 {
            distance += meters
            movingTime += fix.time.seconds(since: last)
        }
        last = fix.time
        return Advance(speed: fix.speed, isMoving: true)
    }
}
