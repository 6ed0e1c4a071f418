import Geodesy
import Positioning

/// One step of filter and smoother: the mean over the fixes of about a second, or one fix of a slower receiver.
struct Knot {
    /// What lies between a knot and the one before it.
    enum Link {
        case first
        /// The speed field, or position steps, carry over.
        case plain
        /// Longer than speed can be interpolated over; filled by chord and usual speed.
        case hole(bridge: Bool, cause: Gap.Cause, isGap: Bool)
    }

    /// Seconds since the run's first fix; the middle of the fixes.
    var time: Double
    /// Milliseconds, last fix of the knot; the first of the next knot is where a gap ends.
    var firstFix: UTC
    var lastFix: UTC
    var link: Link
    /// Mean position as received.
    var raw: Plane
    var sigma: Double
    /// Position by dead reckoning with the speed field; in position-only knots it stands.
    var nominal = Plane.zero
    /// Velocity by the speed field.
    var velocity = Plane.zero
    /// Speed free of spikes and of noise bias, meters a second.
    var speed = 0.0
    /// The same along the direction of travel, known when later knots are in.
    var along: Double?
    var isPositionOnly = false
    var isMoving = false
    /// Wandering about one place for a minute or more: counts as still in the final figures.
    var isConfined = false
    var countsAsMoving: Bool { isMoving && !isConfined }
    /// Usual speed while moving, for bridges.
    var usual = 0.0

    // What the filter did, for the way back.
    var state = FilterState()
    var covariance = AxisCovariance()
    var transition = Transition()
    /// Gains on offset, rate and bias; 0 where no position was used.
    var gain = (offset: 0.0, rate: 0.0, bias: 0.0)
    /// Innovations over their variance.
    var pull = (run: Plane.zero, slow: Plane.zero, fast: Plane.zero)
}

extension Knot {
    /// Where the runner is, as far as the filter knew then.
    var place: Plane { nominal + state.run.offset }

    /// Where the receiver put the runner, or would have, had its position not been stale or an outlier.
    var reported: Plane { gain.offset == 0 ? place + state.run.bias : raw }

    /// Meters over a stretch without speed: chord and usual speed must agree, else the chord is believed.
    ///
    /// - Parameters:
    ///   - chord: Meters between the fixes on both sides.
    ///   - sigma: Standard deviation of the chord.
    static func bridge(chord: Double, sigma: Double, usual: Double, seconds: Double) -> Double {
        let run = usual * seconds
        let chordVariance = sigma * sigma
        if run > 0, chord >= 0.75 * run {
            let runVariance = 0.04 * usual * usual * 5 * seconds
            let mean = (chord * runVariance + run * chordVariance) / (runVariance + chordVariance)
            return min(mean, 1.25 * run)
        }
        return chord > 2 * sigma ? min(chord, 7 * seconds, max(run, 1.5 * seconds)) : 0
    }
}
