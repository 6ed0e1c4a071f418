import Geodesy

/// Standing or moving, by the mean velocity vector of 3 s: noise cancels, a runner does not.
struct Stillness {
    private(set) var isMoving = false

    /// Decides for the last knot and repairs the knots before it, which were decided too late.
    ///
    /// - Returns: Index of the first knot whose flag changed; the last index where none did.
    mutating func step(_ knots: inout [Knot], noise: Double, velocity: (Knot) -> Plane) -> Int {
        let last = knots.count - 1
        let now = knots[last].time
        var sum = Plane.zero
        var count = 0
        var index = last
        while index >= 0, now - knots[index].time < Tuning.stillWindow - 0.1 {
            sum += velocity(knots[index])
            count += 1
            guard case .plain = knots[index].link else { break }
            index -= 1
        }
        let mean = sum.length / Double(count)
        let enter = min(max(Tuning.enter.least, Tuning.enter.noise * noise), Tuning.enter.most)
        let leave = min(max(Tuning.leave.least, Tuning.leave.noise * noise), Tuning.leave.most)
        let was = isMoving
        if isMoving, mean < enter { isMoving = false }
        if !isMoving, mean > leave { isMoving = true }
        knots[last].isMoving = isMoving
        guard was != isMoving else { return last }
        // Back-date to where the speed itself crossed.
        let threshold = isMoving ? max(0.3, 1.5 * noise) : max(0.35, 1.5 * noise)
        var first = last
        while first > 1, now - knots[first - 1].time < Tuning.stillWindow + 1,
            case .plain = knots[first].link
        {
            let speed = velocity(knots[first - 1]).length
            guard isMoving ? speed > threshold : speed < threshold else { break }
            guard knots[first - 1].isMoving != isMoving else { break }
            first -= 1
            knots[first].isMoving = isMoving
        }
        return first
    }
}
