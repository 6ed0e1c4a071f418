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

    private struct Entry: Sendable {
        var node: Node
        var isMoving: Bool?
    }

    package init() { pending.reserveCapacity(32) }

    package mutating func shift(_ by: SIMD2<Double>) {
        for i in pending.indices { pending[i].node.position += by }
    }

    /// Takes the next node with what was thought of it live; hands over those that are settled.
    package mutating func step(_ node: borrowing Node, _ body: (borrowing Node, Bool) -> Void) {
        if node.isHole { settle() }
        latest = node.isMoving
        for i in pending.indices where pending[i].isMoving == nil {
            let age = node.time.seconds(since: pending[i].node.time)
            if age >= Self.delay - 0.05 { pending[i].isMoving = node.isMoving }
        }
        pending.append(Entry(node: copy node, isMoving: node.isHole ? node.isMoving : nil))
        release(isLast: false, body)
    }

    package mutating func finish(_ body: (borrowing Node, Bool) -> Void) {
        settle()
        release(isLast: true, body)
    }

    private mutating func settle() {
        for i in pending.indices where pending[i].isMoving == nil { pending[i].isMoving = latest }
    }

    private mutating func release(isLast: Bool, _ body: (borrowing Node, Bool) -> Void) {
        var count = 0
        while count < pending.count, let isMoving = pending[count].isMoving {
            if isMoving, !last, !pending[count].node.isHole {
                var end = count
                var isOver = isLast
                while end < pending.count, let flag = pending[end].isMoving {
                    if !flag || pending[end].node.isHole {
                        isOver = true
                        break
                    }
                    end += 1
                }
                let length = pending[max(count, end - 1)].node.time.seconds(
                    since: pending[count].node.time)
                if length < Self.shortestBurst {
                    guard isOver else { break }
                    if end < pending.count, !pending[end].node.isHole {
                        for i in count..<end { pending[i].isMoving = false }
                        continue
                    }
                }
            }
            last = isMoving
            body(pending[count].node, isMoving)
            count += 1
        }
        pending.removeFirst(count)
    }
}
