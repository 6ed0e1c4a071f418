/// How sure position, velocity and receiver bias are along one axis; both axes share it.
///
/// The upper triangle of a symmetric 3 x 3 matrix: p position, w velocity, b bias.
package struct Covariance: Sendable {
    package var pp = 0.0
    package var pw = 0.0
    package var pb = 0.0
    package var ww = 0.0
    package var wb = 0.0
    package var bb = 0.0

    /// What the first position tells: where the runner is and what its bias is only together.
    package init(startingWith sigma: Double, velocity: Double) {
        bb = sigma * sigma
        pb = -bb
        pp = bb + 0.04
        ww = velocity
    }

    /// Goes on by `seconds`: velocity keeps the share `keptVelocity` of itself, bias `keptBias`.
    @inline(__always)
    package mutating func predict(_ seconds: Double, keptVelocity: Double, keptBias: Double) {
        pp += seconds * (2 * pw + seconds * ww)
        pw = keptVelocity * (pw + seconds * ww)
        pb = keptBias * (pb + seconds * wb)
        ww *= keptVelocity * keptVelocity
        wb *= keptVelocity * keptBias
        bb *= keptBias * keptBias
    }

    /// What a measurement of position plus bias changes, a meter of surprise.
    package struct Gain: Sendable {
        package var p: Double
        package var w: Double
        package var b: Double
        /// Variance of the surprise.
        package var surprise: Double
    }

    /// Gain for a measurement with this variance.
    @inline(__always)
    package func gain(_ variance: Double) -> Gain {
        let p = pp + pb, w = pw + wb, b = pb + bb
        let surprise = p + b + variance
        return Gain(p: p / surprise, w: w / surprise, b: b / surprise, surprise: surprise)
    }

    @inline(__always)
    package mutating func update(_ gain: Gain) {
        let s = gain.surprise
        pp -= gain.p * gain.p * s
        pw -= gain.p * gain.w * s
        pb -= gain.p * gain.b * s
        ww -= gain.w * gain.w * s
        wb -= gain.w * gain.b * s
        bb -= gain.b * gain.b * s
    }
}
