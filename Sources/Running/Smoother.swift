import Geodesy
import Positioning

/// Looks back over the knots of the last minutes and settles the oldest: final meters, final positions.
///
/// A Kalman smoother in the form of Bryson and Frazier, which inverts no matrix: two vectors go back
/// through the steps of the filter. It waits until ``Tuning/block`` knots are there and settles all but
/// the newest ``Tuning/lag``, so that memory is bounded and later fixes than those change little.
struct Smoother {
    private(set) var ledger = Ledger()
    private(set) var bridges: [Gap] = []
    /// Smoothed states of the block, beside the knots.
    private var smooth: [FilterState] = []
    private let bridging: Bool

    init(bridging: Bool) {
        self.bridging = bridging
        smooth.reserveCapacity(Tuning.block + 1)
    }

    mutating func begin() { ledger.begin() }

    /// Settles `count` links between the knots, from the oldest.
    ///
    /// - Parameter place: Is given the smoothed positions of two neighbours, in order.
    mutating func settle(
        _ knots: [Knot],
        count: Int,
        scale: Scale,
        place: (Knot, Plane, Knot, Plane) -> Void
    ) {
        back(knots)
        func position(_ i: Int) -> Plane { knots[i].nominal + smooth[i].combined(scale).offset }
        var here = position(0)
        var last = knots[0]
        if last.isPositionOnly { last.speed = smooth[0].run.rate.length }
        for i in 0..<count {
            let there = position(i + 1)
            var next = knots[i + 1]
            if next.isPositionOnly {
                next.speed =
                    Odometer.along(knots, at: i + 1) { smooth[$0].run.rate }
                    ?? smooth[i + 1].run.rate.length
            }
            add(
                from: last,
                smooth[i],
                here,
                to: next,
                smooth[i + 1],
                there,
                direction: Self.direction(knots, at: i)
            )
            place(knots[i], here, knots[i + 1], there)
            here = there
            last = next
        }
    }

    private mutating func back(_ knots: [Knot]) {
        smooth.removeAll(keepingCapacity: true)
        for knot in knots { smooth.append(knot.state) }
        var lambda = FilterState()
        for i in stride(from: knots.count - 1, through: 0, by: -1) {
            let knot = knots[i]
            let p = knot.covariance
            Self.correct(&smooth[i].run, p, lambda.run)
            Self.correct(&smooth[i].slow, p, lambda.slow)
            Self.correct(&smooth[i].fast, p, lambda.fast)
            lambda.run = knot.transition.adjoint(Self.absorb(lambda.run, knot.gain, knot.pull.run))
            lambda.slow = knot.transition.adjoint(
                Self.absorb(lambda.slow, knot.gain, knot.pull.slow)
            )
            lambda.fast = knot.transition.adjoint(
                Self.absorb(lambda.fast, knot.gain, knot.pull.fast)
            )
        }
    }

    private static func correct(_ x: inout AxisState, _ p: AxisCovariance, _ l: AxisState) {
        x.offset = x.offset - l.offset * p.oo - l.rate * p.or - l.bias * p.ob
        x.rate = x.rate - l.offset * p.or - l.rate * p.rr - l.bias * p.rb
    }

    private static func absorb(
        _ l: AxisState,
        _ k: (offset: Double, rate: Double, bias: Double),
        _ pull: Plane
    ) -> AxisState {
        let seen = l.offset * k.offset + l.rate * k.rate + l.bias * k.bias + pull
        return AxisState(offset: l.offset - seen, rate: l.rate, bias: l.bias - seen)
    }

    /// Direction of travel about the link that follows knot `i`, from some seconds on both sides: that
    /// of the link alone carries the very noise that the offsets take out.
    private static func direction(_ knots: [Knot], at i: Int) -> Plane? {
        var a = i, b = i + 1
        for _ in 0..<Tuning.directionReach {
            guard a > 0, b + 1 < knots.count, case .plain = knots[a].link,
                case .plain = knots[b + 1].link,
                knots[b + 1].time - knots[a - 1].time < 2.5 * Double(Tuning.directionReach)
            else { break }
            a -= 1
            b += 1
        }
        let way = knots[b].nominal - knots[a].nominal
        let length = way.length
        return length > 0.3 * (knots[b].time - knots[a].time) ? way * (1 / length) : nil
    }

    private mutating func add(
        from a: Knot,
        _ sa: FilterState,
        _ pa: Plane,
        to b: Knot,
        _ sb: FilterState,
        _ pb: Plane,
        direction u: Plane?
    ) {
        let dt = b.time - a.time
        var entry = Ledger.Entry()
        switch b.link {
        case .first: return
        case .plain where b.isPositionOnly:
            if a.countsAsMoving || b.countsAsMoving {
                entry.run =
                    0.5 * ((a.countsAsMoving ? a.speed : 0) + (b.countsAsMoving ? b.speed : 0)) * dt
                entry.moving = dt
            }
        case .plain:
            entry.run =
                0.5 * dt
                * ((a.countsAsMoving ? a.along ?? a.speed : 0)
                    + (b.countsAsMoving ? b.along ?? b.speed : 0))
            if a.countsAsMoving || b.countsAsMoving { entry.moving = dt }
            if a.countsAsMoving, b.countsAsMoving, let u {
                entry.run += u.dot(sb.run.offset - sa.run.offset)
                entry.slow = u.dot(sb.slow.offset - sa.slow.offset)
                entry.fast = u.dot(sb.fast.offset - sa.fast.offset)
            }
        case .hole(let bridge, let cause, let isGap):
            if bridge && (bridging || !isGap) {
                let sigma = (1.0 * (a.sigma * a.sigma + b.sigma * b.sigma)).squareRoot()
                let usual = b.isMoving && a.isMoving ? 0.5 * (a.usual + b.usual) : a.usual
                entry.run = Knot.bridge(
                    chord: (pb - pa).length,
                    sigma: sigma,
                    usual: usual,
                    seconds: dt
                )
                if entry.run > 0 { entry.moving = dt }
            }
            if isGap {
                bridges.append(
                    Gap(cause: cause, from: a.lastFix, to: b.firstFix, bridged: entry.run)
                )
            }
        }
        ledger.add(entry, until: b.time)
    }
}
