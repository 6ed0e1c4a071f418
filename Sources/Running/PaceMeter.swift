#if canImport(Glibc)
import Glibc
#endif

/// The speed to show: quiet in steady running, at the new speed within 3 s of a change.
struct PaceMeter {
    private(set) var speed = 0.0
    private var previous = 0.0
    private var surprise = 0.0
    private var surprises = 0

    /// - Parameter noise: White noise of `new`, meters a second.
    mutating func step(_ new: Double, after seconds: Double, noise: Double) {
        defer { previous = new }
        if new <= 0 {
            speed = 0
            surprises = 0
        } else if speed <= 0.3 {
            speed = new
            surprises = 0
        } else {
            let residual = new - speed
            if abs(residual) > max(0.35, 2.2 * noise) {
                surprises = residual * surprise > 0 ? surprises + 1 : 1
                surprise = residual
            } else {
                surprises = 0
            }
            if surprises >= 2 {
                speed = (new + previous) / 2
                surprises = 0
            } else {
                speed +=
                    residual * (1 - exp(-seconds / Tuning.paceTime)) * (surprises == 0 ? 1 : 0.7)
            }
        }
    }
}
