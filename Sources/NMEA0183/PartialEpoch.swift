import Geodesy
import Positioning

/// The kinds of sentence that tell something about an epoch.
struct SentenceKinds: OptionSet {
    let rawValue: UInt8

    static let rmc = SentenceKinds(rawValue: 1)
    static let gga = SentenceKinds(rawValue: 2)
    static let gns = SentenceKinds(rawValue: 4)
    static let gll = SentenceKinds(rawValue: 8)
    static let vtg = SentenceKinds(rawValue: 16)
    static let gst = SentenceKinds(rawValue: 32)

    /// No sentence with a position but GLL.
    var isGLLAlone: Bool { contains(.gll) && isDisjoint(with: [.rmc, .gga, .gns]) }

    /// What is left to wait for when kinds that only repeat others are taken out.
    var needed: SentenceKinds {
        var kinds = self
        if contains(.rmc) { kinds.remove(.vtg) }
        if contains(.gga) { kinds.remove(.gns) }
        if !isDisjoint(with: [.rmc, .gga, .gns]) { kinds.remove(.gll) }
        return kinds
    }
}

/// An epoch that is still being joined from its sentences.
struct PartialEpoch {
    /// What its sentences say about when it was.
    enum Clock: Equatable {
        /// Milliseconds of the day.
        case time(Int32)
        /// The time fields are empty.
        case absent
        /// The time fields hold no time.
        case faulty
    }

    var clock: Clock
    var kinds: SentenceKinds = []
    var position: Coordinate?
    var day: Int32?
    var speed: Double?
    var course: Double?
    var altitude: Double?
    var hdop: Double?
    /// DRMS from GST, in meters.
    var statedAccuracy: Double?
    var satellitesUsed: Int?
    var isDifferential = false
    var isDuplicate = false
    /// The capture begins in its middle.
    var isHalf = false

    private var hasFault = false
    private var hasNoFix = false
    private var isSimulated = false
    private var isDeadReckoned = false

    init(clock: Clock) {
        self.clock = clock
    }

    mutating func join(_ report: PositionReport, _ kind: SentenceKinds) {
        kinds.insert(kind)
        guard !report.isFaulty else {
            hasFault = true
            return
        }
        switch report.claim {
        case .fix: break
        case .noFix: hasNoFix = true
        case .simulated: isSimulated = true
        case .deadReckoned: isDeadReckoned = true
        }
        position = position ?? report.position.value
        day = day ?? report.day.value
        speed = speed ?? report.speed
        course = course ?? report.course
        altitude = altitude ?? report.altitude
        hdop = hdop ?? report.hdop
        satellitesUsed = satellitesUsed ?? report.satellitesUsed
        isDifferential = isDifferential || report.isDifferential
    }

    mutating func join(_ vtg: VTG) {
        kinds.insert(.vtg)
        speed = speed ?? vtg.speed
        course = course ?? vtg.course
    }

    /// The first reason that holds, but for those about the date.
    @inline(always)
    var rejection: Rejection? {
        if clock == .faulty || hasFault && position == nil { return .field }
        if hasNoFix || isHalf || clock == .absent { return .noFix }
        if position == nil { return .field }
        if isSimulated { return .simulated }
        if isDeadReckoned { return .deadReckoned }
        if position == Self.nullIsland { return .nullIsland }
        return nil
    }

    private static let nullIsland = Coordinate(nanodegreesNorth: 0, nanodegreesEast: 0)
}
