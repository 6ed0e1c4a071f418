import Geodesy

/// Accepts or rejects each epoch, with a reason.
///
/// What the receiver's own words rule out comes in as `Epoch.rejection`. The gate adds what only
/// the sequence tells: order, steps of the clock, accuracy, jumps and frozen positions. It is never
/// stuck: a new place or a new time that agrees with itself long enough wins.
package struct FixGate: Sendable {
    /// What became of one epoch.
    package struct Verdict: Sendable {
        package var epoch: Epoch
        /// The accepted fix, or `nil` with the reason in ``rejection``.
        package var fix: Fix?
        package var rejection: Rejection?
        /// Set on an accepted fix that opens a new segment whatever the time since the last one.
        package var step: Step?
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

    private var last: Fix?
    /// Since when the position has stood while the speed did not.
    private var frozenSince: UTC?
    private var jump: (first: UTC, latest: Fix, count: Int)?
    /// Epochs whose time stepped, while it is not sure that the clock was set.
    private var suspects: [Epoch] = []
    /// Judged and not yet handed over, oldest first.
    private var verdicts: [Verdict] = []

    package init() {
        suspects.reserveCapacity(3)
        verdicts.reserveCapacity(4)
    }

    /// Judges the next epoch; take the verdicts with ``next()``.
    ///
    /// An epoch whose time stepped is held until two more settle whether the clock was set.
    package mutating func step(_ epoch: borrowing Epoch) {
        guard let fix = epoch.fix else {
            verdicts.append(Verdict(epoch: copy epoch, rejection: epoch.rejection ?? .noFix))
            return
        }
        if let last, fix.time == last.time {
            if fix.coordinate == last.coordinate { return }
            verdicts.append(Verdict(epoch: copy epoch, rejection: .duplicate))
        } else if let last, isStep(from: last.time, to: fix.time) {
            holdSuspect(copy epoch, fix)
        } else {
            release(as: nil)
            judge(copy epoch, fix)
        }
    }

    /// Hands over the oldest verdict, if there is one.
    package mutating func next() -> Verdict? {
        verdicts.isEmpty ? nil : verdicts.removeFirst()
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

    private mutating func holdSuspect(
        _ epoch: Epoch,
        _ fix: Fix
    ) {
        if let held = suspects.last?.time {
            let seconds = fix.time.seconds(since: held)
            if seconds <= 0 || seconds > Self.patience { release(as: nil) }
        }
        if suspects.count < 2 {
            suspects.append(epoch)
            return
        }
        release(as: .clockStep)
        last = nil
        frozenSince = nil
        jump = nil
        judge(epoch, fix, step: .clockStep)
    }

    /// Counts the suspects under the reason given, or each under its own.
    private mutating func release(as reason: Rejection?) {
        guard !suspects.isEmpty else { return }
        for epoch in suspects {
            let isAhead = (epoch.time ?? UTC(milliseconds: .min)) > (last?.time ?? UTC(milliseconds: 0))
            let own: Rejection = isAhead ? .clockStep : .outOfOrder
            verdicts.append(Verdict(epoch: epoch, rejection: reason ?? own))
        }
        suspects.removeAll(keepingCapacity: true)
    }

    // MARK: Place

    private mutating func judge(
        _ epoch: Epoch,
        _ fix: Fix,
        step: Step? = nil
    ) {
        if fix.horizontalAccuracy > Self.worstAccuracy {
            verdicts.append(Verdict(epoch: epoch, rejection: .accuracy))
            return
        }
        var step = step
        if let last, isJump(from: last, to: fix) {
            guard newPlaceWins(fix) else {
                verdicts.append(Verdict(epoch: epoch, rejection: .speedJump))
                return
            }
            step = .speedJump
        }
        jump = nil
        if isFrozen(fix) {
            verdicts.append(Verdict(epoch: epoch, rejection: .frozen))
            return
        }
        last = fix
        verdicts.append(Verdict(epoch: epoch, fix: fix, step: step))
    }

    private func isJump(from earlier: Fix, to later: Fix) -> Bool {
        let reach = Self.topSpeed * later.time.seconds(since: earlier.time)
        return WGS84.distance(earlier.coordinate, later.coordinate) > reach
    }

    private mutating func newPlaceWins(_ fix: Fix) -> Bool {
        guard let jump, fix.time > jump.latest.time, !isJump(from: jump.latest, to: fix) else {
            jump = (fix.time, fix, 1)
            return false
        }
        let count = jump.count + 1
        self.jump = (jump.first, fix, count)
        return count >= Self.patienceCount
            || fix.time.seconds(since: jump.first) >= Self.patience
    }

    private mutating func isFrozen(_ fix: Fix) -> Bool {
        guard let last, fix.coordinate == last.coordinate, let speed = fix.speed,
            speed >= Self.frozenSpeed
        else {
            frozenSince = nil
            return false
        }
        let since = frozenSince ?? last.time
        frozenSince = since
        return fix.time.seconds(since: since) >= Self.frozenPatience
    }
}
