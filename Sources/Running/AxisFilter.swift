import Geodesy

#if canImport(Glibc)
import Glibc
#endif

/// Three numbers of one axis of the filter: offset, offset rate, receiver bias.
struct AxisState {
    var offset = Plane.zero
    var rate = Plane.zero
    var bias = Plane.zero

    static func + (a: AxisState, b: AxisState) -> AxisState {
        AxisState(offset: a.offset + b.offset, rate: a.rate + b.rate, bias: a.bias + b.bias)
    }
    static func * (a: AxisState, k: Double) -> AxisState {
        AxisState(offset: a.offset * k, rate: a.rate * k, bias: a.bias * k)
    }
}

/// Symmetric covariance of one axis; both axes share it.
struct AxisCovariance {
    var oo = 0.0, or = 0.0, ob = 0.0, rr = 0.0, rb = 0.0, bb = 0.0
}

/// How an ``AxisState`` moves over one step.
struct Transition {
    /// Offset gained for each unit of rate, seconds.
    var gain = 0.0
    /// What is left of rate and of bias.
    var rateDecay = 1.0
    var biasDecay = 1.0

    func apply(_ x: AxisState) -> AxisState {
        AxisState(
            offset: x.offset + x.rate * gain,
            rate: x.rate * rateDecay,
            bias: x.bias * biasDecay
        )
    }

    func apply(_ p: AxisCovariance, plus q: AxisCovariance) -> AxisCovariance {
        AxisCovariance(
            oo: p.oo + 2 * gain * p.or + gain * gain * p.rr + q.oo,
            or: rateDecay * (p.or + gain * p.rr) + q.or,
            ob: biasDecay * (p.ob + gain * p.rb),
            rr: rateDecay * rateDecay * p.rr + q.rr,
            rb: rateDecay * biasDecay * p.rb,
            bb: biasDecay * biasDecay * p.bb + q.bb
        )
    }

    /// The adjoint, for the way back.
    func adjoint(_ l: AxisState) -> AxisState {
        AxisState(
            offset: l.offset,
            rate: l.offset * gain + l.rate * rateDecay,
            bias: l.bias * biasDecay
        )
    }
}

/// Filter state for the run and for how the run would change with the scale of the speed field.
///
/// The filter is linear: the state with scale errors κ is `run + κ.slow · slow + κ.fast · fast`.
/// Source: Friedland, Treatment of bias in recursive filtering, IEEE TAC 14(4), 1969.
struct FilterState {
    var run = AxisState()
    var slow = AxisState()
    var fast = AxisState()

    func combined(_ k: Scale) -> AxisState { run + slow * k.slow + fast * k.fast }
}

/// The relative error of the speed field below and above ``Tuning/slowSpeed``: true = (1 + κ) × read.
struct Scale {
    var slow = 0.0
    var fast = 0.0
}
