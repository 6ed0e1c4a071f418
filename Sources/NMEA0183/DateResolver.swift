import Geodesy
package import Positioning

/// Gives each epoch its date, and holds those that come before any date is known.
///
/// A date comes with RMC or ZDA; between them it follows from the time of day, which is taken to lie
/// within 12 h of the epoch before. A capture without dates takes them from a fallback.
package struct DateResolver: Sendable {
    /// Seconds of receiver time for which epochs are held until a date comes.
    package static let patience = 10.0
    /// Most epochs held, whatever their times.
    static let mostHeld = 256

    private let floor: Int32?
    private let fallback: DateFallback?
    /// The latest time that is known with its date.
    private var anchor: UTC?
    private var held: [Held] = []
    /// The fallback was needed.
    package private(set) var usedFallback = false
    /// A date was moved past the floor.
    package private(set) var hasCorrected = false

    private struct Held {
        var epoch: Epoch
        var time: Int32?
    }

    /// - Parameters:
    ///   - floor: Dates before this day gain 1024 weeks until they are past it.
    ///   - fallback: For captures without dates; with `nil` their epochs stay without a time.
    package init(floor: CivilDate? = nil, fallback: DateFallback? = nil) {
        self.floor = floor?.daysSince1970
        self.fallback = fallback
        held.reserveCapacity(Self.mostHeld + 1)
    }

    /// A date with its time that came beside the epochs.
    mutating func learn(day: Int32, time: Int32, _ body: (borrowing Epoch) -> Void) {
        guard !Self.isUnset(day) else { return }
        settle(UTC(day: corrected(day).day, millisecondOfDay: time), body)
    }

    /// Takes an epoch with its time of day and the date it had, in order.
    mutating func take(
        _ epoch: inout Epoch,
        time: Int32?,
        day: Int32?,
        _ body: (borrowing Epoch) -> Void
    ) {
        guard let time else {
            pass(epoch, body)
            return
        }
        if let day {
            if Self.isUnset(day) {
                epoch.time = UTC(day: day, millisecondOfDay: time)
                epoch.rejection = epoch.rejection ?? .clockUnset
                pass(epoch, body)
                return
            }
            let (correctedDay, isCorrected) = corrected(day)
            let utc = UTC(day: correctedDay, millisecondOfDay: time)
            epoch.isDateCorrected = isCorrected
            if epoch.rejection == nil || epoch.rejection == .duplicate {
                settle(utc, body)
                hasCorrected = hasCorrected || isCorrected
            }
            epoch.time = epoch.rejection == .nullIsland ? anchor.map { Self.near($0, time) } : utc
            pass(epoch, body)
            return
        }
        if let anchor {
            let utc = Self.near(anchor, time)
            epoch.time = utc
            if epoch.rejection == nil { self.anchor = utc }
            body(epoch)
            return
        }
        held.append(Held(epoch: epoch, time: time))
        let first = held.first { $0.epoch.rejection == nil }?.time ?? time
        let waited = Self.advance(from: first, to: time)
        if waited > Int32(Self.patience * 1000) || held.count > Self.mostHeld { useFallback(body) }
    }

    /// The input ends: epochs still held take their date from the fallback.
    mutating func finish(_ body: (borrowing Epoch) -> Void) {
        useFallback(body)
    }

    // MARK: Held epochs

    /// Hands an epoch on, behind those that wait.
    private mutating func pass(_ epoch: borrowing Epoch, _ body: (borrowing Epoch) -> Void) {
        if held.isEmpty {
            body(epoch)
        } else {
            held.append(Held(epoch: copy epoch, time: nil))
            if held.count > Self.mostHeld { useFallback(body) }
        }
    }

    /// A time with its date is known: epochs that wait are dated backwards from it.
    private mutating func settle(_ known: UTC, _ body: (borrowing Epoch) -> Void) {
        anchor = known
        guard !held.isEmpty else { return }
        var later = known
        for i in held.indices.reversed() {
            guard let time = held[i].time else { continue }
            later = Self.near(later, time)
            held[i].epoch.time = later
        }
        release(body)
    }

    private mutating func useFallback(_ body: (borrowing Epoch) -> Void) {
        let first = held.first { $0.epoch.rejection == nil && $0.time != nil }?.time
        guard let first, let fallback else {
            // No position waits, or nothing can date it: they go on without a time.
            for i in held.indices where held[i].epoch.rejection == nil {
                held[i].epoch.rejection = .noFix
            }
            release(body)
            return
        }
        var time: UTC
        switch fallback {
        case .on(let date): time = UTC(day: date.daysSince1970, millisecondOfDay: first)
        case .nearFileTime(let instant), .nearHostTime(let instant):
            time = Self.near(instant, first)
        }
        usedFallback = true
        for i in held.indices {
            guard let ofDay = held[i].time else { continue }
            time = Self.near(time, ofDay)
            held[i].epoch.time = time
        }
        anchor = time
        release(body)
    }

    private mutating func release(_ body: (borrowing Epoch) -> Void) {
        for waiting in held { body(waiting.epoch) }
        held.removeAll(keepingCapacity: true)
    }

    // MARK: Days

    /// The instant with this time of day that lies nearest to another, within 12 h.
    private static func near(_ instant: UTC, _ time: Int32) -> UTC {
        let half = UTC.millisecondsADay / 2
        let sameDay = UTC(day: instant.day, millisecondOfDay: time).milliseconds
        let difference = sameDay - instant.milliseconds
        if difference > half { return UTC(milliseconds: sameDay - UTC.millisecondsADay) }
        if difference < -half { return UTC(milliseconds: sameDay + UTC.millisecondsADay) }
        return UTC(milliseconds: sameDay)
    }

    private static func advance(from earlier: Int32, to later: Int32) -> Int32 {
        later >= earlier ? later - earlier : later - earlier + Int32(UTC.millisecondsADay)
    }

    /// 1980 to 1989: a clock that counts from its own beginning.
    private static func isUnset(_ day: Int32) -> Bool {
        (3652..<7305).contains(day)
    }

    private func corrected(_ day: Int32) -> (day: Int32, isCorrected: Bool) {
        guard let floor, day < floor else { return (day, false) }
        let rollover: Int32 = 1024 * 7
        let rounds = (floor - day + rollover - 1) / rollover
        return (day + rounds * rollover, true)
    }
}
