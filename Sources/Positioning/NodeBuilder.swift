/// One step of a run, a second long or more: all that is known of it.
///
/// The order of its parts leaves no gaps: at 128 bytes a copy is a few instructions.
package struct Node: Sendable {
    package var position: SIMD2<Double>
    /// Velocity and speed over ground at the start and at the end of the step, by the speed field.
    package var velocities: (start: SIMD2<Double>, end: SIMD2<Double>)?
    package var speeds: (start: Double, end: Double)?
    /// How sure the direction of the velocity is.
    package var course = Course.received
    package var isMoving = true
    /// The receiver was silent for longer than usual; the way is not known.
    package var isHole = false
    /// The time of the hole counts as moved.
    package var countsAsMoving = false
    /// Meters credited over the hole.
    package var bridged = 0.0
    /// Number of the fix that ends it, from 1.
    package var fixNumber = 0
    package var time: UTC
    /// Seconds since the node before; 0 for the first.
    package var seconds: Double
    /// Standard deviation of the position along one axis, in meters.
    package var sigma: Double
    /// Standard deviation of the speed field, one node to the next, in meters a second.
    package var speedNoise = 0.12

    package enum Course: Comparable, Sendable {
        case received
        /// That of the positions stands in for it.
        case derived
        case unknown
    }

    package init(time: UTC, seconds: Double, position: SIMD2<Double>, sigma: Double) {
        self.time = time
        self.seconds = seconds
        self.position = position
        self.sigma = sigma
    }
}

/// Gathers fixes into nodes.
///
/// At ten fixes a second a node is the mean of ten: what sways with the runner's stride cancels,
/// and the price of all that follows is that of one fix a second.
package struct NodeBuilder: Sendable {
    /// Shortest step, in seconds.
    static let step = 0.95
    /// How long the latest speed stands in for one that is missing, in seconds.
    static let holdsSpeed = 3.0
    /// The same for the course, which a receiver leaves out at a crawl.
    static let holdsCourse = 10.0

    /// Meters run since the latest node, as far as the speed field tells.
    package private(set) var sinceNode = 0.0
    /// The same as a vector.
    package private(set) var sum = SIMD2<Double>.zero

    private var last: Observation?
    private var nodeTime: UTC?
    private var lastSpeed: (time: UTC, speed: Double, velocity: SIMD2<Double>)?
    private var lastCourse: UTC?
    private var startSpeed = 0.0
    private var startVelocity = SIMD2<Double>.zero
    private var scalarSum = 0.0
    private var count = 0
    private var hasSpeed = true
    private var course = Node.Course.received
    private var direction: SIMD2<Double>?
    private var despiker = Despiker()

    package init() {}

    package mutating func restart() {
        last = nil
        nodeTime = nil
        sum = .zero
        sinceNode = 0
        count = 0
        direction = nil
    }

    /// Positions moved with their frame.
    package mutating func shift(_ by: SIMD2<Double>) {
        last?.position += by
    }

    /// Takes the next observation; gives the node that ends with it, if one does.
    ///
    /// `moved` is the velocity as the positions have it, for receivers that leave the course out.
    package mutating func step(_ observation: Observation, moved: SIMD2<Double>) -> Node? {
        var observation = observation
        course = max(course, speak(&observation, moved))
        guard let last, let nodeTime else {
            self.last = observation
            nodeTime = observation.time
            begin(observation)
            var node = Node(
                time: observation.time,
                seconds: 0,
                position: observation.position,
                sigma: observation.sigma
            )
            if let speed = observation.speed, let velocity = observation.velocity {
                node.speeds = (speed, speed)
                node.velocities = (velocity, velocity)
                node.course = course
            }
            course = .received
            return node
        }
        let seconds = observation.time.seconds(since: last.time)
        let v0 = last.velocity ?? .zero, v1 = observation.velocity ?? .zero
        if last.speed == nil || observation.speed == nil { hasSpeed = false }
        sum += (v0 + v1) * (seconds / 2)
        scalarSum += ((last.speed ?? 0) + (observation.speed ?? 0)) * (seconds / 2)
        count += 1
        if count > 1 { sinceNode = Positioning.length(sum) }
        self.last = observation
        let length = observation.time.seconds(since: nodeTime)
        guard length >= Self.step else { return nil }
        var node = Node(
            time: observation.time,
            seconds: length,
            position: observation.position,
            sigma: observation.sigma
        )
        if hasSpeed {
            if count <= 1 {
                node.speeds = (startSpeed, observation.speed ?? 0)
                node.velocities = (startVelocity, v1)
                direction = v1
            } else {
                let mean = sum / length
                let speed = Self.arc(mean, from: direction, scalar: scalarSum / length)
                node.speeds = (speed, speed)
                node.velocities = (mean, mean)
                direction = mean
            }
        }
        node.course = course
        course = .received
        self.nodeTime = observation.time
        begin(observation)
        return node
    }

    private mutating func begin(_ observation: Observation) {
        sum = .zero
        sinceNode = 0
        scalarSum = 0
        count = 0
        hasSpeed = observation.speed != nil
        startSpeed = observation.speed ?? 0
        startVelocity = observation.velocity ?? .zero
    }

    /// Puts the latest speed or course in the place of one that is missing or out of line.
    private mutating func speak(
        _ observation: inout Observation,
        _ moved: SIMD2<Double>
    ) -> Node.Course {
        let time = observation.time
        guard let speed = observation.speed else {
            guard let lastSpeed, time.seconds(since: lastSpeed.time) <= Self.holdsSpeed else {
                return .received
            }
            observation.speed = lastSpeed.speed
            observation.velocity = lastSpeed.velocity
            return .received
        }
        let calm = despiker.step(speed)
        if calm != speed {
            observation.speed = calm
            observation.velocity = nil
        } else if observation.velocity != nil {
            lastCourse = time
        }
        var course = Node.Course.received
        if observation.velocity == nil {
            let old = lastSpeed?.velocity ?? .zero
            let oldSpeed = length(old)
            let movedSpeed = length(moved)
            if let lastCourse, time.seconds(since: lastCourse) <= Self.holdsCourse, oldSpeed > 0.1 {
                observation.velocity = old * (calm / oldSpeed)
            } else if calm < Localizer.slowestCourse {
                observation.velocity = .zero
            } else if movedSpeed > max(0.5, 0.5 * calm) {
                observation.velocity = moved * (calm / movedSpeed)
                course = .derived
            } else {
                observation.velocity = [calm, 0]
                course = .unknown
            }
        }
        lastSpeed = (time, calm, observation.velocity ?? .zero)
        return course
    }

    /// Mean speed along a bend whose mean velocity is `mean`.
    ///
    /// The mean of a velocity that turns by θ is shorter than the way by the factor
    /// sin(θ/2) / (θ/2).
    private static func arc(
        _ mean: SIMD2<Double>,
        from direction: SIMD2<Double>?,
        scalar: Double
    ) -> Double {
        let norm = length(mean)
        guard let direction, norm > 1 else { return norm }
        let other = length(direction)
        guard other > 1 else { return norm }
        let sine = (mean.x * direction.y - mean.y * direction.x) / (norm * other)
        return min(norm * (1 + sine * sine / 24), max(scalar, norm))
    }
}

@inlinable
@inline(__always)
package func length(_ vector: SIMD2<Double>) -> Double {
    (vector * vector).sum().squareRoot()
}

/// Replaces a lone value that is out of line by the median of the latest five.
///
/// A second one on the same side is a real change.
package struct Despiker: Sendable {
    static let shortest = 0.7

    private var recent: InlineArray<5, Double> = .init(repeating: 0)
    private var count = 0
    private var next = 0
    private var lastOff = 0.0

    package init() {}

    /// The latest five are so close that none is out of line, and none of them tells a side.
    private var isCalm: Bool {
        var (low, high) = (recent[0], recent[0])
        for i in 1..<5 { (low, high) = (min(low, recent[i]), max(high, recent[i])) }
        return high - low <= Self.shortest / 2
    }

    package mutating func step(_ value: Double) -> Double {
        recent[next] = value
        next = next == 4 ? 0 : next + 1
        count = min(count + 1, 5)
        guard count >= 3 else { return value }
        if count == 5, isCalm {
            lastOff = 0
            return value
        }
        let median = Self.median(recent, count)
        let off = value - median
        defer { lastOff = off }
        guard abs(off) > Self.shortest else { return value }
        var spread: InlineArray<5, Double> = .init(repeating: 0)
        for i in 0..<count { spread[i] = abs(recent[i] - median) }
        let limit = max(Self.shortest, 4 * 1.4826 * Self.median(spread, count))
        guard abs(off) > limit else { return value }
        return lastOff * off > 0 && abs(lastOff) > limit / 2 ? value : median
    }

    private static func median(_ values: InlineArray<5, Double>, _ count: Int) -> Double {
        var sorted = values
        for i in 1..<max(1, count) {
            let value = sorted[i]
            var j = i
            while j > 0, sorted[j - 1] > value {
                sorted[j] = sorted[j - 1]
                j -= 1
            }
            sorted[j] = value
        }
        return count % 2 == 1
            ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
    }
}
