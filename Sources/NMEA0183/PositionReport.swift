import Geodesy

/// What the four sentences with a position (RMC, GGA, GNS, GLL) have in common.
struct PositionReport {
    /// Milliseconds of the day.
    var time: Reading<Int32>
    var position: Reading<Coordinate>
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
    ///
    /// Larger ones than `most` say no more than `most` does.
    @inline(always)
    func positive(atMost most: Double) -> Double? {
        guard let value, value.mantissa > 0 else { return nil }
        return min(value.double, most)
    }

    /// The number if it is within a range.
    @inline(always)
    func number(in range: ClosedRange<Double>) -> Double? {
        guard let number = value?.double, range.contains(number) else { return nil }
        return number
    }
}

/// What may stand in a field; a number outside is not known.
enum Plausible {
    /// Meters above mean sea level: from below any sea to above any balloon.
    static let altitude = -12_000.0...100_000.0
    /// Knots: no civil receiver gives a fix at 1000 m/s.
    static let knots = 0.0...1944.0
    static let kilometersAnHour = 0.0...3600.0
    static let course = 0.0...360.0
    static let hdop = 1000.0
    /// Meters.
    static let sigma = 1_000_000.0
    static let satellites = 0...255
}

extension Reading<Int> {
    @inline(always)
    func number(in range: ClosedRange<Int>) -> Int? {
        guard let value, range.contains(value) else { return nil }
        return value
    }
}
