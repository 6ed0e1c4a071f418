import Positioning

/// Adds up the meters climbed.
///
/// Heights of a receiver wander by meters: they are smoothed, and a climb counts once it is higher
/// than ``least``. What they do while the runner stands counts nothing.
package struct Ascent: Sendable {
    /// Meters a climb, or a descent between two, must have.
    static let least = 3.0
    /// Time constant of the smoothing, in seconds.
    static let time = 10.0

    /// Meters; `nil` without heights.
    package private(set) var climbed: Double?

    private var height = 0.0
    private var offset = 0.0
    private var extreme = 0.0
    private var isClimbing = false
    private var fading = Fading(time: Self.time)

    package init() {}

    /// Takes a height, so many seconds after the one before.
    package mutating func step(_ altitude: Double, seconds: Double, isMoving: Bool) {
        guard let before = climbed else {
            climbed = 0
            height = altitude
            extreme = altitude
            return
        }
        guard isMoving else {
            // The height that the runner keeps is the one at which he stopped.
            offset = height - altitude
            return
        }
        height += (altitude + offset - height) * (1 - fading.kept(after: max(0, seconds)))
        if isClimbing {
            if height > extreme {
                climbed = before + height - extreme
                extreme = height
            } else if height < extreme - Self.least {
                isClimbing = false
                extreme = height
            }
        } else if height < extreme {
            extreme = height
        } else if height > extreme + Self.least {
            isClimbing = true
            climbed = before + height - extreme
            extreme = height
        }
    }
}
