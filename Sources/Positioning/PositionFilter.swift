/// Finds position and velocity from positions alone, for receivers that tell no speed.
///
/// A causal Kalman filter of position, velocity and receiver bias along each axis.
package struct PositionFilter: Sendable {
    package private(set) var position = SIMD2<Double>.zero
    package private(set) var velocity = SIMD2<Double>.zero
    /// Positions not believed.
    package private(set) var outliers = 0

    /// What the filter thought before the latest position, for a smoother; `nil` behind a restart.
    package private(set) var prediction: Prediction?

    @usableFromInline private(set) var bias = SIMD2<Double>.zero
    @usableFromInline private(set) var covariance = Covariance(startingWith: 1, velocity: 1)
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

    @inlinable package var belief: Belief {
        @inline(__always)
        get {
            Belief(position: position, velocity: velocity, bias: bias, covariance: covariance)
        }
    }

    package mutating func shift(_ by: SIMD2<Double>) { position += by }

    package mutating func restart(at position: SIMD2<Double>, sigma: Double) {
        isOn = true
        prediction = nil
        self.position = position
        velocity = .zero
        bias = .zero
        covariance = Covariance(startingWith: sigma, velocity: 4)
        rejectedSince = nil
    }

    package mutating func step(_ seconds: Double, _ measured: SIMD2<Double>, sigma: Double) {
        guard isOn else { return restart(at: measured, sigma: sigma) }
        clock += seconds
        let keptBias = biasFading.kept(after: seconds)
        // Turning costs v²/r: the runner's own noise grows with the speed.
        let q = min(max(Self.q * (velocity * velocity).sum(), 0.08), Self.qmax)
        covariance.predict(seconds, keptVelocity: 1, keptBias: keptBias)
        covariance.pp += q * seconds * seconds * seconds / 3
        covariance.pw += q * seconds * seconds / 2
        covariance.ww += q * seconds
        covariance.bb += sigma * sigma * (1 - keptBias * keptBias)
        position += velocity * seconds
        bias *= keptBias
        prediction = Prediction(
            seconds: seconds,
            keptVelocity: 1,
            keptBias: keptBias,
            belief: belief
        )
        let white = Self.whiteShare * sigma
        let gain = covariance.gain(white * white + Self.whiteLeast * Self.whiteLeast)
        let y = measured - position - bias
        guard (y * y).sum() <= Self.gate * gain.surprise else {
            outliers += 1
            if let since = rejectedSince {
                if clock - since > Self.patience {
                    position += y
                    covariance.pp += sigma * sigma
                    rejectedSince = nil
                }
            } else {
                rejectedSince = clock
            }
            return
        }
        rejectedSince = nil
        position += y * gain.p
        velocity += y * gain.w
        bias += y * gain.b
        covariance.update(gain)
    }
}
