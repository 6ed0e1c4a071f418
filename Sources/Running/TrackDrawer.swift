package import Geodesy
package import Positioning

/// Draws the track: a smoothed position for every accepted fix, in order, a few minutes late.
package struct TrackDrawer: Sendable {
    /// A point of the track.
    package struct Point: Sendable {
        package var fix: Fix
        package var coordinate: Coordinate
        package var opensSegment: Bool
        package var offset: Int64
    }

    /// Points that are settled, oldest first: whoever takes them calls ``clear()``.
    package private(set) var ready: [Point] = []

    private var smoother = Smoother()
    private var waiting: [Waiting] = []
    private var head = 0
    /// Fixes drawn so far.
    private var drawn = 0
    private var nodes: [Knot] = []
    private var nodeHead = 0
    /// The latest node that is smoothed, where the receiver had it, and where it is.
    private var last: (time: UTC, received: SIMD2<Double>, smoothed: SIMD2<Double>)?

    private struct Waiting: Sendable {
        var fix: Fix
        var position: SIMD2<Double>
        var opensSegment: Bool
        var offset: Int64
    }

    private struct Knot: Sendable {
        /// Number of the fix that ends it, from 1.
        var fixNumber: Int
        var time: UTC
        var received: SIMD2<Double>
        var isRestart: Bool
    }

    package init() {}

    package mutating func clear() { ready.removeAll(keepingCapacity: true) }

    /// Takes an accepted fix and its position in the frame.
    package mutating func add(
        _ fix: Fix,
        _ position: SIMD2<Double>,
        opensSegment: Bool,
        offset: Int64
    ) {
        waiting.append(
            Waiting(fix: fix, position: position, opensSegment: opensSegment, offset: offset)
        )
    }

    /// Positions moved with their frame.
    package mutating func shift(_ by: SIMD2<Double>) {
        smoother.shift(by)
        for i in waiting.indices { waiting[i].position += by }
        for i in nodes.indices { nodes[i].received += by }
        last?.received += by
        last?.smoothed += by
    }

    /// Takes the next node, and what a filter thinks of it.
    package mutating func step(
        _ node: borrowing Node,
        _ belief: Belief,
        _ prediction: Prediction?,
        in frame: LocalFrame
    ) {
        let seconds = node.seconds
        nodes.append(
            Knot(
                fixNumber: node.fixNumber,
                time: node.time,
                received: node.position,
                isRestart: node.isHole || seconds == 0
            )
        )
        smoother.step(belief, prediction)
        settle(in: frame)
    }

    package mutating func finish(in frame: LocalFrame) {
        smoother.finish()
        settle(in: frame)
        // Fixes behind the latest node keep its correction.
        while head < waiting.count { draw(follow(waiting[head]), in: frame) }
        compact()
    }

    private mutating func settle(in frame: LocalFrame) {
        for i in smoother.settled.indices { settle(smoother.settled[i], in: frame) }
        smoother.clear()
        compact()
    }

    private mutating func settle(_ smoothed: SIMD2<Double>, in frame: LocalFrame) {
        let knot = nodes[nodeHead]
        nodeHead += 1
        while drawn < knot.fixNumber - 1 {
            let next = waiting[head]
            guard let last, !knot.isRestart else {
                draw(follow(next), in: frame)
                continue
            }
            let whole = knot.time.seconds(since: last.time)
            let share = next.fix.time.seconds(since: last.time) / whole
            draw(last.smoothed + (smoothed - last.smoothed) * share, in: frame)
        }
        draw(smoothed, in: frame)
        last = (knot.time, knot.received, smoothed)
    }

    private func follow(_ next: Waiting) -> SIMD2<Double> {
        guard let last else { return next.position }
        return next.position + last.smoothed - last.received
    }

    private mutating func draw(_ position: SIMD2<Double>, in frame: LocalFrame) {
        let next = waiting[head]
        head += 1
        drawn += 1
        ready.append(
            Point(
                fix: next.fix,
                coordinate: frame.coordinate(position) ?? next.fix.coordinate,
                opensSegment: next.opensSegment,
                offset: next.offset
            )
        )
    }

    private mutating func compact() {
        if head > 512 || head == waiting.count {
            waiting.removeFirst(head)
            head = 0
        }
        if nodeHead > 512 || nodeHead == nodes.count {
            nodes.removeFirst(nodeHead)
            nodeHead = 0
        }
    }
}
