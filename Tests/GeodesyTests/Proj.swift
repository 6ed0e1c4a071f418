import CGeodesic
import Geodesy

/// The geodesic as libproj has it, good to 15 nm.
///
/// Source: Charles Karney, "Algorithms for geodesics", 2013.
struct Proj {
    private var ellipsoid = geod_geodesic()

    init() {
        geod_init(&ellipsoid, 6_378_137, 1 / 298.257223563)
    }

    /// Meters.
    ///
    /// The whole turns about the axis, so that the longitudes enter as their exact difference.
    func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        var ellipsoid = ellipsoid
        var east = b.nanodegreesEast - a.nanodegreesEast
        if east > 180_000_000_000 { east -= 360_000_000_000 }
        if east < -180_000_000_000 { east += 360_000_000_000 }
        var meters = 0.0
        geod_inverse(
            &ellipsoid,
            Double(a.nanodegreesNorth) / 1e9,
            0,
            Double(b.nanodegreesNorth) / 1e9,
            Double(east) / 1e9,
            &meters,
            nil,
            nil
        )
        return meters
    }

    /// Where one arrives from `start`; `nil` if the digits do not hold it.
    func place(from start: Coordinate, course: Double, meters: Double) -> Coordinate? {
        var ellipsoid = ellipsoid
        var (latitude, longitude) = (0.0, 0.0)
        geod_direct(
            &ellipsoid,
            start.latitude,
            start.longitude,
            course,
            meters,
            &latitude,
            &longitude,
            nil
        )
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
