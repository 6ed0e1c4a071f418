import Positioning

/// Fixes that wait for their place in the track, first in, first out.
struct PendingPoints: Sendable {
    private var points: [(fix: Fix, opensSegment: Bool)] = []
    private var head = 0

    mutating func append(_ fix: Fix, opensSegment: Bool) {
        points.append((fix, opensSegment))
    }

    mutating func next() -> (fix: Fix, opensSegment: Bool)? {
        guard head < points.count else { return nil }
        let point = points[head]
        head += 1
        if head == points.count {
            points.removeAll(keepingCapacity: true)
            head = 0
        } else if head == 1024 {
            points.removeFirst(head)
            head = 0
        }
        return point
    }
}
