import Geodesy
package import Positioning

/// Adds up the length of the way run, in meters along the WGS 84 ellipsoid.
///
/// The way is the speed field's, put right by the positions; without a speed field it is that of
/// the filtered positions. Standing still adds nothing, and no jump of a position ever does.
package struct Odometer: Sendable {
    /// Seconds in which the runner moved.
    package private(set) var movingTime = 0.0
    package private(set) var drift = DriftFilter()
    package private(set) var plain = PositionFilter()

    private var wasMoving = false
    private var plainSpeed = 0.0
    /// Meters that the latest step added, before later positions put them right.
    package private(set) var latest = 0.0

    /// What the filter that serves thinks now, and thought before the latest position.
    package var belief: Belief { usesSpeed ? drift.belief : plain.belief }
    package var prediction: Prediction? { usesSpeed ? drift.prediction : plain.prediction }
    private var usesSpeed = false

    package init() {}

    /// Meters since the start: the best answer with what is known so far.
    package var distance: Double { drift.way }
    package var outliers: Int { drift.outliers }

    package mutating func shift(_ by: SIMD2<Double>) {
        drift.shift(by)
        plain.shift(by)
    }

    /// Takes the next node, and whether the runner moves at its end.
    package mutating func step(_ node: borrowing Node, isMoving: Bool) {
        defer { wasMoving = isMoving }
        let isHole = node.isHole
        guard node.seconds > 0, !isHole else {
            latest = node.bridged
            drift.credit(node.bridged)
            if node.countsAsMoving { movingTime += node.seconds }
            drift.restart(at: node.position, sigma: node.sigma)
            plain.restart(at: node.position, sigma: node.sigma)
            plainSpeed = 0
            return
        }
        let start = wasMoving ? 0.5 : 0, end = isMoving ? 0.5 : 0
        movingTime += node.seconds * (start + end)
        plain.step(node.seconds, node.position, sigma: node.sigma)
        let before = plainSpeed
        plainSpeed = length(plain.velocity)
        let course = node.course
        usesSpeed = node.speeds != nil && course != .unknown
        if let speeds = node.speeds, let velocities = node.velocities {
            let n2 = node.speedNoise * node.speedNoise
            // |v + noise| is longer than v, by Rice.
            let calm = { (speed: Double) in max(0, speed * speed - n2).squareRoot() }
            let meters =
                (start * calm(speeds.start) + end * calm(speeds.end)) * node.seconds
            let velocity = velocities.start * start + velocities.end * end
            latest = meters * drift.factor(at: meters / node.seconds)
            if node.course == .unknown {
                drift.credit(latest)
                drift.restart(at: node.position, sigma: node.sigma)
                return
            }
            var doubt = node.seconds > 1.5 ? 0.01 * node.seconds * node.seconds : 0
            if node.course == .derived { doubt += 0.1 * meters * meters }
            drift.predict(
                seconds: node.seconds,
                velocity: velocity,
                meters: meters,
                noise: node.speedNoise,
                sigma: node.sigma,
                doubt: doubt
            )
            drift.update(node.position, sigma: node.sigma)
        } else {
            latest = (start * before + end * plainSpeed) * node.seconds
            drift.credit(latest)
            drift.restart(at: node.position, sigma: node.sigma)
        }
    }

    /// Adds meters run before it was sure that the runner moves.
    package mutating func credit(_ meters: Double, seconds: Double) {
        drift.credit(meters)
        movingTime += seconds
    }
}
