import Geodesy

#if canImport(Glibc)
import Glibc
#endif

/// Learns the white noise of the speed field from second differences, which a steady runner has none of.
///
/// Along and across the course apart: only the noise across lengthens the speed, and there a runner's
/// sway counts as noise, rightly.
struct SpeedNoise {
    private var last: (Sample, Sample)?
    private var alongVariance = 0.0144
    private var acrossVariance = 0.0144
    private var count = 0.0
    private struct Sample {
        var time: Double
        var speed: Double
        var velocity: Plane?
    }

    /// Standard deviations, meters a second.
    var along: Double { min(max(alongVariance.squareRoot(), 0.02), 0.6) }
    var across: Double { min(max(acrossVariance.squareRoot(), 0.02), 0.6) }

    mutating func step(time: Double, speed: Double, velocity: Plane?) {
        let new = Sample(time: time, speed: speed, velocity: velocity)
        guard let (b, a) = last else {
            last = (new, new)
            return
        }
        defer { last = (new, b) }
        let left = b.time - a.time, right = time - b.time
        guard left > 0, right > 0, right < 2.5, left < 2.5, speed > 0 else { return }
        count += 1
        let share = max(1 / (count + 8), right / 60)
        let d = speed - 2 * b.speed + a.speed
        alongVariance += (min(d * d / 6, 6 * alongVariance) - alongVariance) * share
        guard let u = a.velocity, let v = b.velocity, let w = velocity, b.speed > 1 else { return }
        let before = u.east * v.north - u.north * v.east
        let after = v.east * w.north - v.north * w.east
        // In a bend the second difference is the bend.
        let bend = 0.35 * b.speed * b.speed
        guard abs(before) < bend, abs(after) < bend else { return }
        let c = (after - before) / b.speed
        acrossVariance += (min(c * c / 6, 6 * acrossVariance) - acrossVariance) * share
    }
}
