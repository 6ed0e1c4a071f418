package import Geodesy

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A fix in a plane: what filters work on.
package struct Observation: Sendable {
    package var time: UTC
    /// Meters along the axes of the frame.
    package var position: SIMD2<Double>
    /// Standard deviation of the position along one axis, in meters, 0.8 to 50.
    package var sigma: Double
    /// Speed over ground, in meters a second.
    package var speed: Double?
    /// Velocity over ground; `nil` without a speed, or if the course is not known and matters.
    package var velocity: SIMD2<Double>?
}

/// Turns fixes into observations, in a frame that follows the run.
package struct Localizer: Sendable {
    /// Below this speed a course is noise, in meters a second.
    static let slowestCourse = 0.3

    package private(set) var frame: LocalFrame?
    private var course: SIMD2<Double>?

    package init() {}

    /// Takes the next fix.
    ///
    /// `shift` is what positions of the frame before must be moved by.
    package mutating func step(_ fix: Fix) -> (observation: Observation, shift: SIMD2<Double>?) {
        var shift: SIMD2<Double>?
        var place: LocalFrame.Place
        if let frame {
            place = frame.place(fix.coordinate)
            if (place.position * place.position).sum() > LocalFrame.reach * LocalFrame.reach {
                shift = -place.position
                let next = LocalFrame(at: fix.coordinate, parallelTo: frame)
                self.frame = next
                place = next.place(fix.coordinate)
            }
        } else {
            let first = LocalFrame(at: fix.coordinate)
            frame = first
            place = first.place(fix.coordinate)
        }
        let perAxis = fix.horizontalAccuracy / 2.0.squareRoot()
        var observation = Observation(
            time: fix.time,
            position: place.position,
            sigma: min(max(perAxis, 0.8), 50),
            speed: fix.speed
        )
        if let speed = fix.speed {
            if let degrees = fix.course {
                let angle = degrees * (.pi / 180)
                course = place.east * sin(angle) + place.north * cos(angle)
            }
            if let course { observation.velocity = course * speed }
            if fix.course == nil, speed >= Self.slowestCourse { observation.velocity = nil }
            if course == nil, speed < Self.slowestCourse { observation.velocity = .zero }
        }
        return (observation, shift)
    }
}
