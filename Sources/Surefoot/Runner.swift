import Geodesy
import Positioning
import Running

/// From epochs to the figures of a run: gate, gaps, engine, splits, and the track behind them.
struct Runner: Sendable {
    /// Shortest time without an accepted fix that is a gap, in seconds; or so many spacings.
    static let shortestGap = 10.0
    static let gapSpacings = 4.0
    /// The same for the signal.
    static let shortestLoss = 2.0
    static let lossSpacings = 2.0
    /// Seconds of standing still after which the run is paused.
    static let pauseDwell = 3.0

    private(set) var figures = Figures()
    private(set) var splits: Splits
    private let settings: LineSettings
    private var gate = FixGate()
    private var spacing = Spacing()
    private var engine: Engine
    /// Fixes whose place in the track is not settled yet.
    private var pending = PendingPoints()
    /// What the engine says at the end; `nil` while the run goes on.
    private(set) var answer: RunSummary?
    private var last: Fix?
    private var lastOffset: Int64 = 0
    private var openGap: Gap.Cause?
    private var isSignalLost = false
    /// Gaps that are over, while it is not settled what they were credited with.
    private var endedGaps = 0
    private var stillSince: UTC?
    private var isPaused = false

    /// What is counted and kept of a run.
    struct Figures: Sendable {
        var epochs = 0
        var accepted = 0
        var rejected: InlineArray<12, Int> = .init(repeating: 0)
        var first: Fix?
        var last: Fix?
        var path = 0.0
        /// Meters, as the screen shows them.
        var liveDistance = 0.0
        /// Seconds from the first fix to the last; a step of the clock is none.
        var elapsed = 0.0
        /// Seconds, as the screen counts them.
        var liveMovingTime = 0.0
        var segments = 0
        var hasAltitude = false
    }

    init(_ settings: LineSettings) {
        self.settings = settings
        splits = Splits(unit: settings.unit.meters)
        engine = Engine(bridging: settings.bridgesGaps, autoPause: settings.pausesByItself)
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
        finish(body)
        if let last, openGap == nil { open(cause, from: last, offset: offset, body) }
    }

    /// Judges what is held back.
    mutating func finish(_ body: (borrowing Event) -> Void) {
        gate.finish()
        takeSettled(body)
    }

    /// The run is over: the engine settles what is left.
    mutating func end(_ body: (borrowing Event) -> Void) {
        finish(body)
        guard answer == nil else { return }
        let summary = engine.finish(unit: settings.unit.meters)
        answer = summary
        if endedGaps > 0, let gap = summary.gaps.last {
            body(Event(kind: .gapEnd(gap), offset: lastOffset))
        }
        drawSettled(body)
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
        if let step, let last, openGap == nil {
            open(step == .clockStep ? .clockStep : .speedJump, from: last, offset: offset, body)
        }
        if step == .clockStep { spacing.restart() }
        spacing.learn(fix.time)
        if isSignalLost {
            isSignalLost = false
            body(Event(kind: .signalRegained(fix.time), offset: offset))
        }

        let way = last.map { WGS84.distance($0.coordinate, fix.coordinate) } ?? 0
        let opensSegment = last == nil || openGap != nil
        if let cause = openGap {
            openGap = nil
            endedGaps += 1
            // A place or a time that won over the old one is not bridged, whatever was lost before.
            engine.interrupt(step == nil ? cause : step == .clockStep ? .clockStep : .speedJump)
        }
        let update = engine.step(fix)
        if let gap = update.gap {
            endedGaps -= 1
            body(Event(kind: .gapEnd(gap), offset: offset))
        }
        if opensSegment { figures.segments += 1 }
        if let last {
            let seconds = fix.time.seconds(since: last.time)
            figures.path += way
            if step != .clockStep { figures.elapsed += seconds }
            if update.isMoving, !opensSegment { figures.liveMovingTime += seconds }
        } else {
            figures.first = fix
        }
        figures.last = fix
        figures.liveDistance = update.distance
        figures.hasAltitude = figures.hasAltitude || fix.altitude != nil
        last = fix
        lastOffset = offset

        tellPause(update, body)
        let live = Live(
            coordinate: update.coordinate,
            speed: update.speed,
            pace: update.pace,
            distance: update.distance,
            isMoving: update.isMoving,
            satellites: epoch.satellites
        )
        body(Event(kind: .fix(fix, live), offset: offset))
        draw(fix, opensSegment: opensSegment, body)
        let completed = splits.step(
            distance: update.distance,
            elapsed: figures.elapsed,
            moving: figures.liveMovingTime
        )
        if let completed {
            let kind = Event.Kind.split(completed, number: splits.whole.count, time: fix.time)
            body(Event(kind: kind, offset: offset))
        }
    }

    private mutating func tellPause(_ update: LiveUpdate, _ body: (borrowing Event) -> Void) {
        guard !update.isMoving else {
            stillSince = nil
            if isPaused { body(Event(kind: .resumed(update.time), offset: lastOffset)) }
            isPaused = false
            return
        }
        let since = stillSince ?? update.time
        stillSince = since
        guard !isPaused, update.time.seconds(since: since) >= Self.pauseDwell else { return }
        isPaused = true
        body(Event(kind: .paused(update.time), offset: lastOffset))
    }

    // MARK: The track

    /// A raw track has each fix at once, a smoothed one when the engine has settled its place.
    private mutating func draw(
        _ fix: Fix,
        opensSegment: Bool,
        _ body: (borrowing Event) -> Void
    ) {
        switch settings.track {
        case .raw:
            let point = Event.Kind.point(fix, at: fix.coordinate, opensSegment: opensSegment)
            body(Event(kind: point, offset: lastOffset))
            while engine.nextSmoothed() != nil {}
        case .smoothed:
            pending.append(fix, opensSegment: opensSegment)
            drawSettled(body)
        }
    }

    private mutating func drawSettled(_ body: (borrowing Event) -> Void) {
        while let settled = engine.nextSmoothed() {
            guard let (fix, opensSegment) = pending.next() else { continue }
            let point = Event.Kind.point(fix, at: settled.coordinate, opensSegment: opensSegment)
            body(Event(kind: point, offset: lastOffset))
        }
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
