package import Positioning

/// Tells standing from moving as it looks some seconds later.
///
/// A decision that rests on the mean of three seconds comes two late: it is put back where it
/// belongs. A burst of motion too short to be one is standing.
package struct Hindsight: Sendable {
    static let delay = 2.0
    static let shortestBurst = 5.0

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
        guard let first = pending.first, var isMoving = first.isMoving else { return nil }
        if isMoving, !last, !first.node.isHole {
            guard let isBurst = isBurst() else { return nil }
            if isBurst { isMoving = false }
        }
        last = isMoving
        pending.removeFirst()
        return (first.node, isMoving)
    }

    /// The motion that begins with the oldest node is too short to be one; `nil`: not known yet.
    private func isBurst() -> Bool? {
        let start = pending[0].node.time
        for entry in pending.dropFirst() {
            guard let isMoving = entry.isMoving else { return isLast ? false : nil }
            if entry.node.isHole { return false }
            if !isMoving { return true }
            if entry.node.time.seconds(since: start) >= Self.shortestBurst { return false }
        }
        return isLast ? false : nil
    }

    private mutating func settle() {
        for i in pending.indices where pending[i].isMoving == nil { pending[i].isMoving = latest }
    }
}
