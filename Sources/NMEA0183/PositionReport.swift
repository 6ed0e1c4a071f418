/// What the four sentences with a position (RMC, GGA, GNS, GLL) have in common.
struct PositionReport {
    /// Milliseconds of the day.
    var time: Reading<Int32>
    var position: Reading<Position>
    var claim: Claim
    /// Days since 1970, not yet corrected for week rollover.
    var day: Reading<Int32> = .empty
    var speed: Double?
    var course: Double?
    var altitude: Double?
    var hdop: Double?
    var satellitesUsed: Int?
    var isDifferential = false

    /// Something that must be right is not.
    var isFaulty: Bool { time.isFault || position.isFault || day.isFault }
}

/// Units of the wire, in those of this program.
enum Unit {
    /// One knot, in meters a second: exact by definition.
    static let knot = 1852.0 / 3600
    /// One kilometer an hour, in meters a second.
    static let kilometerAnHour = 1 / 3.6
}

extension Reading<Decimal> {
    /// The number if it is above zero: HDOP and standard deviations of 0 mean "not known".
    var positive: Double? {
        guard let value, value.mantissa > 0 else { return nil }
        return value.double
    }

    /// The number if it is an angle of 0 to 360 degrees.
    var angle: Double? {
        guard let degrees = value?.double, degrees <= 360 else { return nil }
        return degrees
    }
}
