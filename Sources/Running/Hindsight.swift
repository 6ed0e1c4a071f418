package import Positioning

/// Tells standing from moving as it looks some seconds later.
///
/// A decision that rests on the mean of three seconds comes two late: it is put back where it
/// belongs. A burst of motion too short to be one is standing.
package struct Hindsight: Sendable {
    static let delay = 2.0
    static let shortestBurst = 5.0
    /// A longer one that leads nowhere is standing too: so slow is its mean velocity.
    static let wander = (seconds: 30.0, speed: 0.8)

    private var pending: [Entry] = []
    private var last = false
    private var latest = false
    private var isLast = false

    private struct Entry: Sendable {
        var node: Node
        var isMoving: Bool?
    }

    package init() { pending.reserveCapacity(32) }

    package mutating func shift(_ by: SIMD2<Double>) {
        for i in pending.indices { pending[i].node.position += by }
    }

    /// Takes the next node with what was thought of it live; then ``next()``.
    package mutating func step(_ node: borrowing Node) {
        if node.isHole { settle() }
        latest = node.isMoving
        for i in pending.indices where pending[i].isMoving == nil {
            let age = node.time.seconds(since: pending[i].node.time)
            if age >= Self.delay - 0.05 { pending[i].isMoving = node.isMoving }
        }
        pending.append(Entry(node: copy node, isMoving: node.isHole ? node.isMoving : nil))
    }

    package mutating func finish() {
        settle()
        isLast = true
    }

    /// Hands over the oldest node, if it is settled whether the runner moved.
    package mutating func next() -> (node: Node, isMoving: Bool)? {
        guard let first = pending.first, let isMoving = first.isMoving else { return nil }
        if isMoving, !last, !first.node.isHole {
            guard let burst = burst() else { return nil }
            for i in 0..<burst { pending[i].isMoving = false }
        }
        last = pending[0].isMoving ?? isMoving
        pending.removeFirst()
        return (first.node, last)
    }

    /// How many of the oldest nodes are a motion too short to be one; `nil`: not known yet.
    private func burst() -> Int? {
        let start = pending[0].node.time
        var way = SIMD2<Double>.zero
        for (i, entry) in pending.enumerated() {
            guard let isMoving = entry.isMoving else { return isLast ? 0 : nil }
            if entry.node.isHole { return 0 }
            let seconds = entry.node.time.seconds(since: start)
            guard isMoving else {
                let isShort = seconds < Self.shortestBurst
                let speed = length(way) / max(seconds, 1)
                return isShort || (hasVelocity(i) && speed < Self.wander.speed) ? i : 0
            }
            if seconds >= Self.wander.seconds { return 0 }
            way += (entry.node.velocities?.end ?? .zero) * entry.node.seconds
        }
        return isLast ? 0 : nil
    }

    private func hasVelocity(_ count: Int) -> Bool {
        for i in 0..<count where pending[i].node.velocities == nil { return false }
        return true
    }

    private mutating func settle() {
        for i in pending.indices where pending[i].isMoving == nil { pending[i].isMoving = latest }
    }
}
