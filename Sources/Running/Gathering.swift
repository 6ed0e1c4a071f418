import Geodesy
import Positioning

#if canImport(Glibc)
import Glibc
#endif

/// Learns the receiver's normal time between fixes, so that 0.04 to 10 s is no gap.
struct EpochSpacing {
    /// Seconds; 1 until learned.
    private(set) var seconds = 1.0
    private var count = 0

    /// Longer than this, speed is not interpolated.
    var longestStep: Double { count == 0 ? 10 : max(4.5, 2.5 * seconds) }

    /// - Parameter step: Time between two fixes, not over a gap.
    mutating func learn(_ step: Double) {
        count += 1
        seconds += (step - seconds) * max(1 / Double(count), 0.05)
    }
}

/// Gathers the fixes of one knot.
struct Gathering {
    var link = Knot.Link.plain
    private var count = 0.0
    private var firstTime = 0.0
    private var timeSum = 0.0
    private var positions = 0.0
    private var positionSum = Plane.zero
    private var allSum = Plane.zero
    private var speeds = 0.0
    private var speedSum = 0.0
    private var velocitySum = Plane.zero
    private var sigma = 8.0
    private var firstFix = UTC(milliseconds: 0)
    private var lastFix = UTC(milliseconds: 0)

    /// Of the knot just taken; `nil` where the speed field was blank.
    private(set) var speed: Double?
    private(set) var velocity = Plane.zero
    private(set) var hasPosition = false

    mutating func add(_ fix: Fix, time: Double, position: Plane, course: Double?, isOutlier: Bool) {
        if count == 0 {
            firstTime = time
            firstFix = fix.time
        }
        count += 1
        timeSum += time
        lastFix = fix.time
        sigma = min(max(fix.sigmaPerAxis, 0.8), 50)
        allSum += position
        if !isOutlier {
            positions += 1
            positionSum += position
        }
        if let speed = fix.speed {
            speeds += 1
            speedSum += speed
            let angle = (course ?? 0) * .pi / 180
            velocitySum += Plane(sin(angle), cos(angle)) * speed
        }
    }

    /// Seconds the knot would cover if it ended with the fix at `time`.
    func span(at time: Double, spacing: Double) -> Double { time - firstTime + spacing }

    /// The knot, and makes room for the next; `nil` if it holds no fix.
    mutating func take() -> Knot? {
        guard count > 0 else { return nil }
        hasPosition = positions > 0
        let knot = Knot(
            time: timeSum / count,
            firstFix: firstFix,
            lastFix: lastFix,
            link: link,
            raw: hasPosition ? positionSum * (1 / positions) : allSum * (1 / count),
            sigma: sigma
        )
        if speeds == 0 {
            speed = nil
        } else {
            velocity = velocitySum * (1 / speeds)
            speed = speeds == 1 ? speedSum : velocity.length
        }
        let kept = (speed, velocity, hasPosition)
        self = Gathering()
        (speed, velocity, hasPosition) = kept
        return knot
    }
}

/// Replaces a lone outlier of the speed field by the median of the last five.
struct Despiker {
    private var ring = (0.0, 0.0, 0.0, 0.0, 0.0)
    private var count = 0
    private var lastDeviation = 0.0
    /// When the last speed came, seconds.
    var time = 0.0

    mutating func step(_ speed: Double) -> Double {
        ring = (ring.1, ring.2, ring.3, ring.4, speed)
        count += 1
        guard count >= 3 else { return speed }
        if count < 5 { return speed }
        let median = Self.median(ring.0, ring.1, ring.2, ring.3, ring.4)
        let spread =
            1.4826
            * Self.median(
                abs(ring.0 - median),
                abs(ring.1 - median),
                abs(ring.2 - median),
                abs(ring.3 - median),
                abs(ring.4 - median)
            )
        let limit = max(0.7, 4 * spread)
        let deviation = speed - median
        let isLone = !(lastDeviation * deviation > 0 && abs(lastDeviation) > limit / 2)
        lastDeviation = deviation
        return abs(deviation) > limit && isLone ? median : speed
    }

    private static func median(
        _ a: Double,
        _ b: Double,
        _ c: Double,
        _ d: Double,
        _ e: Double
    ) -> Double {
        let (p, q) = (min(a, b), max(a, b))
        let (r, s) = (min(c, d), max(c, d))
        let low = max(p, r), high = min(q, s)
        // The median of five is the median of e and the two middle ones.
        return max(min(low, high), min(max(low, high), e))
    }
}

/// Fixes whose place is not yet settled, first in, first out: their time and the engine's own.
struct FixQueue {
    struct Entry {
        var time: UTC
        /// Seconds since the run's first fix, never falling.
        var seconds: Double
    }

    private var entries: [Entry] = []
    private var head = 0

    init() { entries.reserveCapacity(16_384) }

    var first: Entry? { head < entries.count ? entries[head] : nil }

    mutating func push(_ entry: Entry) { entries.append(entry) }

    mutating func pop() {
        head += 1
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 4096 {
            entries.removeFirst(head)
            head = 0
        }
    }
}
