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
    /// Entries of ``pending`` that were handed over.
    private var head = 0
    private var last = false
    private var latest = false
    private var isLast = false

    private struct Entry: Sendable {
        var node: Node
        var isMoving: Bool?
    }

    package init() { pending.reserveCapacity(32) }

    package mutating func shift(_ by: SIMD2<Double>) {
        for i in head..<pending.count { pending[i].node.position += by }
    }

    /// Takes the next node with what was thought of it live; then ``next()``.
    package mutating func step(_ node: borrowing Node) {
        if node.isHole { settle() }
        compact()
        latest = node.isMoving
        for i in head..<pending.count where pending[i].isMoving == nil {
            let age = node.time.seconds(since: pending[i].node.time)
            if age >= Self.delay - 0.05 { pending[i].isMoving = node.isMoving }
        }
        pending.append(Entry(node: copy node, isMoving: node.isHole ? node.isMoving : nil))
    }

    package mutating func finish() {
        settle()
        isLast = true
    }

    /// Goes on to the next node of which it is settled whether the runner moved, and tells that.
    package mutating func next() -> Bool? {
        guard head < pending.count, let isMoving = pending[head].isMoving else { return nil }
        if isMoving, !last, !pending[head].node.isHole {
            guard let burst = burst() else { return nil }
            for i in head..<head + burst { pending[i].isMoving = false }
        }
        last = pending[head].isMoving ?? isMoving
        head += 1
        return last
    }

    /// The node that ``next()`` went on to.
    package var settled: Node {
        @inline(__always)
        get { pending[head - 1].node }
    }

    /// How many of the oldest nodes are a motion too short to be one; `nil`: not known yet.
    private func burst() -> Int? {
        let start = pending[head].node.time
        var way = SIMD2<Double>.zero
        for i in head..<pending.count {
            guard let isMoving = pending[i].isMoving else { return isLast ? 0 : nil }
            if pending[i].node.isHole { return 0 }
            let seconds = pending[i].node.time.seconds(since: start)
            guard isMoving else {
                let isShort = seconds < Self.shortestBurst
                let speed = length(way) / max(seconds, 1)
                let isBurst = isShort || (hasVelocity(before: i) && speed < Self.wander.speed)
                return isBurst ? i - head : 0
            }
            if seconds >= Self.wander.seconds { return 0 }
            way += (pending[i].node.velocities?.end ?? .zero) * pending[i].node.seconds
        }
        return isLast ? 0 : nil
    }

    private func hasVelocity(before end: Int) -> Bool {
        for i in head..<end where pending[i].node.velocities == nil { return false }
        return true
    }

    private mutating func settle() {
        for i in head..<pending.count where pending[i].isMoving == nil {
            pending[i].isMoving = latest
        }
    }

    private mutating func compact() {
        guard head == pending.count || head >= 32 else { return }
        pending.removeFirst(head)
        head = 0
    }
}
