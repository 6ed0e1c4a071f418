/// One whole kilometer or mile.
public struct Split: Hashable, Sendable {
    /// Meters: the unit, or less for the last and partial one.
    public var distance: Double
    /// Seconds from the start of the split to its end, gaps and pauses included.
    public var time: Double
    /// Seconds of it in which the runner moved.
    public var movingTime: Double

    public init(distance: Double, time: Double, movingTime: Double) {
        self.distance = distance
        self.time = time
        self.movingTime = movingTime
    }
}

/// Cuts a run into whole units, each crossing interpolated between two fixes.
package struct Splits: Sendable {
    /// Meters: 1000, or 1609.344.
    package let unit: Double
    package private(set) var whole: [Split] = []

    private var start = Mark()
    private var last = Mark()
    private var isEmpty = true

    /// Where a run stood at one fix.
    private struct Mark {
        var distance = 0.0
        var elapsed = 0.0
        var moving = 0.0
    }

    package init(unit: Double) {
        self.unit = unit
    }

    /// Takes the figures of the run so far, in meters and seconds; gives the split just completed.
    package mutating func step(distance: Double, elapsed: Double, moving: Double) -> Split? {
        let now = Mark(distance: distance, elapsed: elapsed, moving: moving)
        defer { last = now }
        guard !isEmpty else {
            isEmpty = false
            start = now
            return nil
        }
        var completed: Split?
        while now.distance >= start.distance + unit {
            let share = (start.distance + unit - last.distance) / (now.distance - last.distance)
            let crossing = Mark(
                distance: start.distance + unit,
                elapsed: last.elapsed + share * (now.elapsed - last.elapsed),
                moving: last.moving + share * (now.moving - last.moving)
            )
            let split = Split(
                distance: unit,
                time: crossing.elapsed - start.elapsed,
                movingTime: crossing.moving - start.moving
            )
            whole.append(split)
            completed = split
            start = crossing
        }
        return completed
    }

    /// What was run since the last whole unit; `nil` if nothing was.
    package var partial: Split? {
        guard last.distance > start.distance else { return nil }
        return Split(
            distance: last.distance - start.distance,
            time: last.elapsed - start.elapsed,
            movingTime: last.moving - start.moving
        )
    }
}
