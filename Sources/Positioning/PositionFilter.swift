/// Finds position and velocity from positions alone, for receivers that tell no speed.
///
/// A causal Kalman filter of position, velocity and receiver bias along each axis.
package struct PositionFilter: Sendable {
    package private(set) var belief = Belief(covariance: Covariance(startingWith: 1, velocity: 1))
    /// Positions not believed.
    package private(set) var outliers = 0

    /// What the filter thought before the latest position, for a smoother; `nil` behind a restart.
    package private(set) var prediction: Prediction?

    private var rejectedSince: Double?
    private var clock = 0.0
    private var isOn = false
    private var biasFading = Fading(time: Self.biasTime)

    static let biasTime = 60.0
    static let whiteShare = 0.3
    static let whiteLeast = 0.2
    static let q = 0.15
    static let qmax = 4.0
    static let gate = 16.0
    static let patience = 10.0

    package init() {}

    package mutating func shift(_ by: SIMD2<Double>) { belief.position += by }

    package mutating func restart(at position: SIMD2<Double>, sigma: Double) {
        isOn = true
        prediction = nil
        belief = Belief(covariance: Covariance(startingWith: sigma, velocity: 4))
        belief.position = position
        rejectedSince = nil
    }

    package mutating func step(_ seconds: Double, _ measured: SIMD2<Double>, sigma: Double) {
        guard isOn else { return restart(at: measured, sigma: sigma) }
        clock += seconds
        let keptBias = biasFading.kept(after: seconds)
        // Turning costs v²/r: the runner's own noise grows with the speed.
        let q = min(max(Self.q * (belief.velocity * belief.velocity).sum(), 0.08), Self.qmax)
        belief.covariance.predict(seconds, keptVelocity: 1, keptBias: keptBias)
        belief.covariance.pp += q * seconds * seconds * seconds / 3
        belief.covariance.pw += q * seconds * seconds / 2
        belief.covariance.ww += q * seconds
        belief.covariance.bb += sigma * sigma * (1 - keptBias * keptBias)
        belief.position += belief.velocity * seconds
        belief.bias *= keptBias
        prediction = Prediction(
            belief: belief,
            seconds: seconds,
            keptVelocity: 1,
            keptBias: keptBias
        )
        let white = Self.whiteShare * sigma
        let gain = belief.covariance.gain(white * white + Self.whiteLeast * Self.whiteLeast)
        let y = measured - belief.position - belief.bias
        guard (y * y).sum() <= Self.gate * gain.surprise else {
            outliers += 1
            if let since = rejectedSince {
                if clock - since > Self.patience {
                    belief.position += y
                    belief.covariance.pp += sigma * sigma
                    rejectedSince = nil
                }
            } else {
                rejectedSince = clock
            }
            return
        }
        rejectedSince = nil
        belief.position += y * gain.p
        belief.velocity += y * gain.w
        belief.bias += y * gain.b
        belief.covariance.update(gain)
    }
}
