import Geodesy

#if canImport(Glibc)
import Glibc
#endif

/// Meters between two knots by the speed field: trapezoids of the speed, 0 where still.
enum Odometer {
    static func meters(from a: Knot, to b: Knot) -> Double {
        guard case .plain = b.link else { return 0 }
        return 0.5 * ((a.isMoving ? a.speed : 0) + (b.isMoving ? b.speed : 0)) * (b.time - a.time)
    }

    /// Speed of knot `i` along the direction of travel, which the velocities on both sides give.
    ///
    /// Noise and sway across the course lengthen a speed; projected, they do not. In bends the direction
    /// is not known that well, and the answer is `nil`.
    ///
    /// - Parameter velocity: Of a knot: by the speed field, or smoothed where there is none.
    static func along(_ knots: [Knot], at i: Int, velocity: (Int) -> Plane) -> Double? {
        along(knots, at: i, Tuning.wide, velocity) ?? along(knots, at: i, Tuning.narrow, velocity)
    }

    private static func along(
        _ knots: [Knot],
        at i: Int,
        _ window: (reach: Double, bend: Double, middle: Double),
        _ velocity: (Int) -> Plane
    ) -> Double? {
        let here = knots[i]
        let own = velocity(i)
        var before = Plane.zero, after = Plane.zero
        var left = 0.0, right = 0.0
        // Pairs, so that sway that alternates from fix to fix is not taken for bends.
        var net = Plane.zero
        var long = 0.0
        func pair(_ a: Plane, _ b: Plane) {
            net += a + b
            long += (a + b).length
        }
        var j = i
        while j > 0, case .plain = knots[j].link, here.time - knots[j - 1].time <= window.reach {
            j -= 1
            guard knots[j].isMoving, knots[j].isPositionOnly == here.isPositionOnly else { break }
            before += velocity(j)
            pair(velocity(j), velocity(j + 1))
            left += 1
        }
        j = i
        while j + 1 < knots.count, case .plain = knots[j + 1].link,
            knots[j + 1].time - here.time <= window.reach
        {
            j += 1
            guard knots[j].isMoving, knots[j].isPositionOnly == here.isPositionOnly else { break }
            after += velocity(j)
            pair(velocity(j), velocity(j - 1))
            right += 1
        }
        guard left >= 2, left == right else { return nil }
        let turned = abs(
            atan2(before.east * after.north - before.north * after.east, before.dot(after))
        )
        guard turned < window.bend, net.length > Tuning.straight * long else { return nil }
        let way = (before + after) * ((1 - window.middle) / (left + right)) + own * window.middle
        let length = way.length
        guard length > 0.7 else { return nil }
        return max(0, own.dot(way) / length)
    }
}
