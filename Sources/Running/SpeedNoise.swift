package import Positioning

/// Learns how much the speed field jitters from one node to the next.
///
/// Robust, from second differences over the latest minute: a runner who changes pace leaves them
/// nearly 0.
package struct SpeedNoise: Sendable {
    static let window = 60
    static let every = 8
    static let longestStep = 2.5

    /// Meters a second, 0.02 to 0.6.
    package private(set) var sigma = 0.12

    private var recent: InlineArray<60, Double> = .init(repeating: .infinity)
    private var count = 0
    private var next = 0
    private var untilNext = 0
    private var median = 0.0
    private var before: Double?
    private var last: Double?

    package init() {}

    package mutating func step(_ node: borrowing Node) {
        guard let speeds = node.speeds, !node.isHole, node.seconds <= Self.longestStep else {
            (before, last) = (nil, node.speeds?.end)
            return
        }
        let speed = speeds.end
        defer { (before, last) = (last, speed) }
        guard let before, let last else { return }
        recent[next] = abs(speed - 2 * last + before)
        next = next + 1 == Self.window ? 0 : next + 1
        count = min(count + 1, Self.window)
        untilNext -= 1
        guard count >= Self.every, untilNext <= 0 else { return }
        untilNext = Self.every
        findMedian()
        sigma = min(max(1.4826 * median / 6.0.squareRoot(), 0.02), 0.6)
    }

    /// Goes from the median before to the one of now: they are a few values apart.
    private mutating func findMedian() {
        let middle = count / 2
        while true {
            var (below, notAbove) = (0, 0)
            var (previous, following) = (-Double.infinity, Double.infinity)
            for i in recent.indices {
                let value = recent[i]
                below += value < median ? 1 : 0
                notAbove += value <= median ? 1 : 0
                previous = max(previous, value < median ? value : -.infinity)
                following = min(following, value > median ? value : .infinity)
            }
            if middle < below {
                median = previous
            } else if middle >= notAbove {
                median = following
            } else {
                return
            }
        }
    }
}
