#if canImport(Glibc)
import Glibc
#endif

/// East and north, meters or meters a second.
///
/// Inlinable, for other modules see no bodies else: the smoother adds and scales thousands a second.
package struct Plane: Hashable, Sendable {
    package var east: Double
    package var north: Double

    @inlinable
    @inline(__always)
    package init(_ east: Double, _ north: Double) {
        self.east = east
        self.north = north
    }

    @inlinable
    @inline(__always)
    package static var zero: Plane { Plane(0, 0) }
    @inlinable
    @inline(__always)
    package var length: Double { (east * east + north * north).squareRoot() }
    @inlinable
    @inline(__always)
    package func dot(_ other: Plane) -> Double { east * other.east + north * other.north }
    @inlinable
    @inline(__always)
    package static func + (a: Plane, b: Plane) -> Plane {
        Plane(a.east + b.east, a.north + b.north)
    }
    @inlinable
    @inline(__always)
    package static func - (a: Plane, b: Plane) -> Plane {
        Plane(a.east - b.east, a.north - b.north)
    }
    @inlinable
    @inline(__always)
    package static func * (a: Plane, k: Double) -> Plane { Plane(a.east * k, a.north * k) }
    @inlinable
    @inline(__always)
    package static func += (a: inout Plane, b: Plane) { a = a + b }
}

/// The plane that touches the ellipsoid at an origin, axes east and north.
///
/// It goes through ECEF, so the pole and the date line are places like any other. At 10 km from the
/// origin lengths are 1e-6 short, which is when the engine takes a new frame.
package struct LocalFrame: Sendable {
    private let x0, y0, z0: Double
    private let sinLatitude, cosLatitude, sinLongitude, cosLongitude: Double

    package init(origin: Coordinate) {
        (sinLatitude, cosLatitude) = Self.sincosine(origin.nanodegreesNorth)
        (sinLongitude, cosLongitude) = Self.sincosine(origin.nanodegreesEast)
        (x0, y0, z0) = Self.ecef(origin)
    }

    /// The coordinate projected along the up axis, meters east and north of the origin.
    package func plane(_ coordinate: Coordinate) -> Plane {
        let (x, y, z) = Self.ecef(coordinate)
        let dx = x - x0, dy = y - y0, dz = z - z0
        let out = cosLongitude * dx + sinLongitude * dy
        return Plane(
            -sinLongitude * dx + cosLongitude * dy,
            -sinLatitude * out + cosLatitude * dz
        )
    }

    /// The coordinate under a point of the plane, to 0.1 mm within 20 km of the origin.
    package func coordinate(_ plane: Plane) -> Coordinate {
        let n = -sinLatitude * plane.north
        let x = x0 - sinLongitude * plane.east + cosLongitude * n
        let y = y0 + cosLongitude * plane.east + sinLongitude * n
        let z = z0 + cosLatitude * plane.north
        let p = (x * x + y * y).squareRoot()
        let e2 = WGS84.eccentricitySquared
        var latitude = atan2(z, p * (1 - e2))
        for _ in 0..<2 {
            let s = sin(latitude)
            latitude = atan2(z + e2 * WGS84.semiMajorAxis / (1 - e2 * s * s).squareRoot() * s, p)
        }
        return Coordinate(
            nanodegreesNorth: Int64((latitude * 180e9 / .pi).rounded()),
            nanodegreesEast: Int64((atan2(y, x) * 180e9 / .pi).rounded())
        )
    }

    /// A direction of this frame, expressed in the axes of another one near by.
    package func rotate(_ v: Plane, into other: LocalFrame) -> Plane {
        let n = -sinLatitude * v.north
        let x = -sinLongitude * v.east + cosLongitude * n
        let y = cosLongitude * v.east + sinLongitude * n
        let z = cosLatitude * v.north
        let out = other.cosLongitude * x + other.sinLongitude * y
        return Plane(
            -other.sinLongitude * x + other.cosLongitude * y,
            -other.sinLatitude * out + other.cosLatitude * z
        )
    }

    private static func sincosine(_ nanodegrees: Int64) -> (Double, Double) {
        let radians = Double(nanodegrees) * (.pi / 180e9)
        return (sin(radians), cos(radians))
    }

    private static func ecef(_ c: Coordinate) -> (Double, Double, Double) {
        let (sa, ca) = sincosine(c.nanodegreesNorth)
        let (so, co) = sincosine(c.nanodegreesEast)
        let n = WGS84.semiMajorAxis / (1 - WGS84.eccentricitySquared * sa * sa).squareRoot()
        return (n * ca * co, n * ca * so, n * (1 - WGS84.eccentricitySquared) * sa)
    }
}
