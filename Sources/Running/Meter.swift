package import Geodesy
package import Positioning

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Measures a run: what a screen shows with each fix, and the best answer a little later.
///
///     fix → place in a plane → node of a second → stillness ┬ odometer, pace        (live)
///                                                           └ hindsight → odometer  (final)
package struct Meter: Sendable {
    /// Longest step between two fixes that is no hole, in seconds; or so many spacings.
    static let shortestHole = 2.5
    static let holeSpacings = 2.5
    /// What is credited back when a start is confirmed, in seconds.
    static let startDelay = 2.0
    /// How much longer a stop lasts before it is a pause, in seconds.
    static let pauseDelay = 3.0

    private var localizer = Localizer()
    private var builder = NodeBuilder()
    private var noise = SpeedNoise()
    private var stillness = Stillness()
    private var pace = PaceMeter()
    private var live = Odometer()
    private var hindsight = Hindsight()
    private var final = Odometer()
    private var bridging = Bridging()
    private var audit = SpeedAudit()
    private var ascent = Ascent()
    /// `nil` if the track keeps positions as received.
    private var drawer: TrackDrawer?
    private var fixCount = 0

    private var last: (time: UTC, position: SIMD2<Double>, sigma: Double)?
    private var shown = 0.0
    private var isMoving = false
    private var hasSpeed = false
    private var recent: InlineArray<3, Step> = .init(repeating: Step())
    private var stillSince: UTC?
    private var isPaused = false
    private var splits: Splits
    private var elapsed = 0.0

    private struct Step: Sendable {
        var seconds = 0.0
        var speed = 0.0
    }

    /// What one fix added, and how the runner moves.
    package struct Reading: Sendable {
        package var coordinate: Coordinate?
        /// Meters a second, 0 when still; `nil` if not known yet.
        package var speed: Double?
        package var isMoving: Bool
        /// Meters credited over the hole before it.
        package var bridged = 0.0
        /// Meters shown, seconds in motion and positions not believed, since the start.
        package var distance = 0.0
        package var movingTime = 0.0
        package var outliers = 0
        package var pause: Pause?
    }

    package enum Pause: Sendable {
        case began(UTC)
        case ended(UTC)
    }

    package init(unit: Double, drawsTrack: Bool) {
        splits = Splits(unit: unit)
        drawer = drawsTrack ? TrackDrawer() : nil
    }

    private var usesSpeed: Bool { hasSpeed && audit.isTrusted }
    /// Meters climbed; `nil` without heights.
    package var climbed: Double? { ascent.climbed }

    /// The best answer.
    package struct Answer: Sendable {
        package var distance: Double
        package var movingTime: Double
        package var splits: [Split]
        package var lastPartial: Split?
        /// Share by which the speed field read low; `nil` without one.
        package var speedShortfall: Double?
        /// The speed field was good for the whole run; `nil` without one.
        package var isSpeedTrusted: Bool?
        /// The speed field told far too little for a while, and positions took its place.
        package var lostTrust: Bool
    }

    /// A speed field that is further off than this is not trusted, though it was put right.
    static let trustedShortfall = 0.05

    /// The best answer with the fixes so far.
    package var answer: Answer {
        var rest = self
        rest.drawer = nil
        rest.finish()
        let distance = max(0, rest.final.drift.way)
        _ = rest.splits.step(
            distance: distance,
            elapsed: rest.elapsed,
            moving: rest.final.movingTime
        )
        let shortfall = hasSpeed ? rest.final.drift.shortfall : nil
        return Answer(
            distance: distance,
            movingTime: rest.final.movingTime,
            splits: rest.splits.whole,
            lastPartial: rest.splits.partial,
            speedShortfall: shortfall,
            isSpeedTrusted: shortfall.map { !audit.hasFailed && abs($0) <= Self.trustedShortfall },
            lostTrust: audit.hasFailed
        )
    }

    /// How a fix follows from the one before.
    package enum Connection: Sendable {
        case goesOn
        /// Behind a gap, whose way may be credited or not.
        case gap(mayBridge: Bool)
    }

    package mutating func step(
        _ fix: Fix,
        _ connection: Connection,
        spacing: Double?,
        opensSegment: Bool,
        offset: Int64
    ) -> Reading {
        let (observation, shift) = localizer.step(fix)
        if let shift { move(shift) }
        fixCount += 1
        drawer?.add(fix, observation.position, opensSegment: opensSegment, offset: offset)
        if observation.speed != nil { hasSpeed = true }
        var bridged = 0.0
        if let last {
            let seconds = fix.time.seconds(since: last.time)
            var isHole = seconds > max(Self.shortestHole, Self.holeSpacings * (spacing ?? 1))
            var mayBridge = true
            if case .gap(let may) = connection { (isHole, mayBridge) = (true, may) }
            if isHole {
                // Where the receiver would put the runner, had he not moved since.
                let expected =
                    usesSpeed
                    ? live.drift.belief.position + builder.sum
                        + live.drift.means.bias * exp(-max(0, seconds) / 60)
                    : last.position
                builder.restart()
                if mayBridge {
                    bridged = bridging.meters(
                        seconds,
                        chord: length(observation.position - expected),
                        sigma: max(last.sigma, observation.sigma)
                    )
                }
                var node = Node(
                    time: fix.time,
                    seconds: max(0, seconds),
                    position: observation.position,
                    sigma: observation.sigma
                )
                node.isHole = true
                node.bridged = bridged
                node.countsAsMoving = bridged > 0
                _ = builder.step(observation, moved: live.plain.belief.velocity)
                take(&node)
            } else if var node = builder.step(observation, moved: live.plain.belief.velocity) {
                take(&node)
            }
        } else if var node = builder.step(observation, moved: live.plain.belief.velocity) {
            take(&node)
        }
        if let altitude = fix.altitude {
            let seconds = last.map { fix.time.seconds(since: $0.time) } ?? 0
            ascent.step(altitude, seconds: seconds, isMoving: isMoving)
        }
        last = (fix.time, observation.position, observation.sigma)
        var reading = Reading(isMoving: isMoving, bridged: bridged)
        reading.speed = isMoving ? pace.shown : 0
        let position =
            usesSpeed ? live.drift.belief.position + builder.sum : live.plain.belief.position
        reading.coordinate = localizer.frame?.coordinate(position)
        reading.pause = pause(at: fix.time)
        reading.distance = max(shown, shown + (isMoving && usesSpeed ? builder.sinceNode : 0))
        reading.movingTime = live.movingTime
        reading.outliers = live.drift.outliers
        return reading
    }

    package mutating func finish() {
        hindsight.finish()
        settle()
        if let frame = localizer.frame { drawer?.finish(in: frame) }
    }

    /// Hands over the points of the track that are settled, oldest first.
    package mutating func takePoints(_ body: (TrackDrawer.Point) -> Void) {
        guard let count = drawer?.ready.count, count > 0 else { return }
        for i in 0..<count { if let point = drawer?.ready[i] { body(point) } }
        drawer?.clear()
    }

    /// Takes the nodes of which it is settled whether the runner moved.
    private mutating func settle() {
        while let isMoving = hindsight.next() {
            let node = hindsight.settled
            final.step(node, isMoving: isMoving)
            elapsed += node.seconds
            _ = splits.step(
                distance: final.drift.way,
                elapsed: elapsed,
                moving: final.movingTime
            )
            if let frame = localizer.frame {
                drawer?.step(node, final.belief, final.prediction, in: frame)
            }
        }
    }

    private mutating func take(_ node: inout Node) {
        let heard = node.speeds
        node.fixNumber = fixCount
        noise.step(heard?.end, seconds: node.seconds, isHole: node.isHole)
        node.speedNoise = noise.sigma
        if !audit.isTrusted {
            node.speeds = nil
            node.velocities = nil
        }
        let wasMoving = isMoving
        let instant = node.speeds?.end ?? length(live.plain.belief.velocity)
        if node.isHole {
            // Whoever moved before a hole is taken to move behind it.
            stillness.restart(isMoving: stillness.isMoving || node.bridged > 0)
            isMoving = stillness.isMoving
        } else {
            let velocity =
                node.velocities?.end ?? [length(live.plain.belief.velocity), 0]
            isMoving = stillness.step(
                max(node.seconds, 0),
                velocity,
                noise: node.velocities == nil ? 0.1 : noise.sigma
            )
        }
        node.isMoving = isMoving
        live.step(node, isMoving: isMoving)
        var added = live.latest
        let factor = node.speeds.map { live.drift.factors.at($0.end) } ?? 1
        let missed = audit.step(
            node,
            speeds: heard,
            at: live.plain.belief.position,
            factor: factor,
            counted: added
        )
        if let missed, missed > 0 {
            live.credit(missed, seconds: 0)
            final.credit(missed, seconds: 0)
            added += missed
        }
        if isMoving, !wasMoving, !node.isHole {
            var meters = 0.0, seconds = 0.0
            // The half of this step that was still taken for standing, and the one before.
            meters += 0.5 * recent[0].speed * node.seconds
            seconds += 0.5 * node.seconds
            if node.seconds < 1.5 {
                meters += 0.5 * (recent[0].speed + recent[1].speed) * recent[0].seconds
                seconds += recent[0].seconds
            }
            meters = min(meters, instant * Self.startDelay)
            live.credit(meters, seconds: seconds)
            added += meters
        }
        recent[2] = recent[1]
        recent[1] = recent[0]
        recent[0] = Step(seconds: node.seconds, speed: node.isHole ? 0 : instant)
        if added > 0 {
            let missing = live.drift.way - shown
            shown += node.isHole ? added : min(max(missing, 0.5 * added), 1.5 * added)
        }
        let n2 = node.speeds == nil ? 0 : noise.sigma * noise.sigma
        let calm = max(0, instant * instant - n2).squareRoot() * factor
        if !node.isHole {
            pace.step(
                max(node.seconds, 0.1),
                speed: isMoving ? calm : 0,
                noise: node.speeds == nil ? 0.3 : noise.sigma
            )
            if isMoving { bridging.learn(calm, node.seconds) }
        }
        hindsight.step(node)
        settle()
    }

    private mutating func move(_ shift: SIMD2<Double>) {
        builder.shift(shift)
        live.shift(shift)
        audit.shift(shift)
        final.shift(shift)
        hindsight.shift(shift)
        drawer?.shift(shift)
        last?.position += shift
    }

    private mutating func pause(at time: UTC) -> Pause? {
        if isMoving {
            stillSince = nil
            guard isPaused else { return nil }
            isPaused = false
            return .ended(time)
        }
        guard !isPaused else { return nil }
        guard let stillSince else {
            self.stillSince = time
            return nil
        }
        guard time.seconds(since: stillSince) >= Self.pauseDelay else { return nil }
        isPaused = true
        return .began(stillSince)
    }
}
