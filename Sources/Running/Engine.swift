import Geodesy
package import Positioning

/// Honest distance and pace from accepted fixes: live figures at once, final ones after the run.
///
/// Feed ``step(_:)`` with fixes in time order and ``interrupt(_:)`` with what broke the stream, take
/// smoothed fixes with ``nextSmoothed()`` as they become ready, and end with ``finish()``. All figures
/// depend on the order of these alone. Memory is bounded whatever the run's length.
package struct Engine: Sendable {
    private let bridging: Bool
    private let autoPause: Bool
    private var frame: LocalFrame?
    /// Milliseconds, the time that counts as the run's first; moves with the clock when that is set back.
    private var start = UTC(milliseconds: 0)
    /// Seconds since then, of the last fix.
    private var now = 0.0
    private var last: Fix?
    private var pendingBreak: Gap.Cause?

    private var spacing = EpochSpacing()
    private var gathering = Gathering()
    private var despiker = Despiker()
    private var noise = SpeedNoise()
    private var filter = Filter()
    private var stillness = Stillness()
    private var pace = PaceMeter()
    private var ascent = Ascent()
    private var smoother: Smoother
    private var knots: [Knot] = []
    private var course: Double?

    /// Index of the first knot whose direction of travel is still to come.
    private var settledDirection = 0
    private var isConfined = false
    private var nextConfinement = 0.0

    private var usual = 0.0
    /// Live meters by the speed field, slow and fast, and by positions and bridges.
    private var metered = (slow: 0.0, fast: 0.0, other: 0.0)
    private var distance = 0.0
    private var outliers = 0
    private var gaps: [Gap] = []
    private var unsettled = FixQueue()
    private var ready: [SmoothedFix] = []
    private var taken = 0

    /// - Parameters:
    ///   - bridging: Whether gaps that allow it add meters.
    ///   - autoPause: Whether standing still counts 0 m.
    package init(bridging: Bool = true, autoPause: Bool = true) {
        self.bridging = bridging
        self.autoPause = autoPause
        smoother = Smoother(bridging: bridging)
        knots.reserveCapacity(Tuning.block + 1)
    }

    /// Tells why no fix is coming. The gap opens with the next fix.
    package mutating func interrupt(_ cause: Gap.Cause) {
        if cause.mayBeBridged, let pending = pendingBreak, !pending.mayBeBridged { return }
        pendingBreak = cause
    }

    package mutating func step(_ fix: Fix) -> LiveUpdate {
        var gap: Gap?
        var position = Plane.zero
        if let last {
            position = place(fix)
            // After the clock was set back, the run goes on as if a second had passed.
            if fix.time <= last.time {
                let back = fix.time.milliseconds - last.time.milliseconds - 1000
                start = UTC(milliseconds: start.milliseconds + back)
            }
            let seconds = max(0.001, fix.time.seconds(since: start) - now)
            if pendingBreak != nil || seconds > spacing.longestStep {
                closeKnot()
                let isGap = pendingBreak != nil
                let cause = pendingBreak ?? .noFix
                gathering.link = .hole(bridge: cause.mayBeBridged, cause: cause, isGap: isGap)
            } else {
                spacing.learn(seconds)
            }
            if let altitude = fix.altitude {
                ascent.step(altitude: altitude, after: min(seconds, 10))
            }
        } else {
            frame = LocalFrame(origin: fix.coordinate)
            start = fix.time
            gathering.link = .first
            smoother.begin()
            if let altitude = fix.altitude { ascent.step(altitude: altitude, after: 0) }
        }
        pendingBreak = nil
        last = fix
        let time = fix.time.seconds(since: start)
        now = time
        unsettled.push(FixQueue.Entry(time: fix.time, seconds: time))

        var isOutlier = false
        if spacing.seconds < 0.6, let knot = knots.last, case .plain = gathering.link {
            let expected = filter.predict(at: time, from: knot, sigma: fix.sigmaPerAxis)
            let off = position - expected.position
            isOutlier = off.dot(off) > Tuning.gate * expected.variance
        }
        if let known = fix.course { course = known }
        gathering.add(fix, time: time, position: position, course: course, isOutlier: isOutlier)
        if gathering.span(at: time, spacing: spacing.seconds) >= 0.99 * Tuning.knotSpan {
            let before = gaps.count
            let used = closeKnot()
            if gaps.count > before { gap = gaps[before] }
            isOutlier = isOutlier || !used
        }
        if isOutlier { outliers += 1 }
        return update(fix, time: time, gap: gap, isOutlier: isOutlier)
    }

    /// The next fix whose place is settled, in the order they came; `nil` until more fixes are in.
    package mutating func nextSmoothed() -> SmoothedFix? {
        guard taken < ready.count else {
            ready.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return ready[taken - 1]
    }

    /// Settles what is left. Take the remaining smoothed fixes afterwards.
    ///
    /// - Parameter unit: Of the splits, meters.
    package mutating func finish(unit: Double = 1000) -> RunSummary {
        var summary = RunSummary()
        guard last != nil else { return summary }
        closeKnot()
        settle(count: knots.count - 1)
        placeRest()
        let scale = filter.scale.judged
        summary.distance = smoother.ledger.total.meters(scale)
        summary.liveDistance = distance
        summary.elapsed = now
        summary.moving = smoother.ledger.total.moving
        summary.ascent = ascent.total
        summary.outliers = outliers
        (summary.splits, summary.lastPartial) = smoother.ledger.splits(unit: unit, scale: scale)
        summary.gaps = smoother.bridges
        summary.bridged = summary.gaps.reduce(0) { $0 + $1.bridged }
        summary.speedScale = (1 + scale.slow, 1 + scale.fast)
        summary.isSpeedFieldTrusted = abs(scale.slow) < 0.015 && abs(scale.fast) < 0.015
        return summary
    }

    /// Meters east and north; takes a new frame when the old one is 10 km away.
    private mutating func place(_ fix: Fix) -> Plane {
        guard let old = frame else { return .zero }
        let position = old.plane(fix.coordinate)
        guard position.length > 10_000 else { return position }
        closeKnot()
        settle(count: knots.count - 1)
        let new = LocalFrame(origin: fix.coordinate)
        for i in knots.indices { knots[i].move(from: old, to: new) }
        filter.turn { old.rotate($0, into: new) }
        frame = new
        return .zero
    }

    @discardableResult
    private mutating func closeKnot() -> Bool {
        guard var knot = gathering.take() else { return true }
        guard let last = knots.last else {
            knot.setSpeed(gathering.speed ?? 0, gathering.velocity)
            knot.isPositionOnly = gathering.speed == nil
            filter.begin(&knot)
            knots.append(knot)
            return true
        }
        let dt = knot.time - last.time
        // A position that stands to the last digit is held or stale, and says nothing new.
        let isFresh = gathering.hasPosition && knot.raw != last.raw
        if let speed = gathering.speed {
            let clean = despiker.step(speed)
            let velocity = gathering.velocity * (speed > 0 ? clean / speed : 0)
            noise.step(time: knot.time, speed: speed, velocity: gathering.velocity)
            knot.setSpeed(
                max(0, clean * clean - noise.across * noise.across).squareRoot(),
                velocity
            )
        } else if !last.isPositionOnly, knot.time - despiker.time < spacing.longestStep {
            knot.setSpeed(last.speed, last.velocity)
        } else {
            knot.isPositionOnly = true
        }
        if gathering.speed != nil { despiker.time = knot.time }
        let white = (0.5 * (noise.along * noise.along + noise.across * noise.across)).squareRoot()
        let used = filter.step(&knot, after: last, noise: white, hasPosition: isFresh)
        if knot.isPositionOnly { knot.speed = knot.state.run.rate.length }
        knots.append(knot)

        let first: Int
        let scale = filter.scale.judged
        if autoPause {
            first = stillness.step(&knots, noise: knot.isPositionOnly ? 0 : noise.along) {
                $0.isPositionOnly
                    ? Plane($0.speed, 0)
                    : $0.velocity * (1 + ($0.speed < Tuning.slowSpeed ? scale.slow : scale.fast))
            }
        } else {
            knots[knots.count - 1].isMoving = true
            first = knots.count - 1
        }
        let newest = knots.count - 1
        lookBack(from: newest)
        meter(from: first)
        if knots[newest].isMoving, knots[newest].speed > 0.8 {
            usual =
                usual == 0
                ? knots[newest].speed : usual + (knots[newest].speed - usual) * min(1, dt / 10)
        }
        knots[newest].usual = usual
        showPace(after: dt)
        if knots.count > Tuning.block { settle(count: Tuning.block - Tuning.lag) }
        return used
    }

    /// What a knot's later neighbours tell about it.
    private mutating func lookBack(from newest: Int) {
        let now = knots[newest].time
        while settledDirection < newest, now - knots[settledDirection].time > Tuning.wide.reach {
            if !knots[settledDirection].isPositionOnly {
                knots[settledDirection].along = Odometer.along(knots, at: settledDirection) {
                    knots[$0].velocity
                }
            }
            settledDirection += 1
        }
        guard autoPause, now >= nextConfinement else { return }
        nextConfinement = now + 5
        var oldest = newest
        while oldest > 0, now - knots[oldest - 1].time <= Tuning.confined.window { oldest -= 1 }
        isConfined = Confinement.holds(knots[oldest...newest])
        if isConfined {
            for i in oldest...newest { knots[i].isConfined = true }
        }
    }

    /// Adds the live meters of the links from the one that ends at knot `first`.
    private mutating func meter(from first: Int) {
        let newest = knots.count - 1
        let scale = filter.scale.judged
        var step = 0.0
        for i in (knots[newest].isMoving ? first : newest)...newest {
            let a = knots[i - 1], b = knots[i]
            if case .hole(let bridge, let cause, let isGap) = b.link {
                var meters = 0.0
                if bridge, bridging || !isGap {
                    meters = Knot.bridge(
                        chord: (b.raw - a.reported).length,
                        sigma: (a.sigma * a.sigma + b.sigma * b.sigma).squareRoot(),
                        usual: a.isMoving || b.isMoving ? usual : 0,
                        seconds: b.time - a.time
                    )
                }
                if isGap {
                    gaps.append(Gap(cause: cause, from: a.lastFix, to: b.firstFix, bridged: meters))
                }
                metered.other += meters
                step += meters
            } else {
                let meters = isConfined ? 0 : Odometer.meters(from: a, to: b)
                if b.isPositionOnly {
                    metered.other += meters
                    step += meters
                } else if b.speed < Tuning.slowSpeed {
                    metered.slow += meters
                    step += meters * (1 + scale.slow)
                } else {
                    metered.fast += meters
                    step += meters * (1 + scale.fast)
                }
            }
        }
        // A scale found late is paid back over time: never a jump, never backwards.
        let owed =
            metered.other + metered.slow * (1 + scale.slow) + metered.fast * (1 + scale.fast)
            - distance - step
        distance += step + min(max(owed, -0.1 * step), 0.1 * step)
    }

    private mutating func showPace(after seconds: Double) {
        let knot = knots[knots.count - 1]
        let scale = filter.scale.judged
        let factor =
            knot.isPositionOnly ? 1 : 1 + (knot.speed < Tuning.slowSpeed ? scale.slow : scale.fast)
        pace.step(
            knot.isMoving && !isConfined ? knot.speed * factor : 0,
            after: seconds,
            noise: knot.isPositionOnly ? 0.3 : noise.along
        )
    }

    private func update(_ fix: Fix, time: Double, gap: Gap?, isOutlier: Bool) -> LiveUpdate {
        guard let knot = knots.last, let frame else {
            return LiveUpdate(
                time: fix.time,
                coordinate: fix.coordinate,
                speed: 0,
                distance: 0,
                isMoving: false,
                isOutlier: false,
                gap: nil
            )
        }
        let x = knot.state.combined(filter.scale.raw)
        let velocity = knot.isPositionOnly ? x.rate : knot.velocity
        let place =
            knot.nominal + x.offset
            + (knot.isMoving ? velocity * min(time - knot.time, 1.5) : .zero)
        return LiveUpdate(
            time: fix.time,
            coordinate: frame.coordinate(place),
            speed: pace.speed,
            distance: distance,
            isMoving: knot.isMoving && !isConfined,
            isOutlier: isOutlier,
            gap: gap
        )
    }

    private mutating func settle(count: Int) {
        guard count > 0, let frame else { return }
        smoother.settle(knots, count: count, scale: filter.scale.raw) { a, pa, b, pb in
            let velocity = (pb - pa) * (1 / (b.time - a.time))
            while let fix = unsettled.first, fix.seconds <= b.time {
                unsettled.pop()
                let place = pa + velocity * (fix.seconds - a.time)
                ready.append(SmoothedFix(time: fix.time, coordinate: frame.coordinate(place)))
            }
        }
        knots.removeFirst(count)
        settledDirection = max(0, settledDirection - count)
    }

    /// Fixes after the middle of the last knot, or of a run of one knot, stand with it.
    private mutating func placeRest() {
        guard let knot = knots.last, let frame else { return }
        let x = knot.state.combined(filter.scale.raw)
        let velocity = knot.isPositionOnly ? x.rate : knot.velocity
        while let fix = unsettled.first {
            unsettled.pop()
            let place =
                knot.nominal + x.offset
                + (knot.isMoving ? velocity * (fix.seconds - knot.time) : .zero)
            ready.append(SmoothedFix(time: fix.time, coordinate: frame.coordinate(place)))
        }
    }
}

extension Knot {
    mutating func setSpeed(_ speed: Double, _ velocity: Plane) {
        self.speed = speed
        self.velocity = velocity
    }

    mutating func move(from old: LocalFrame, to new: LocalFrame) {
        raw = new.plane(old.coordinate(raw))
        nominal = new.plane(old.coordinate(nominal))
        velocity = old.rotate(velocity, into: new)
        func turn(_ v: Plane) -> Plane { old.rotate(v, into: new) }
        state.run = state.run.turned(turn)
        state.slow = state.slow.turned(turn)
        state.fast = state.fast.turned(turn)
    }
}
