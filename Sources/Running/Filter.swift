import Geodesy

#if canImport(Glibc)
import Glibc
#endif

/// Causal Kalman filter on the difference between positions and dead reckoning.
///
/// The nominal way comes from the speed field and is not filtered, so bends stay sharp; the filter
/// holds how far it is off (offset), how fast that grows (rate), and the receiver's own slow position
/// error (bias). Without a speed field the nominal way stands still and rate is the velocity.
struct Filter {
    private(set) var scale = SpeedScale()
    private(set) var state = FilterState()
    private var covariance = AxisCovariance()
    private var rejectedSince: Double?
    private var lastUsed = 0.0
    private(set) var trust = AccuracyTrust()
    private var start = 0.0

    /// Starts at the first knot.
    mutating func begin(_ knot: inout Knot) {
        start = knot.time
        let s = knot.sigma * knot.sigma
        covariance = AxisCovariance(oo: s, rr: 1, bb: Tuning.biasFactor * Tuning.biasFactor * s)
        knot.nominal = knot.raw
        record(&knot)
    }

    /// Where the next position is expected and the variance along one axis.
    func predict(
        at time: Double,
        from last: Knot,
        sigma: Double
    ) -> (position: Plane, variance: Double) {
        let dt = time - last.time
        let x = state.combined(scale.raw)
        let v = last.isPositionOnly ? x.rate : last.velocity
        let white = Tuning.whiteFactor * sigma * trust.factor
        return (
            last.nominal + x.offset + x.bias + v * dt,
            covariance.oo + 2 * covariance.ob + covariance.bb + white * white + 0.04 + dt * dt
        )
    }

    /// - Parameters:
    ///   - noise: White noise of the speed field, meters a second.
    ///   - hasPosition: False where every fix of the knot was an outlier.
    /// - Returns: Whether the position was used.
    mutating func step(
        _ knot: inout Knot,
        after last: Knot,
        noise: Double,
        hasPosition: Bool
    ) -> Bool {
        let dt = knot.time - last.time
        knot.sigma = min(max(knot.sigma * trust.factor, 0.5), 60)
        var q = AxisCovariance()
        var transition = Transition(biasDecay: exp(-dt / Tuning.biasTime))
        let bias =
            (knot.isPositionOnly ? Tuning.positionOnlyBiasFactor : Tuning.biasFactor) * knot.sigma
        q.bb = bias * bias * (1 - transition.biasDecay * transition.biasDecay)
        var displacement = Plane.zero
        let rateSigma = max(0.03, Tuning.speedBiasFactor * noise)
        if case .hole = knot.link {
            displacement = knot.raw - last.raw
            q.oo = 400 + displacement.dot(displacement)
            transition.rateDecay = 0
            q.rr = knot.isPositionOnly ? 4 : rateSigma * rateSigma
        } else if knot.isPositionOnly {
            if last.isPositionOnly {
                transition.gain = dt
                let v = state.run.rate
                let a = Tuning.acceleration
                let spectral = min(max(a.share * v.dot(v), a.least), a.most)
                q.oo = spectral * dt * dt * dt / 3
                q.or = spectral * dt * dt / 2
                q.rr = spectral * dt
            } else {
                displacement = last.velocity * dt
                transition.rateDecay = 0
                q.oo = dt * dt
                q.rr = 1
            }
        } else {
            let decay = exp(-dt / Tuning.speedBiasTime)
            displacement =
                (last.isPositionOnly
                    ? knot.velocity : Self.turning(last.velocity, knot.velocity, after: dt)) * dt
            transition.gain = last.isPositionOnly ? 0 : Tuning.speedBiasTime * (1 - decay)
            transition.rateDecay = last.isPositionOnly ? 0 : decay
            let interpolation = Tuning.interpolationError * dt * dt
            q.oo = noise * noise * dt * dt + interpolation * interpolation
            q.rr = rateSigma * rateSigma * (1 - transition.rateDecay * transition.rateDecay)
        }
        knot.nominal = last.nominal + displacement
        knot.transition = transition
        covariance = transition.apply(covariance, plus: q)
        state.run = transition.apply(state.run)
        state.slow = transition.apply(state.slow)
        state.fast = transition.apply(state.fast)
        if case .plain = knot.link, knot.isPositionOnly, !last.isPositionOnly {
            state.run.rate += last.velocity
        }
        if case .hole = knot.link, knot.isPositionOnly { state.run.rate += displacement * (1 / dt) }
        if case .plain = knot.link, !knot.isPositionOnly {
            if knot.speed < Tuning.slowSpeed {
                state.slow.offset += displacement
            } else {
                state.fast.offset += displacement
            }
        }
        let used = hasPosition && update(&knot)
        record(&knot)
        return used
    }

    /// Mean velocity of a steady turn between two velocities far apart; their plain mean cuts it short.
    ///
    /// Between neighbours a second apart, noise and sway would be taken for turns.
    private static func turning(_ a: Plane, _ b: Plane, after seconds: Double) -> Plane {
        let mean = (a + b) * 0.5
        let speeds = 0.5 * (a.length + b.length)
        guard seconds > 1.5, speeds > 0.5 else { return mean }
        let cosine = mean.length / speeds
        guard cosine > 0.5, cosine < 1 else { return mean }
        let half = acos(cosine)
        return mean * (sin(half) / (half * cosine))
    }

    private mutating func update(_ knot: inout Knot) -> Bool {
        let white =
            (knot.isPositionOnly ? Tuning.positionOnlyWhiteFactor : Tuning.whiteFactor) * knot.sigma
        let variance = white * white + Tuning.whiteFloor * Tuning.whiteFloor
        var s = covariance.oo + 2 * covariance.ob + covariance.bb + variance
        let innovation = knot.raw - knot.nominal - state.run.offset - state.run.bias
        let slow = (state.slow.offset + state.slow.bias) * -1
        let fast = (state.fast.offset + state.fast.bias) * -1
        let guess = scale.raw
        let seen = innovation + slow * guess.slow + fast * guess.fast
        let nis = seen.dot(seen) / s
        trust.learn(nis, after: knot.time - lastUsed)
        if nis > Tuning.gate {
            guard let since = rejectedSince else {
                rejectedSince = knot.time
                return false
            }
            guard knot.time - since > Tuning.insist else { return false }
            // The receiver insists: its own error has jumped, the runner has not.
            covariance.bb += 0.5 * seen.dot(seen)
            if knot.isPositionOnly {
                covariance.oo += 0.5 * seen.dot(seen)
                covariance.rr += 1
            }
            s = covariance.oo + 2 * covariance.ob + covariance.bb + variance
        }
        rejectedSince = nil
        lastUsed = knot.time
        let p = covariance
        let h = (offset: p.oo + p.ob, rate: p.or + p.rb, bias: p.ob + p.bb)
        if knot.time - start > Tuning.scaleWarmUp {
            scale.add(innovation: innovation, slow: slow, fast: fast, variance: s)
        }
        let k = (offset: h.offset / s, rate: h.rate / s, bias: h.bias / s)
        correct(&state.run, k, innovation)
        correct(&state.slow, k, slow)
        correct(&state.fast, k, fast)
        covariance.oo -= k.offset * h.offset
        covariance.or -= k.offset * h.rate
        covariance.ob -= k.offset * h.bias
        covariance.rr -= k.rate * h.rate
        covariance.rb -= k.rate * h.bias
        covariance.bb -= k.bias * h.bias
        knot.gain = k
        knot.pull = (innovation * (1 / s), slow * (1 / s), fast * (1 / s))
        return true
    }

    private func correct(
        _ x: inout AxisState,
        _ k: (offset: Double, rate: Double, bias: Double),
        _ y: Plane
    ) {
        x.offset += y * k.offset
        x.rate += y * k.rate
        x.bias += y * k.bias
    }

    private func record(_ knot: inout Knot) {
        knot.state = state
        knot.covariance = covariance
    }

    /// Turns the state into the axes of another frame; the covariance is the same in all directions.
    mutating func turn(_ rotate: (Plane) -> Plane) {
        state.run = state.run.turned(rotate)
        state.slow = state.slow.turned(rotate)
        state.fast = state.fast.turned(rotate)
    }
}

/// Learns by how much the receiver misjudges its accuracy, from how surprising its positions are.
struct AccuracyTrust {
    private var logarithm = 0.0
    /// What the reported sigma is multiplied with.
    var factor: Double { exp(logarithm) }

    /// - Parameter nis: Normalised innovation squared, two dimensions: 2 on average if all is well.
    mutating func learn(_ nis: Double, after seconds: Double) {
        let surprise = min(nis, Tuning.trustClip) / Tuning.trustMean - 1
        logarithm += surprise * min(seconds, 2) * Tuning.trustRate
        logarithm = min(max(logarithm, -2), 2)
    }
}

extension AxisState {
    func turned(_ rotate: (Plane) -> Plane) -> AxisState {
        AxisState(offset: rotate(offset), rate: rotate(rate), bias: rotate(bias))
    }
}
