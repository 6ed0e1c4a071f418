/// The World Geodetic System 1984 ellipsoid: the one Earth of this program.
///
/// Source: NGA.STND.0036, table 3.1.
package enum WGS84 {
    /// Equatorial radius, in meters.
    package static let semiMajorAxis = 6_378_137.0
    /// Flattening, without a unit.
    package static let flattening = 1 / 298.257223563
    /// Polar radius, in meters.
    package static let semiMinorAxis = semiMajorAxis * (1 - flattening)
    /// First eccentricity squared, without a unit.
    package static let eccentricitySquared = flattening * (2 - flattening)
}
