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

    /// Takes the speed at the end of the next node, and how long that took.
    package mutating func step(_ speed: Double?, seconds: Double, isHole: Bool) {
        guard let speed, !isHole, seconds <= Self.longestStep else {
            (before, last) = (nil, speed)
            return
        }
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
            for i in recent.indices {
                let value = recent[unchecked: i]
                below &+= value < median ? 1 : 0
                notAbove &+= value <= median ? 1 : 0
            }
            if middle < below {
                var previous = -Double.infinity
                for i in recent.indices where recent[unchecked: i] < median {
                    previous = max(previous, recent[unchecked: i])
                }
                median = previous
            } else if middle >= notAbove {
                var following = Double.infinity
                for i in recent.indices where recent[unchecked: i] > median {
                    following = min(following, recent[unchecked: i])
                }
                median = following
            } else {
                return
            }
        }
    }
}
