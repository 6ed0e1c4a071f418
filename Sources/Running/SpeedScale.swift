import Geodesy

#if canImport(Glibc)
import Glibc
#endif

/// Audits the speed field against positions: how many meters one meter of it is worth.
///
/// Collects normal equations from the filter's innovations, which are linear in the two scales, so
/// the estimate is that of a filter that carries the scales as states.
struct SpeedScale {
    private var ss = 0.0, sf = 0.0, ff = 0.0, sy = 0.0, fy = 0.0

    /// - Parameters:
    ///   - innovation: Of the filter, scales taken as 0, meters.
    ///   - slow: How the innovation changes with the slow scale. `fast` alike.
    ///   - variance: Of the innovation along one axis.
    mutating func add(innovation: Plane, slow: Plane, fast: Plane, variance: Double) {
        let w = 1 / variance
        ss += slow.dot(slow) * w
        sf += slow.dot(fast) * w
        ff += fast.dot(fast) * w
        sy -= slow.dot(innovation) * w
        fy -= fast.dot(innovation) * w
    }

    /// Mean and variance of both scales under a flat prior of ±`deviation`.
    private func solve(
        deviation: Double
    ) -> (scale: Scale, slowVariance: Double, fastVariance: Double) {
        let prior = 1 / (deviation * deviation)
        let a = ss + prior, b = ff + prior
        let determinant = a * b - sf * sf
        return (
            Scale(slow: (b * sy - sf * fy) / determinant, fast: (a * fy - sf * sy) / determinant),
            b / determinant, a / determinant
        )
    }

    /// The best guess for keeping the filter on the track, whether or not it is significant.
    var raw: Scale { solve(deviation: Tuning.lyingDeviation).scale }

    /// The scale to correct meters with: near 0 until the evidence says that the field lies.
    ///
    /// The mean over two kinds of receivers, an honest one (κ about 0.3 %) and a lying one.
    var judged: Scale {
        let s = solve(deviation: Tuning.lyingDeviation)
        return Scale(
            slow: Self.judge(s.scale.slow, s.slowVariance),
            fast: Self.judge(s.scale.fast, s.fastVariance)
        )
    }

    private static func judge(_ k: Double, _ posteriorVariance: Double) -> Double {
        let lying = Tuning.lyingDeviation * Tuning.lyingDeviation
        let honest = Tuning.honestDeviation * Tuning.honestDeviation
        guard posteriorVariance < 0.99 * lying else { return 0 }
        // Back to the likelihood: a measurement m ± √s of κ.
        let s = Tuning.scaleVarianceFactor / (1 / posteriorVariance - 1 / lying)
        let m = k * lying / (lying - posteriorVariance)
        let honestWeight =
            (1 - Tuning.lyingShare) * exp(-0.5 * m * m / (honest + s)) / (honest + s).squareRoot()
        let lyingWeight =
            Tuning.lyingShare * exp(-0.5 * m * m / (lying + s)) / (lying + s).squareRoot()
        let total = honestWeight + lyingWeight
        guard total > 0 else { return k }
        return (honestWeight * m * honest / (honest + s) + lyingWeight * m * lying / (lying + s))
            / total
    }
}
