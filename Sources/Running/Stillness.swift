/// Tells standing from moving, by the mean of the velocity over three seconds.
///
/// Noise cancels in the mean of a vector, a runner does not. Two thresholds, so that it does not
/// flutter between them.
package struct Stillness: Sendable {
    static let window = 3.0
    /// Slower than this is still, faster than that is moving, in meters a second.
    static let enters = (least: 0.4, noises: 1.2, most: 0.75)
    static let leaves = (least: 0.7, noises: 2.6, most: 1.0)

    package private(set) var isMoving = false

    private var recent: InlineArray<4, Sample> = .init(repeating: Sample())
    private var count = 0

    private struct Sample: Sendable {
        var age = 0.0
        var velocity = SIMD2<Double>.zero
    }

    package init() {}

    package mutating func restart(isMoving: Bool) {
        count = 0
        self.isMoving = isMoving
    }

    /// Takes the velocity at the end of the next step.
    package mutating func step(
        _ seconds: Double,
        _ velocity: SIMD2<Double>,
        noise: Double
    ) -> Bool {
        for i in stride(from: 3, to: 0, by: -1) {
            recent[i] = recent[i - 1]
            recent[i].age += seconds
        }
        recent[0] = Sample(age: 0, velocity: velocity)
        count = min(count + 1, 4)
        var sum = SIMD2<Double>.zero
        var used = 0
        for i in 0..<count where recent[i].age < Self.window - 0.25 {
            sum += recent[i].velocity
            used += 1
        }
        let mean = (sum * sum).sum().squareRoot() / Double(used)
        if isMoving {
            let limit = max(Self.enters.least, Self.enters.noises * noise)
            if mean < min(limit, Self.enters.most) { isMoving = false }
        } else if used >= 3 || recent[0].age + seconds >= 1.5 {
            let limit = max(Self.leaves.least, Self.leaves.noises * noise)
            if mean > min(limit, Self.leaves.most) { isMoving = true }
        }
        return isMoving
    }
}
