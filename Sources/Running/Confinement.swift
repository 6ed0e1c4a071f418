import Geodesy

/// Tells a parked receiver that wanders, as indoors, from a runner: it moves and gets nowhere.
enum Confinement {
    /// Whether the knots of `range` stay in one place although their speeds add up.
    static func holds(_ knots: ArraySlice<Knot>) -> Bool {
        guard let first = knots.first, let last = knots.last,
            last.time - first.time >= Tuning.confined.window / 2
        else { return false }
        var low = first.place, high = first.place
        var way = 0.0, seconds = 0.0
        var before = first
        for knot in knots.dropFirst() {
            guard case .plain = knot.link else { return false }
            low = Plane(min(low.east, knot.place.east), min(low.north, knot.place.north))
            high = Plane(max(high.east, knot.place.east), max(high.north, knot.place.north))
            if knot.isMoving {
                way += knot.speed * (knot.time - before.time)
                seconds += knot.time - before.time
            }
            before = knot
        }
        let extent = (high - low).length
        return way > 0 && extent < Tuning.confined.extent && way < Tuning.confined.speed * seconds
            && extent < Tuning.confined.share * way + 10
    }
}
