import Geodesy

/// Accepts or rejects each epoch, with a reason.
///
/// What the receiver's own words rule out comes in as `Epoch.rejection`. The gate adds what only
/// the sequence tells: order, steps of the clock, accuracy, jumps and frozen positions. It is never
/// stuck: a new place or a new time that agrees with itself long enough wins.
package struct FixGate: Sendable {
    /// What became of one epoch.
    package enum Verdict: Sendable {
        /// `step` is set on a fix that opens a new segment whatever the time since the last one.
        case accepted(step: Step?)
        case rejected(Rejection)
        /// The epoch is held until the next ones settle it, or it repeats the one before word for word.
        case pending
    }

    package enum Step: Sendable { case clockStep, speedJump }

    /// Worst accuracy accepted, DRMS in meters.
    package static let worstAccuracy = 50.0
    /// Fastest way from the last accepted fix, in meters a second.
    package static let topSpeed = 100.0
    /// Seconds after which a new place that agrees with itself wins; or so many fixes.
    package static let patience = 10.0
    package static let patienceCount = 10
    /// Seconds for which identical coordinates are believed at ``frozenSpeed`` m/s or more.
    package static let frozenPatience = 5.0
    package static let frozenSpeed = 1.0
    /// Seconds that UTC may go ahead between two fixes without being called a step.
    package static let longestStep = 86_400.0

    private var last: Mark?
    /// Since when the position has stood while the speed did not.
    private var frozenSince: UTC?
    /// The clock was set, and no fix has been accepted since.
    private var owesStep = false
    private var jump: (first: UTC, latest: Mark, count: Int)?
    /// Epochs whose time stepped, while it is not sure that the clock was set.
    private var suspects: [Epoch] = []
    /// Suspects that were rejected and not yet handed over, oldest first.
    private var settled: [(epoch: Epoch, reason: Rejection)] = []

    package init() {
        suspects.reserveCapacity(3)
        settled.reserveCapacity(4)
    }

    /// Judges the next epoch.
    ///
    /// An epoch whose time stepped is held until two more settle whether the clock was set: take
    /// those that are rejected with ``nextSettled()`` before what this returns.
    package mutating func step(_ epoch: borrowing Epoch) -> Verdict {
        guard let time = epoch.time, let coordinate = epoch.coordinate, epoch.rejection == nil
        else {
            return .rejected(epoch.rejection ?? .noFix)
        }
        let mark = Mark(time: time, coordinate: coordinate)
        if let last {
            if time == last.time {
                return coordinate == last.coordinate ? .pending : .rejected(.duplicate)
            }
            if isStep(from: last.time, to: time) {
                guard isSettled(by: epoch, time) else { return .pending }
                return judge(epoch, mark, step: .clockStep)
            }
        }
        release(as: nil)
        return judge(epoch, mark, step: nil)
    }

    package var hasSettled: Bool {
        @inline(always)
        get { !settled.isEmpty }
    }

    /// Hands over the oldest epoch that was held and then rejected, if there is one.
    package mutating func nextSettled() -> (epoch: Epoch, reason: Rejection)? {
        settled.isEmpty ? nil : settled.removeFirst()
    }

    /// Judges what is still held when the input ends.
    package mutating func finish() {
        release(as: nil)
    }

    // MARK: Steps of the clock

    private func isStep(from earlier: UTC, to later: UTC) -> Bool {
        let seconds = later.seconds(since: earlier)
        return seconds <= 0 || seconds > Self.longestStep
    }

    /// Holds an epoch whose time stepped, unless two before it stepped alike: the clock was set.
    private mutating func isSettled(by epoch: Epoch, _ time: UTC) -> Bool {
        if let held = suspects.last?.time {
            let seconds = time.seconds(since: held)
            if seconds <= 0 || seconds > Self.patience { release(as: nil) }
        }
        if suspects.count < 2 {
            suspects.append(copy epoch)
            return false
        }
        release(as: .clockStep)
        owesStep = true
        last = nil
        frozenSince = nil
        jump = nil
        return true
    }

    /// Counts the suspects under the reason given, or each under its own.
    private mutating func release(as reason: Rejection?) {
        guard !suspects.isEmpty else { return }
        for epoch in suspects {
            let isAhead =
                (epoch.time ?? UTC(milliseconds: .min)) > (last?.time ?? UTC(milliseconds: 0))
            let own: Rejection = isAhead ? .clockStep : .outOfOrder
            settled.append((epoch, reason ?? own))
        }
        suspects.removeAll(keepingCapacity: true)
    }

    // MARK: Place

    /// Where a fix was, and when.
    private struct Mark {
        var time: UTC
        var coordinate: Coordinate
    }

    private mutating func judge(_ epoch: borrowing Epoch, _ mark: Mark, step: Step?) -> Verdict {
        if epoch.horizontalAccuracy ?? Accuracy.unknown > Self.worstAccuracy {
            return .rejected(.accuracy)
        }
        // The epoch that settled a step of the clock may itself have been refused.
        var step = step ?? (owesStep ? .clockStep : nil)
        if let last, isJump(from: last, to: mark) {
            guard newPlaceWins(mark) else { return .rejected(.speedJump) }
            step = .speedJump
        }
        jump = nil
        if isFrozen(mark, speed: epoch.speed) { return .rejected(.frozen) }
        last = mark
        owesStep = false
        return .accepted(step: step)
    }

    private func isJump(from earlier: Mark, to later: Mark) -> Bool {
        let reach = Self.topSpeed * later.time.seconds(since: earlier.time)
        return WGS84.isFarther(earlier.coordinate, later.coordinate, than: reach)
    }

    private mutating func newPlaceWins(_ mark: Mark) -> Bool {
        guard let jump, mark.time > jump.latest.time, !isJump(from: jump.latest, to: mark) else {
            jump = (mark.time, mark, 1)
            return false
        }
        let count = jump.count + 1
        self.jump = (jump.first, mark, count)
        return count >= Self.patienceCount
            || mark.time.seconds(since: jump.first) >= Self.patience
    }

    private mutating func isFrozen(_ mark: Mark, speed: Double?) -> Bool {
        guard let last, mark.coordinate == last.coordinate, let speed, speed >= Self.frozenSpeed
        else {
            frozenSince = nil
            return false
        }
        let since = frozenSince ?? last.time
        frozenSince = since
        return mark.time.seconds(since: since) >= Self.frozenPatience
    }
}
