import Geodesy
import Positioning
import Running

/// From epochs to the figures of a run: gate, gaps, odometer, pace, splits.
struct Runner: Sendable {
    /// Shortest time without an accepted fix that is a gap, in seconds; or so many spacings.
    static let shortestGap = 10.0
    static let gapSpacings = 4.0
    /// The same for the signal.
    static let shortestLoss = 2.0
    static let lossSpacings = 2.0
    /// Slowest speed that is shown as a pace, in meters a second.
    static let slowestPace = 0.5

    private(set) var figures = Figures()
    private(set) var splits: Splits
    private let settings: LineSettings
    private var gate = FixGate()
    private var spacing = Spacing()
    private var meter: Meter
    private var last: Fix?
    private var lastOffset: Int64 = 0
    private var openGap: Gap.Cause?
    private var isSignalLost = false

    /// What is counted and kept of a run.
    struct Figures: Sendable {
        var epochs = 0
        var accepted = 0
        var rejected: InlineArray<12, Int> = .init(repeating: 0)
        var outliers = 0
        var first: Fix?
        var last: Fix?
        var path = 0.0
        var distance = 0.0
        var bridged = 0.0
        var elapsed = 0.0
        var movingTime = 0.0
        var segments = 0
        var gaps: [Gap] = []
    }

    init(_ settings: LineSettings) {
        self.settings = settings
        splits = Splits(unit: settings.unit.meters)
        meter = Meter(
            unit: settings.unit.meters,
            drawsTrack: settings.track == .smoothed
        )
    }

    mutating func take(
        _ epoch: borrowing Epoch,
        _ body: (borrowing Event) -> Void
    ) {
        if epoch.followsBreak { interrupt(.deviceLost, offset: epoch.offset, body) }
        let verdict = gate.step(epoch)
        if gate.hasSettled { takeSettled(body) }
        switch verdict {
        case .accepted(let step): accept(epoch, step: step, body)
        case .rejected(let reason): reject(epoch, reason, body)
        case .pending: break
        }
    }

    /// The stream breaks off, and why: the track breaks too.
    mutating func interrupt(
        _ cause: Gap.Cause,
        offset: Int64,
        _ body: (borrowing Event) -> Void
    ) {
        release(body)
        guard let last else { return }
        if openGap == nil {
            open(cause, from: last, offset: offset, body)
        } else if openGap == .noFix {
            openGap = cause
        }
    }

    /// The best answer with the fixes so far.
    var answer: Meter.Answer { meter.answer }
    /// Meters climbed; `nil` without heights.
    var climbed: Double? { meter.climbed }

    /// The source ends: what is open is taken as it stands, the track is drawn to its end.
    mutating func finish(_ body: (borrowing Event) -> Void) {
        release(body)
        meter.finish()
        draw(body)
    }

    private mutating func release(_ body: (borrowing Event) -> Void) {
        gate.finish()
        takeSettled(body)
    }

    private mutating func draw(_ body: (borrowing Event) -> Void) {
        meter.takePoints { point in
            let kind = Event.Kind.point(
                point.fix,
                at: point.coordinate,
                opensSegment: point.opensSegment
            )
            body(Event(kind: kind, offset: point.offset))
        }
    }

    /// Seconds after the latest fix at which its absence will tell something; `nil` if all is told.
    var nextSilence: Double? {
        guard last != nil else { return nil }
        let usual = spacing.learned ?? 0
        if !isSignalLost { return max(Self.shortestLoss, Self.lossSpacings * usual) }
        return openGap == nil ? max(Self.shortestGap, Self.gapSpacings * usual) : nil
    }

    /// Receiver time is at least so far: nothing may have come for too long.
    ///
    /// What that tells is placed where the latest fix was, whoever noticed it and when.
    mutating func pass(_ time: UTC, _ body: (borrowing Event) -> Void) {
        guard let last else { return }
        let silence = time.seconds(since: last.time)
        let usual = spacing.learned ?? 0
        if !isSignalLost, silence > max(Self.shortestLoss, Self.lossSpacings * usual) {
            isSignalLost = true
            body(Event(kind: .signalLost(time), offset: lastOffset))
        }
        if openGap == nil, silence > max(Self.shortestGap, Self.gapSpacings * usual) {
            open(.noFix, from: last, offset: lastOffset, body)
        }
    }

    // MARK: One verdict

    private mutating func takeSettled(_ body: (borrowing Event) -> Void) {
        while let (epoch, reason) = gate.nextSettled() { reject(epoch, reason, body) }
    }

    @inline(never)
    private mutating func reject(
        _ epoch: borrowing Epoch,
        _ reason: Rejection,
        _ body: (borrowing Event) -> Void
    ) {
        figures.epochs += 1
        figures.rejected[reason.index] += 1
        if let time = epoch.time, Self.tellsTime(reason) {
            spacing.learn(time)
            pass(time, body)
        }
        let kind = Event.Kind.rejected(reason, time: epoch.time, at: epoch.coordinate)
        body(Event(kind: kind, offset: epoch.offset))
    }

    /// The time of an epoch rejected for another reason than its time passes as any other.
    private static func tellsTime(_ reason: Rejection) -> Bool {
        switch reason {
        case .field, .nullIsland, .clockUnset, .duplicate, .outOfOrder, .clockStep: false
        case .noFix, .simulated, .deadReckoned, .accuracy, .speedJump, .frozen: true
        }
    }

    private mutating func accept(
        _ epoch: borrowing Epoch,
        step: FixGate.Step?,
        _ body: (borrowing Event) -> Void
    ) {
        guard let fix = epoch.fix else { return }
        let offset = epoch.offset
        figures.epochs += 1
        figures.accepted += 1
        if step != .clockStep { pass(fix.time, body) }
        if step == nil { closeFalseGap(at: fix, body) }
        if let step, let last, openGap == nil {
            open(step == .clockStep ? .clockStep : .speedJump, from: last, offset: offset, body)
        }
        if step == .clockStep { spacing.restart() }
        spacing.learn(fix.time)
        if isSignalLost {
            isSignalLost = false
            body(Event(kind: .signalRegained(fix.time), offset: offset))
        }

        let reading: Meter.Reading
        let opensSegment: Bool
        let usual = spacing.learned
        if let cause = openGap, let last {
            openGap = nil
            opensSegment = true
            let mayBridge = settings.bridgesGaps && cause.mayBeBridged && step == nil
            reading = meter.step(
                fix,
                .gap(mayBridge: mayBridge),
                spacing: usual,
                opensSegment: true,
                offset: offset
            )
            let gap = Gap(cause: cause, from: last.time, to: fix.time, bridged: reading.bridged)
            figures.gaps.append(gap)
            figures.bridged += reading.bridged
            body(Event(kind: .gapEnd(gap), offset: offset))
        } else {
            opensSegment = last == nil
            reading = meter.step(
                fix,
                .goesOn,
                spacing: usual,
                opensSegment: opensSegment,
                offset: offset
            )
        }
        if opensSegment { figures.segments += 1 }
        if let last {
            figures.path += WGS84.distance(last.coordinate, fix.coordinate)
            if step != .clockStep { figures.elapsed += fix.time.seconds(since: last.time) }
        } else {
            figures.first = fix
        }
        figures.last = fix
        figures.distance = reading.distance
        figures.movingTime = reading.movingTime
        figures.outliers = reading.outliers
        last = fix
        lastOffset = offset

        let live = Live(
            coordinate: reading.coordinate ?? fix.coordinate,
            speed: reading.speed,
            pace: reading.speed.flatMap { $0 >= Self.slowestPace ? 1000 / $0 : nil },
            distance: figures.distance,
            isMoving: reading.isMoving,
            satellites: epoch.satellites
        )
        body(Event(kind: .fix(fix, live), offset: offset))
        if settings.track == .raw {
            let point = Event.Kind.point(fix, at: fix.coordinate, opensSegment: opensSegment)
            body(Event(kind: point, offset: offset))
        } else {
            draw(body)
        }
        switch reading.pause {
        case .began(let time): body(Event(kind: .paused(time), offset: offset))
        case .ended(let time): body(Event(kind: .resumed(time), offset: offset))
        case nil: break
        }
        let completed = splits.step(
            distance: figures.distance,
            elapsed: figures.elapsed,
            moving: figures.movingTime
        )
        if let completed {
            let kind = Event.Kind.split(completed, number: splits.whole.count, time: fix.time)
            body(Event(kind: kind, offset: offset))
        }
    }

    /// A clock took the silence for a gap, and then the fixes came late without one missing.
    private mutating func closeFalseGap(at fix: Fix, _ body: (borrowing Event) -> Void) {
        guard openGap == .noFix, let last else { return }
        let longest = max(Self.shortestGap, Self.gapSpacings * (spacing.learned ?? 0))
        guard fix.time.seconds(since: last.time) <= longest else { return }
        openGap = nil
        let gap = Gap(cause: .noFix, from: last.time, to: fix.time, bridged: 0)
        body(Event(kind: .gapEnd(gap), offset: lastOffset))
    }

    private mutating func open(
        _ cause: Gap.Cause,
        from last: Fix,
        offset: Int64,
        _ body: (borrowing Event) -> Void
    ) {
        openGap = cause
        body(Event(kind: .gap(cause, from: last.time), offset: offset))
    }
}
