internal import CGPS
internal import Geodesy
internal import Positioning

/// What may stand in a report, as in a sentence of NMEA 0183: speeds and heights outside are not
/// known, larger errors say no more than the largest.
private enum Plausible {
    /// Meters above mean sea level.
    static let altitude = -12_000.0...100_000.0
    /// Meters a second.
    static let speed = 0.0...1000.0
    /// Meters.
    static let error = 1_000_000.0
    static let hdop = 1000.0
}

/// What one TPV says; what it leaves out is `nil`.
struct PositionReport {
    var time: UTC?
    /// 0 not known, 1 no fix, 2 and 3 dimensions.
    var mode: Int
    /// As in gpsd_json(5); 0 says nothing.
    var status: Int
    var coordinate: Coordinate?
    /// Latitude or longitude is no place on Earth.
    var isOutOfRange: Bool
    var altitude: Double?
    var speed: Double?
    var course: Double?
    /// From `eph`, else from `epx` and `epy`.
    var estimatedAccuracy: Double?

    init(_ report: surefoot_gps_report) {
        time = report.has_time ? UTC(milliseconds: report.time_ms) : nil
        mode = Int(report.mode)
        status = Int(report.status)
        let (latitude, longitude) = (report.latitude, report.longitude)
        if !latitude.isNaN, !longitude.isNaN {
            coordinate = Coordinate(latitude: latitude, longitude: longitude)
        }
        isOutOfRange = abs(latitude) > 90 || abs(longitude) > 180
        if mode >= 3, Plausible.altitude.contains(report.altitude) { altitude = report.altitude }
        if Plausible.speed.contains(report.speed) { speed = report.speed }
        if (0...360).contains(report.track) { course = report.track }
        if report.eph.isFinite, report.eph > 0 {
            estimatedAccuracy = Accuracy.from(eph: min(report.eph, Plausible.error))
        } else {
            let square = report.epx * report.epx + report.epy * report.epy
            if square.isFinite, square > 0 {
                estimatedAccuracy = Accuracy.from(eph: min(square.squareRoot(), Plausible.error))
            }
        }
    }

    /// Claims a position, and has one.
    var isFix: Bool { mode >= 2 && coordinate != nil }
}

/// What one GST says.
struct StatisticsReport {
    var time: UTC
    /// DRMS in meters.
    var horizontalAccuracy: Double

    init?(_ report: surefoot_gps_report) {
        guard report.has_time, report.latitude_sigma.isFinite, report.longitude_sigma.isFinite,
            let accuracy = Accuracy.from(
                sigmaLatitude: min(report.latitude_sigma, Plausible.error),
                sigmaLongitude: min(report.longitude_sigma, Plausible.error)
            )
        else { return nil }
        time = UTC(milliseconds: report.time_ms)
        horizontalAccuracy = accuracy
    }
}

/// What one SKY says.
struct SkyReport {
    var hdop: Double?
    /// `nil` if it lists none.
    var satellites: Satellites?

    init(_ report: surefoot_gps_report) {
        if report.hdop.isFinite, report.hdop > 0 { hdop = min(report.hdop, Plausible.hdop) }
        guard report.satellites > 0 else { return }
        satellites = Satellites(
            used: SatelliteCounts(report.used),
            inView: SatelliteCounts(report.in_view)
        )
    }
}

private typealias CountsOfC = (Int32, Int32, Int32, Int32, Int32, Int32, Int32)

extension Satellites {
    fileprivate init(used: SatelliteCounts, inView: SatelliteCounts) {
        self.init()
        (self.used, self.inView) = (used, inView)
    }
}

extension SatelliteCounts {
    fileprivate init(_ counts: CountsOfC) {
        self.init()
        (gps, glonass, galileo) = (Self.count(counts.0), Self.count(counts.1), Self.count(counts.2))
        (beidou, qzss, navic) = (Self.count(counts.3), Self.count(counts.4), Self.count(counts.5))
        sbas = Self.count(counts.6)
    }

    private static func count(_ number: Int32) -> UInt8 { UInt8(clamping: number) }
}
