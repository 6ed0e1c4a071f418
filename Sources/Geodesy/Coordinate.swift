/// A place on the ellipsoid, in integers, so that digits from the wire are kept exactly.
public struct Coordinate: Hashable, Sendable {
    /// Geodetic latitude in 1e-9 degrees, north positive, -90e9 to 90e9.
    public let nanodegreesNorth: Int64
    /// Longitude in 1e-9 degrees, east positive, -180e9 to 180e9.
    public let nanodegreesEast: Int64

    /// - Precondition: both values are within their ranges.
    public init(nanodegreesNorth: Int64, nanodegreesEast: Int64) {
        precondition(abs(nanodegreesNorth) <= 90_000_000_000, "latitude beyond a pole")
        precondition(abs(nanodegreesEast) <= 180_000_000_000, "longitude beyond 180 degrees")
        self.nanodegreesNorth = nanodegreesNorth
        self.nanodegreesEast = nanodegreesEast
    }

    /// Rounds degrees to 1e-9; `nil` for anything that is not a place on Earth.
    public init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        nanodegreesNorth = Int64((latitude * 1e9).rounded())
        nanodegreesEast = Int64((longitude * 1e9).rounded())
    }

    /// Degrees north, -90 to 90.
    public var latitude: Double { Double(nanodegreesNorth) * 1e-9 }
    /// Degrees east, -180 to 180.
    public var longitude: Double { Double(nanodegreesEast) * 1e-9 }
}
