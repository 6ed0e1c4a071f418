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

    /// Seconds up to which a hole leaves the filter its own idea of where the runner is.
    static let shortHole = 10.0

    private var heading = SIMD2<Double>.zero
    private var lastPosition = SIMD2<Double>.zero
    private var lastMean = SIMD2<Double>.zero
    private var wasMoving = false
    private var plainSpeed = 0.0
    /// Meters that the latest step added, before later positions put them right.
    package private(set) var latest = 0.0

    /// What the filter that serves thinks now, and thought before the latest position.
    package var belief: Belief {
        @inline(__always)
        get { usesSpeed ? drift.belief : plain.belief }
    }
    package var prediction: Prediction? {
        @inline(__always)
        get { usesSpeed ? drift.prediction : plain.prediction }
    }
    private var usesSpeed = false

    package init() {}

    /// Meters since the start: the best answer with what is known so far.
    package var distance: Double { drift.way }

    package mutating func shift(_ by: SIMD2<Double>) {
        lastPosition += by
        drift.shift(by)
        plain.shift(by)
    }

    /// Takes the next node, and whether the runner moves at its end.
    package mutating func step(_ node: borrowing Node, isMoving: Bool) {
        defer {
            wasMoving = isMoving
            lastPosition = node.position
        }
        let isHole = node.isHole
        guard node.seconds > 0, !isHole else {
            latest = node.bridged
            drift.credit(node.bridged)
            if node.countsAsMoving { movingTime += node.seconds }
            if node.seconds > 0, node.seconds <= Self.shortHole {
                // Short enough to know the runner again behind it.
                let doubt = max(node.bridged, node.seconds)
                drift.leap(
                    heading * node.bridged,
                    seconds: node.seconds,
                    doubt: doubt * doubt / 4,
                    sigma: node.sigma
                )
                drift.update(node.position, sigma: node.sigma)
            } else {
                drift.restart(at: node.position, sigma: node.sigma)
            }
            plain.restart(at: node.position, sigma: node.sigma)
            plainSpeed = 0
            return
        }
        let start = wasMoving ? 0.5 : 0, end = isMoving ? 0.5 : 0
        movingTime += node.seconds * (start + end)
        plain.step(node.seconds, node.position, sigma: node.sigma)
        let before = plainSpeed
        plainSpeed = length(plain.belief.velocity)
        let course = node.course
        usesSpeed = node.speeds != nil && course != .unknown
        if let speeds = node.speeds, let velocities = node.velocities {
            let n2 = node.speedNoise * node.speedNoise
            // |v + noise| is longer than v, by Rice.
            let calm = { (speed: Double) in max(0, speed * speed - n2).squareRoot() }
            var meters =
                (start * calm(speeds.start) + end * calm(speeds.end)) * node.seconds
            let velocity = velocities.start * start + velocities.end * end
            let norm = length(velocity)
            if norm > 0.5 { heading = velocity / norm }
            let bend = Self.bend(lastMean, velocities.end, n2, node.seconds)
            lastMean = velocities.end
            meters *= bend
            latest = meters * drift.factors.at(meters / node.seconds)
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
            // A position that stands while the runner runs is an old one.
            let stands = node.position == lastPosition
            let isStale = stands && meters > 0.5
            if !isStale { drift.update(node.position, sigma: node.sigma) }
        } else {
            latest = (start * before + end * plainSpeed) * node.seconds
            drift.credit(latest)
            drift.restart(at: node.position, sigma: node.sigma)
        }
    }

    /// Share of its way that a speed field loses in a bend, because the receiver smooths it.
    private static func bend(
        _ from: SIMD2<Double>,
        _ to: SIMD2<Double>,
        _ variance: Double,
        _ seconds: Double
    ) -> Double {
        let a = length(from), b = length(to)
        guard seconds < 1.5, a > 1, b > 1 else { return 1 }
        let sine = (from.x * to.y - from.y * to.x) / (a * b)
        let rate = min(sine * sine / (seconds * seconds), 1) - 2 * variance / (a * b)
        return 1 + lag * lag / 2 * rate
    }
    static let lag = 0.3

    /// Adds meters run before it was sure that the runner moves.
    package mutating func credit(_ meters: Double, seconds: Double) {
        drift.credit(meters)
        movingTime += seconds
    }
}
