internal import Geodesy
internal import Positioning

/// Joins the TPVs of one receiver time to one epoch: of each field the first that is given stands.
///
/// gpsd sends up to five for one epoch, and how many differs by release and receiver. When an epoch
/// is whole is learned: it closes at as many TPVs as the fullest of the last few had; before that is
/// known, and when one fails to come, at the next time. A TPV of a closed time changes nothing but
/// what is waited for from then on.
///
/// TPVs without a time make one epoch together, however many come in a row; none if they have a
/// position and one with a time follows, of which they were the first part.
struct TPVAssembler {
    /// Epochs that teach how many TPVs to wait for.
    static let memory = 5
    /// Epochs seen before what they teach is believed.
    static let lessons = 3
    /// Farther apart, in meters, two positions of one time are two claims and no rounding.
    static let roundingError = 1.0

    private struct Open {
        var time: UTC?
        var count = 1
        var mode: Int
        var isOutOfRange: Bool
        var status: Int
        var coordinate: Coordinate?
        var altitude: Double?
        var speed: Double?
        var course: Double?
        var estimatedAccuracy: Double?

        init(_ report: PositionReport) {
            time = report.time
            mode = report.mode
            status = report.status
            isOutOfRange = report.isOutOfRange
            coordinate = report.coordinate
            altitude = report.altitude
            speed = report.speed
            course = report.course
            estimatedAccuracy = report.estimatedAccuracy
        }

        mutating func join(_ report: PositionReport) {
            count += 1
            if mode < 2, report.mode >= 2 {
                let count = count
                self = Open(report)
                self.count = count
                return
            }
            guard report.mode >= 2 || mode < 2 else { return }
            mode = max(mode, report.mode)
            status = max(status, report.status)
            isOutOfRange = isOutOfRange || report.isOutOfRange
            coordinate = coordinate ?? report.coordinate
            altitude = altitude ?? report.altitude
            speed = speed ?? report.speed
            course = course ?? report.course
            estimatedAccuracy = estimatedAccuracy ?? report.estimatedAccuracy
        }
    }

    private var open: Open?
    private var closed: Open?
    /// TPVs without a time that may be the first part of the epoch to come.
    private var pending: Open?
    /// A run of TPVs without a time goes on that was counted.
    private var isTimeless = false
    private var counts: InlineArray<5, Int> = .init(repeating: 0)
    private var closedCount = 0
    private var done: [Epoch] = []

    private var statistics: StatisticsReport?
    private var hdop: Double?
    private var satellitesUsed: Int?
    private var spacing = Spacing()

    init() {
        done.reserveCapacity(4)
    }

    /// Hands over the oldest epoch that is closed, if there is one.
    mutating func next() -> Epoch? {
        done.isEmpty ? nil : done.removeFirst()
    }

    mutating func take(_ report: StatisticsReport) {
        statistics = report
    }

    mutating func take(hdop: Double?, satellitesUsed: Int?) {
        self.hdop = hdop ?? self.hdop
        self.satellitesUsed = satellitesUsed ?? self.satellitesUsed
    }

    mutating func take(_ report: PositionReport) {
        guard let time = report.time else {
            takeTimeless(report)
            return
        }
        isTimeless = false
        if let timeless = pending {
            pending = nil
            if report.mode < 2 {
                close()
                done.append(epoch(of: timeless))
            }
        }
        if open?.time == time {
            open?.join(report)
        } else if open == nil, let closed, closed.time == time {
            takeLate(report, closed)
        } else {
            close()
            open = Open(report)
        }
        if let open, closedCount >= Self.lessons, open.count >= expected { close() }
    }

    /// The stream ends or breaks off, or another device comes: what is open is closed as it stands.
    mutating func finish() {
        close()
        if let timeless = pending { done.append(epoch(of: timeless)) }
        pending = nil
        closed = nil
        isTimeless = false
        statistics = nil
        hdop = nil
        satellitesUsed = nil
        spacing.restart()
    }

    // MARK: Closing

    private var expected: Int {
        var most = 1
        for i in 0..<min(Self.memory, closedCount) { most = max(most, counts[i]) }
        return most
    }

    private mutating func takeTimeless(_ report: PositionReport) {
        if report.mode >= 2 {
            if !isTimeless { pending = pending ?? Open(report) }
            return
        }
        close()
        if let timeless = pending {
            done.append(epoch(of: timeless))
        } else if !isTimeless {
            done.append(epoch(of: Open(report)))
        }
        pending = nil
        isTimeless = true
    }

    private mutating func takeLate(_ report: PositionReport, _ closed: Open) {
        if report.mode >= 2, closed.mode >= 2, let new = report.coordinate,
            let old = closed.coordinate, WGS84.distance(old, new) > Self.roundingError
        {
            var second = epoch(of: Open(report))
            second.rejection = second.rejection ?? .duplicate
            done.append(second)
            return
        }
        self.closed?.count += 1
        counts[(closedCount - 1) % Self.memory] = closed.count + 1
    }

    private mutating func close() {
        guard let whole = open else { return }
        open = nil
        if let time = whole.time { spacing.learn(time) }
        done.append(epoch(of: whole))
        counts[closedCount % Self.memory] = whole.count
        closedCount += 1
        closed = whole
    }

    // MARK: Judging

    private func epoch(of whole: Open) -> Epoch {
        var epoch = Epoch()
        epoch.time = whole.time
        epoch.coordinate = whole.coordinate
        epoch.altitude = whole.altitude
        epoch.speed = whole.speed
        epoch.course = whole.course
        epoch.hdop = hdop
        epoch.satellitesUsed = satellitesUsed
        epoch.rejection = rejection(of: whole)
        epoch.horizontalAccuracy =
            statedAccuracy(at: whole.time)
            ?? hdop.map { Accuracy.from(hdop: $0, isDifferential: (2...4).contains(whole.status)) }
            ?? whole.estimatedAccuracy
            ?? (whole.mode == 2 ? Accuracy.unknown2D : Accuracy.unknown)
        return epoch
    }

    private func statedAccuracy(at time: UTC?) -> Double? {
        guard let statistics, let time else { return nil }
        let age = time.seconds(since: statistics.time)
        return abs(age) <= 2 * (spacing.learned ?? 1) ? statistics.horizontalAccuracy : nil
    }

    private func rejection(of whole: Open) -> Rejection? {
        if whole.isOutOfRange, whole.coordinate == nil { return .field }
        guard whole.mode >= 2, let time = whole.time else { return .noFix }
        // A fix is claimed, and there is no position.
        guard let coordinate = whole.coordinate else { return .field }
        switch whole.status {
        case 8: return .simulated
        case 5: return .deadReckoned
        default: break
        }
        if coordinate.nanodegreesNorth == 0, coordinate.nanodegreesEast == 0 { return .nullIsland }
        return (1980...1989).contains(CivilDate(daysSince1970: time.day).year) ? .clockUnset : nil
    }
}
