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
///
/// An object, as it never changes and would be copied with every fix.
package final class LocalFrame: Sendable {
    /// Meters from the origin beyond which a new frame is due.
    package static let reach = 10_000.0

    private let origin: Vector
    private let x: Vector
    private let y: Vector
    private let up: Vector
    private let latitude: Angle
    private let longitude: Angle

    /// A place in the frame, and how its own east and north lie in it.
    package struct Place: Sendable {
        /// Meters along the axes of the frame.
        package var position: SIMD2<Double>
        package var east: SIMD2<Double>
        package var north: SIMD2<Double>
    }

    package init(at coordinate: Coordinate) {
        latitude = Angle(coordinate.latitude)
        longitude = Angle(coordinate.longitude)
        let site = Site(latitude, longitude)
        origin = site.position
        x = site.east
        y = site.north
        up = site.up
    }

    /// The frame at another place, with its axes as parallel to those of `other` as can be.
    package init(at coordinate: Coordinate, parallelTo other: LocalFrame) {
        latitude = Angle(coordinate.latitude)
        longitude = Angle(coordinate.longitude)
        let site = Site(latitude, longitude)
        origin = site.position
        up = site.up
        x = (other.x - up * other.x.dot(up)).unit
        y = up.cross(x)
    }

    package func place(_ coordinate: Coordinate) -> Place {
        let site = Site(
            latitude.turned(to: coordinate.latitude),
            longitude.turned(to: coordinate.longitude)
        )
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
        // On the ellipsoid the slope of the vertical follows from that of the radius.
        let north = latitude.degrees(of: p.z, across * (1 - WGS84.eccentricitySquared))
        var east = longitude.degrees(of: p.y, p.x)
        if abs(east) > 180 { east -= east > 0 ? 360 : -360 }
        return Coordinate(latitude: min(max(north, -90), 90), longitude: east)
    }

    /// An angle with its sine and cosine, from which those of its neighbors follow.
    private struct Angle: Sendable {
        var degrees: Double
        var sine: Double
        var cosine: Double

        /// Up to so many radians a series of three terms is exact.
        static let near = 0.004
        static let degree = Double.pi / 180

        init(_ degrees: Double) {
            self.init(degrees, sin(degrees * Self.degree), cos(degrees * Self.degree))
        }

        private init(_ degrees: Double, _ sine: Double, _ cosine: Double) {
            (self.degrees, self.sine, self.cosine) = (degrees, sine, cosine)
        }

        /// Another angle, by the addition theorem if it is near.
        @inline(__always)
        func turned(to other: Double) -> Angle {
            let step = (other - degrees) * Self.degree
            guard abs(step) < Self.near else { return Angle(other) }
            let square = step * step
            let sineOfStep = step * (1 - square / 6 * (1 - square / 20))
            let cosineOfStep = 1 - square / 2 * (1 - square / 12 * (1 - square / 30))
            return Angle(
                other,
                sine * cosineOfStep + cosine * sineOfStep,
                cosine * cosineOfStep - sine * sineOfStep
            )
        }

        /// The direction of a vector in degrees, found from this one if it is near.
        @inline(__always)
        func degrees(of sine: Double, _ cosine: Double) -> Double {
            let ahead = cosine * self.cosine + sine * self.sine
            let aside = sine * self.cosine - cosine * self.sine
            guard abs(aside) < Self.near * ahead else {
                return atan2(sine, cosine) * (180 / .pi)
            }
            let tangent = aside / ahead, square = tangent * tangent
            let step = tangent * (1 - square * (1.0 / 3 - square / 5))
            return degrees + step * (180 / .pi)
        }
    }

    /// A place on the ellipsoid, in space: the axes of the Earth.
    private struct Site {
        let position: Vector
        let east: Vector
        let north: Vector
        let up: Vector

        @inline(__always)
        init(_ latitude: Angle, _ longitude: Angle) {
            let sinLat = latitude.sine, cosLat = latitude.cosine
            let sinLon = longitude.sine, cosLon = longitude.cosine
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
