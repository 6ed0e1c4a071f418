#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A plane that touches the ellipsoid at one place, with coordinates in meters.
///
/// Within ``reach`` lengths in it are true to 1e-6. It knows no meridian of its own: the axes of the
/// first frame point east and north, those of its successors stay parallel to them, so that neither
/// a pole nor the date line is a special place.
package struct LocalFrame: Sendable {
    /// Meters from the origin beyond which a new frame is due.
    package static let reach = 10_000.0

    private let origin: Vector
    private let x: Vector
    private let y: Vector
    private let up: Vector

    /// A place in the frame, and how its own east and north lie in it.
    package struct Place: Sendable {
        /// Meters along the axes of the frame.
        package var position: SIMD2<Double>
        package var east: SIMD2<Double>
        package var north: SIMD2<Double>
    }

    package init(at coordinate: Coordinate) {
        let site = Site(coordinate)
        origin = site.position
        x = site.east
        y = site.north
        up = site.up
    }

    /// The frame at another place, with its axes as parallel to those of `other` as can be.
    package init(at coordinate: Coordinate, parallelTo other: LocalFrame) {
        let site = Site(coordinate)
        origin = site.position
        up = site.up
        x = (other.x - up * other.x.dot(up)).unit
        y = up.cross(x)
    }

    package func place(_ coordinate: Coordinate) -> Place {
        let site = Site(coordinate)
        let from = site.position - origin
        return Place(
            position: [from.dot(x), from.dot(y)],
            east: [site.east.dot(x), site.east.dot(y)],
            north: [site.north.dot(x), site.north.dot(y)]
        )
    }

    /// The place on the ellipsoid under a position within ``reach``, to a millimeter.
    package func coordinate(_ position: SIMD2<Double>) -> Coordinate? {
        let drop = (position * position).sum() / (2 * WGS84.semiMajorAxis)
        let p = origin + x * position.x + y * position.y - up * drop
        let across = (p.x * p.x + p.y * p.y).squareRoot()
        // Bowring's formula (Survey Review 23/181, 1976): exact on the ground.
        let a = WGS84.semiMajorAxis, b = WGS84.semiMinorAxis
        let slant = (across * across * b * b + p.z * p.z * a * a).squareRoot()
        let sine = p.z * a / slant, cosine = across * b / slant
        let e2 = WGS84.eccentricitySquared
        let latitude = atan2(
            p.z + e2 / (1 - e2) * b * sine * sine * sine,
            across - e2 * a * cosine * cosine * cosine
        )
        let degree = 180 / Double.pi
        return Coordinate(latitude: latitude * degree, longitude: atan2(p.y, p.x) * degree)
    }

    /// A place on the ellipsoid, in space: the axes of the Earth.
    private struct Site {
        let position: Vector
        let east: Vector
        let north: Vector
        let up: Vector

        init(_ coordinate: Coordinate) {
            let degree = Double.pi / 180
            let (lat, lon) = (coordinate.latitude * degree, coordinate.longitude * degree)
            let sinLat = sin(lat), cosLat = cos(lat), sinLon = sin(lon), cosLon = cos(lon)
            let e2 = WGS84.eccentricitySquared
            let normal = WGS84.semiMajorAxis / (1 - e2 * sinLat * sinLat).squareRoot()
            up = Vector(x: cosLat * cosLon, y: cosLat * sinLon, z: sinLat)
            position = Vector(x: normal * up.x, y: normal * up.y, z: normal * (1 - e2) * up.z)
            east = Vector(x: -sinLon, y: cosLon, z: 0)
            north = Vector(x: -sinLat * cosLon, y: -sinLat * sinLon, z: cosLat)
        }
    }

    private struct Vector: Sendable {
        var x: Double
        var y: Double
        var z: Double

        var unit: Vector { self * (1 / dot(self).squareRoot()) }

        func dot(_ o: Vector) -> Double { x * o.x + y * o.y + z * o.z }

        func cross(_ o: Vector) -> Vector {
            Vector(x: y * o.z - z * o.y, y: z * o.x - x * o.z, z: x * o.y - y * o.x)
        }

        static func + (a: Vector, b: Vector) -> Vector {
            Vector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
        }

        static func - (a: Vector, b: Vector) -> Vector { a + b * -1 }

        static func * (a: Vector, s: Double) -> Vector {
            Vector(x: a.x * s, y: a.y * s, z: a.z * s)
        }
    }
}
