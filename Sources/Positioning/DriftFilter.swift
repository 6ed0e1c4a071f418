#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Finds where the runner is, and by how much the speed field is wrong, from both together.
///
/// A causal Kalman filter over errors: the way is laid out by the speed field, which turns as fast as
/// the runner does, and only what is slow is estimated: the drift of the speed field, the bias of
/// the positions and two factors by which the speed field reads low, below and above
/// ``slowSpeed``. Corners are therefore never cut. The length of the way is a state too, so that
/// each position corrects it by what it tells of it, long after it was run.
///
/// The two factors are found beside the filter, after Friedland (IEEE Trans. Automatic Control
/// AC-14, 1969): the filter keeps how each of its means would answer to them, and a least-squares
/// sum over the innovations tells what they are. Nothing has to be kept or run twice.
package struct DriftFilter: Sendable {
    /// Speeds below it have a factor of their own, in meters a second.
    package static let slowSpeed = 2.0

    /// What the run's figures are, and how they answer to the factors: linear in both.
    package struct Means: Sendable {
        package var position = SIMD2<Double>.zero
        /// Error of the speed field, to be added to it.
        package var drift = SIMD2<Double>.zero
        package var bias = SIMD2<Double>.zero
        /// Meters.
        package var way = 0.0

        /// Only the way stands.
        mutating func restart() { self = Means(way: way) }

        mutating func fade(_ keptDrift: Double, _ keptBias: Double) {
            drift *= keptDrift
            bias *= keptBias
        }

        mutating func predict(
            _ velocity: SIMD2<Double>,
            _ seconds: Double,
            _ way: Double,
            _ heading: SIMD2<Double>,
            _ keptDrift: Double,
            _ keptBias: Double
        ) {
            position += (velocity + drift) * seconds
            self.way += way + (drift * heading).sum() * seconds
            fade(keptDrift, keptBias)
        }

        mutating func update(_ y: SIMD2<Double>, _ gain: Covariance.Gain, _ way: SIMD2<Double>) {
            position += y * gain.p
            drift += y * gain.w
            bias += y * gain.b
            self.way += (way * y).sum()
        }
    }

    /// Factors by which the speed field reads low: true speed is 1 + factor times it.
    package struct Factors: Sendable {
        package var slow = 0.0
        package var fast = 0.0

        /// What to multiply this speed of the speed field by.
        @inlinable
        package func at(_ speed: Double) -> Double {
            1 + (speed < DriftFilter.slowSpeed ? slow : fast)
        }
    }

    /// How the filter is tuned: see docs/accuracy.md.
    struct Tuning {
        var driftTime = 8.0
        var driftShare = 0.4
        var driftLeast = 0.03
        var driftMost = 0.2
        var biasTime = 60.0
        var whiteShare = 0.25
        var whiteLeast = 0.2
        var gate = 16.0
        var patience = 10.0
        var factorSigma = 0.1
        var honestSigma = 0.003
        var honestOdds = 3.0
        var block = 60.0
        var factorDoubt = 1.5
    }
    static let tuning = Tuning()

    package private(set) var means = Means()
    package private(set) var slow = Means()
    package private(set) var fast = Means()
    package private(set) var factors = Factors()
    /// Meters, with the speed field put right.
    package private(set) var way = 0.0
    /// Where the runner is, and the velocity to be added to the speed field's.
    package private(set) var belief = Belief(covariance: Covariance(startingWith: 1, velocity: 0))
    /// Positions not believed.
    package private(set) var outliers = 0

    /// What the filter thought before the latest position, for a smoother; `nil` behind a restart.
    package private(set) var prediction: Prediction?

    /// Covariance of the way with position, drift and bias along both axes.
    private var wayP = SIMD2<Double>.zero
    private var wayW = SIMD2<Double>.zero
    private var wayB = SIMD2<Double>.zero
    /// Meters that the speed field told, and that came from elsewhere.
    private var told = 0.0
    private var credited = 0.0
    private var rejectedSince: Double?
    private var clock = 0.0
    private var isOn = false
    private var slowEvidence = Evidence()
    private var fastEvidence = Evidence()
    private var blockStart = 0.0
    private var driftFading = Fading(time: Self.tuning.driftTime)
    private var biasFading = Fading(time: Self.tuning.biasTime)

    package init() {}

    /// Share by which the speed field read low where it told the way.
    package var shortfall: Double {
        let way = self.way - credited
        return way > 0 ? (way - told) / way : 0
    }

    /// Puts together what the means and the factors say.
    @inline(__always)
    private mutating func conclude() {
        let a = factors.slow, b = factors.fast
        way = means.way + a * slow.way + b * fast.way
        belief.position = means.position + slow.position * a + fast.position * b
        belief.velocity = means.drift + slow.drift * a + fast.drift * b
        belief.bias = means.bias + slow.bias * a + fast.bias * b
    }

    /// Meters that no speed field tells of.
    package mutating func credit(_ meters: Double) {
        means.way += meters
        credited += meters
        conclude()
    }

    /// Positions moved with their frame.
    package mutating func shift(_ by: SIMD2<Double>) {
        means.position += by
        conclude()
    }

    /// Begins anew at a position: what was run stands, what was not known of it stays unknown.
    package mutating func restart(at position: SIMD2<Double>, sigma: Double) {
        isOn = true
        prediction = nil
        means.position = position
        means.drift = .zero
        means.bias = .zero
        slow.restart()
        fast.restart()
        let s = sigma
        belief.covariance = Covariance(startingWith: s, velocity: 0.0025)
        wayP = .zero
        wayW = .zero
        wayB = .zero
        rejectedSince = nil
        conclude()
    }

    /// Goes on along `velocity`, over `meters` of way, as the speed field tells; 0 when still.
    package mutating func predict(
        seconds: Double,
        velocity: SIMD2<Double>,
        meters: Double,
        noise: Double,
        sigma: Double,
        doubt: Double
    ) {
        let t = Self.tuning
        clock += seconds
        let keptDrift = driftFading.kept(after: seconds)
        let keptBias = biasFading.kept(after: seconds)
        let speed = length(velocity)
        let heading = speed > 0.3 ? velocity / speed : .zero
        let span = meters > 0 ? seconds : 0
        told += meters
        let isSlow = meters < Self.slowSpeed * seconds
        // What the filter does not know of the way it has in common with the position.
        let white = span > 0 ? noise * noise * span * min(span, 1) + doubt : 0
        wayP += heading * (span * belief.covariance.pw)
        wayW += heading * (span * belief.covariance.ww)
        wayB += heading * (span * belief.covariance.wb)
        wayP += wayW * span
        wayW *= keptDrift
        wayB *= keptBias
        wayP += heading * white
        belief.covariance.predict(span, keptVelocity: keptDrift, keptBias: keptBias)
        let driftSigma = min(max(t.driftShare * noise, t.driftLeast), t.driftMost)
        let s = sigma
        belief.covariance.pp += white
        belief.covariance.ww += driftSigma * driftSigma * (1 - keptDrift * keptDrift)
        belief.covariance.bb += s * s * (1 - keptBias * keptBias)
        means.predict(velocity, span, meters, heading, keptDrift, keptBias)
        let none = SIMD2<Double>.zero
        slow.predict(
            isSlow ? velocity : none,
            span,
            isSlow ? meters : 0,
            heading,
            keptDrift,
            keptBias
        )
        fast.predict(
            isSlow ? none : velocity,
            span,
            isSlow ? 0 : meters,
            heading,
            keptDrift,
            keptBias
        )
        conclude()
        prediction = Prediction(
            belief: belief,
            seconds: span,
            keptVelocity: keptDrift,
            keptBias: keptBias
        )
    }

    /// Goes on by a step of which the speed field tells nothing; its way is not the filter's matter.
    package mutating func leap(
        _ step: SIMD2<Double>,
        seconds: Double,
        doubt: Double,
        sigma: Double
    ) {
        clock += seconds
        let keptDrift = driftFading.kept(after: seconds)
        let keptBias = biasFading.kept(after: seconds)
        means.position += step
        means.fade(keptDrift, keptBias)
        slow.fade(keptDrift, keptBias)
        fast.fade(keptDrift, keptBias)
        belief.covariance.predict(0, keptVelocity: keptDrift, keptBias: keptBias)
        belief.covariance.pp += doubt
        belief.covariance.bb += sigma * sigma * (1 - keptBias * keptBias)
        wayW *= keptDrift
        wayB *= keptBias
        conclude()
        prediction = Prediction(
            belief: belief,
            seconds: 0,
            keptVelocity: keptDrift,
            keptBias: keptBias
        )
    }

    /// Takes a position.
    package mutating func update(_ position: SIMD2<Double>, sigma: Double) {
        let t = Self.tuning
        guard isOn else { return restart(at: position, sigma: sigma) }
        let s = sigma
        let white = t.whiteShare * s
        var gain = belief.covariance.gain(white * white + t.whiteLeast * t.whiteLeast)
        let y0 = position - means.position - means.bias
        let ya = -(slow.position + slow.bias), yb = -(fast.position + fast.bias)
        let y = y0 + ya * factors.slow + yb * factors.fast
        let surprise = (y * y).sum() / gain.surprise
        guard surprise <= t.gate else {
            outliers += 1
            guard let since = rejectedSince, clock - since > t.patience else {
                rejectedSince = rejectedSince ?? clock
                return
            }
            // The receiver insists on another place: that is its bias, until it shows otherwise.
            belief.covariance.bb += (y * y).sum() / 2
            gain = belief.covariance.gain(white * white + t.whiteLeast * t.whiteLeast)
            absorb(y0, ya, yb, gain)
            conclude()
            return
        }
        absorb(y0, ya, yb, gain)
        learn(y0, ya, yb, gain.surprise)
        conclude()
    }

    @inline(__always)
    private mutating func absorb(
        _ y0: SIMD2<Double>,
        _ ya: SIMD2<Double>,
        _ yb: SIMD2<Double>,
        _ gain: Covariance.Gain
    ) {
        rejectedSince = nil
        let way = (wayP + wayB) / gain.surprise
        means.update(y0, gain, way)
        slow.update(ya, gain, way)
        fast.update(yb, gain, way)
        let common = wayP + wayB
        wayP -= common * gain.p
        wayW -= common * gain.w
        wayB -= common * gain.b
        belief.covariance.update(gain)
    }

    private mutating func learn(
        _ y0: SIMD2<Double>,
        _ ya: SIMD2<Double>,
        _ yb: SIMD2<Double>,
        _ surprise: Double
    ) {
        let weight = 1 / surprise
        slowEvidence.add((ya * ya).sum() * weight, -(ya * (y0 + yb * factors.fast)).sum() * weight)
        fastEvidence.add((yb * yb).sum() * weight, -(yb * (y0 + ya * factors.slow)).sum() * weight)
        if clock - blockStart > Self.tuning.block {
            blockStart = clock
            slowEvidence.close()
            fastEvidence.close()
        }
        factors.slow = Self.shrunk(slowEvidence)
        factors.fast = Self.shrunk(fastEvidence)
    }

    /// What the innovations tell of one factor.
    struct Evidence: Sendable {
        var information = 0.0
        var sum = 0.0
        private var blockInformation = 0.0
        private var blockSum = 0.0
        private var sumSquare = 0.0
        private var cross = 0.0
        private var informationSquare = 0.0

        mutating func add(_ information: Double, _ sum: Double) {
            self.information += information
            self.sum += sum
            blockInformation += information
            blockSum += sum
        }

        mutating func close() {
            sumSquare += blockSum * blockSum
            cross += blockSum * blockInformation
            informationSquare += blockInformation * blockInformation
            blockInformation = 0
            blockSum = 0
        }

        var found: Double { sum / information }

        /// Variance of what was found: as the filter has it, or as blocks differ, whichever is more.
        func variance(of found: Double) -> Double {
            let k = found
            let blocks =
                sumSquare - 2 * k * cross + k * k * informationSquare
                + (blockSum - k * blockInformation) * (blockSum - k * blockInformation)
            let inverse = 1 / information
            return max(inverse, blocks * inverse * inverse)
        }
    }

    /// Most speed fields are honest, a few are far off: the mean over both kinds, by their odds.
    static let least = -0.15
    private static func shrunk(_ evidence: Evidence) -> Double {
        guard evidence.information > 0 else { return 0 }
        let t = tuning
        let found = evidence.found
        let variance = t.factorDoubt * t.factorDoubt * evidence.variance(of: found)
        let near = t.honestSigma * t.honestSigma, far = t.factorSigma * t.factorSigma
        let nearWeight = 1 / (variance + near), farWeight = 1 / (variance + far)
        let odds =
            t.honestOdds * ((variance + far) * nearWeight).squareRoot()
            * exp(-found * found / 2 * (nearWeight - farWeight))
        let mean = (odds * near * nearWeight + far * farWeight) / (1 + odds)
        return max(Self.least, found * mean)
    }
}
