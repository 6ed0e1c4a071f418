import Geodesy
import Positioning

/// Joins the sentences of one receiver time to one epoch, whatever their order.
///
/// When an epoch is whole is learned: it closes at the last sentence that tells something new, as
/// the epochs before it had it. Before that is known, and where a receiver sends sentences of one
/// epoch after the next has begun, it closes when the second epoch after it begins; else, if a
/// sentence was lost, when the next one begins. Sentences of a closed epoch that come late change
/// nothing but what is waited for from then on.
struct EpochAssembler {
    /// Epochs that teach what to wait for.
    static let memory = 3

    /// Oldest first; at most three.
    private var open: [PartialEpoch] = []
    /// Closed and not yet handed over, oldest first.
    private var done: [PartialEpoch] = []
    /// The epoch closed last, and whether another has begun since.
    private var closed: Closed?
    private var hasBegunSinceClosed = false
    private var closedCount = 0
    private var lately: InlineArray<3, SentenceKinds> = .init(repeating: [])
    /// The first epoch, while it has GLL alone and it is not known whether the receiver sends more.
    private var half: PartialEpoch?
    /// Sentences of an epoch have come after the next epoch's first.
    private var overlaps = false
    /// Statistics that came before the epoch they belong to.
    private var early: GST?
    /// The epoch that a sentence without a time belongs to; `nil` if it is closed.
    private var current: Int?
    /// HDOP and dimensions of the latest GSA, for epochs that have no HDOP of their own.
    private(set) var hdop: Double?
    private(set) var is2D = false

    /// What must be remembered of an epoch that is closed.
    private struct Closed {
        var clock: PartialEpoch.Clock
        var kinds: SentenceKinds
        var position: Coordinate?
        var hasFix: Bool
    }

    init() {
        open.reserveCapacity(4)
        done.reserveCapacity(4)
    }

    /// Whether an epoch is closed and not yet handed over.
    var hasNext: Bool {
        @inline(always)
        get { !done.isEmpty }
    }

    /// The oldest epoch that is closed.
    ///
    /// It is read where it lies, and then dropped by ``dropNext()``: an epoch is some 160 bytes.
    ///
    /// - Precondition: there is one; see ``hasNext``.
    var next: PartialEpoch {
        _read { yield done[0] }
    }

    @inline(always)
    mutating func dropNext() {
        // Nearly always there is one alone: to take the last moves nothing.
        if done.count > 1 { done.removeFirst() } else { done.removeLast() }
    }

    /// Whether the epoch the next timeless sentence belongs to claims a fix.
    var hasFix: Bool {
        if let current { return open[current].rejection == nil }
        return closed?.hasFix ?? false
    }

    // MARK: Sentences

    /// Takes a sentence with a position.
    ///
    /// - Returns: whether it began an epoch.
    @discardableResult
    mutating func take(
        _ report: PositionReport,
        _ kind: SentenceKinds
    ) -> Bool {
        let clock: PartialEpoch.Clock =
            switch report.time {
            case .value(let time): .time(time)
            case .empty: .absent
            case .fault: .faulty
            }
        if let index = index(of: clock) {
            if !open[index].kinds.contains(kind) {
                if index + 1 < open.count { overlaps = true }
                open[index].join(report, kind)
                current = index
                closeComplete()
                return false
            }
            let isNewest = index + 1 == open.count
            if isNewest, case .time = clock {
                guard isElsewhere(report, than: open[index].position) else { return false }
                begin(clock, report, kind, isDuplicate: true)
                return true
            }
        } else if let closed, closed.clock == clock, case .time = clock, !hasBegunSinceClosed {
            guard closed.kinds.contains(kind) else {
                teachLate(kind)
                return false
            }
            guard isElsewhere(report, than: closed.position) else { return false }
            begin(clock, report, kind, isDuplicate: true)
            return true
        } else if let closed, closed.clock == clock, case .time = clock,
            !closed.kinds.contains(kind)
        {
            overlaps = true
            teachLate(kind)
            return false
        }
        begin(clock, report, kind, isDuplicate: false)
        return true
    }

    /// Whether the epoch the next timeless sentence belongs to is open and has no speed or course.
    @inline(always)
    var lacksMotion: Bool {
        guard let current else { return false }
        return open[current].speed == nil || open[current].course == nil
    }

    /// - Parameter vtg: `nil` if it would tell nothing new.
    mutating func take(_ vtg: VTG?) {
        guard let current else {
            teachLate(.vtg)
            return
        }
        open[current].kinds.insert(.vtg)
        if let vtg { open[current].join(vtg) }
        closeComplete()
    }

    mutating func take(_ gst: GST) {
        guard let time = gst.time else { return }
        if let index = index(of: .time(time)) {
            if index + 1 < open.count { overlaps = true }
            open[index].kinds.insert(.gst)
            open[index].statedAccuracy = gst.horizontalAccuracy
            closeComplete()
        } else if let closed, closed.clock == .time(time) {
            if hasBegunSinceClosed { overlaps = true }
            teachLate(.gst)
        } else {
            early = gst
        }
    }

    /// Whether an open epoch of this time, in milliseconds of the day, has a date: ZDA adds nothing.
    @inline(always)
    func hasDate(at time: Int32?) -> Bool {
        guard let time, let index = index(of: .time(time)) else { return false }
        return open[index].day != nil
    }

    /// Takes a date that came with a time alone.
    ///
    /// - Returns: whether an open epoch of that time took it.
    mutating func take(_ zda: ZDA) -> Bool {
        guard let index = index(of: .time(zda.time)) else {
            return false
        }
        open[index].day = open[index].day ?? zda.day
        return true
    }

    mutating func take(_ gsa: GSA) {
        hdop = gsa.hdop
        is2D = gsa.dimensions == 2
    }

    /// The stream ends or breaks off: all epochs are closed as they stand.
    mutating func finish() {
        while !open.isEmpty { closeOldest() }
        settleHalf(isHalf: false)
        closed = nil
        early = nil
    }

    /// The latest open epoch of this time.
    @inline(always)
    private func index(of clock: PartialEpoch.Clock) -> Int? {
        var index = open.count - 1
        while index >= 0, open[index].clock != clock { index -= 1 }
        return index >= 0 ? index : nil
    }

    // MARK: Beginning and closing

    private mutating func begin(
        _ clock: PartialEpoch.Clock,
        _ report: PositionReport,
        _ kind: SentenceKinds,
        isDuplicate: Bool
    ) {
        let keeps = overlaps || closedCount < Self.memory ? 1 : 0
        while open.count > keeps { closeOldest() }
        hasBegunSinceClosed = true
        let new = open.count
        current = new
        open.append(PartialEpoch(clock: clock))
        open[new].isDuplicate = isDuplicate
        if let gst = early, let time = gst.time, clock == .time(time) {
            open[new].kinds.insert(.gst)
            open[new].statedAccuracy = gst.horizontalAccuracy
            early = nil
        }
        open[new].join(report, kind)
        closeComplete()
    }

    private mutating func closeComplete() {
        guard closedCount >= Self.memory else { return }
        let needed = lately[0].union(lately[1]).union(lately[2]).needed
        while !open.isEmpty, open[0].kinds.isSuperset(of: needed) {
            closeOldest()
        }
    }

    private mutating func closeOldest() {
        closed = Closed(
            clock: open[0].clock,
            kinds: open[0].kinds,
            position: open[0].position,
            hasFix: open[0].rejection == nil
        )
        hasBegunSinceClosed = open.count > 1
        lately[closedCount % Self.memory] = open[0].kinds
        closedCount += 1
        if let index = current { current = index > 0 ? index - 1 : nil }
        if half != nil { settleHalf(isHalf: !open[0].kinds.isGLLAlone) }
        if closedCount == 1, open[0].kinds.isGLLAlone {
            half = open.removeFirst()
        } else if open.count == 1, done.isEmpty {
            swap(&open, &done)
        } else {
            done.append(open.removeFirst())
        }
    }

    /// A capture that begins in the middle of an epoch has its GLL alone: that is half an epoch, and
    /// no fix of a receiver that sends more.
    private mutating func settleHalf(isHalf: Bool) {
        guard var first = half else { return }
        half = nil
        first.isHalf = isHalf
        done.append(first)
    }

    private mutating func teachLate(_ kind: SentenceKinds) {
        guard closedCount > 0, closed != nil else { return }
        closed?.kinds.insert(kind)
        lately[(closedCount - 1) % Self.memory].insert(kind)
    }

    private func isElsewhere(_ report: PositionReport, than old: Coordinate?) -> Bool {
        guard let new = report.position.value, let old else { return false }
        return new != old
    }
}
