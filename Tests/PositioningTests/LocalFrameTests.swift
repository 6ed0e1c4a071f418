import Geodesy
import Positioning
import Testing

@Suite("The plane in which a run is measured")
struct LocalFrameTests {
    /// Places at which other frames break: a pole, the date line, the equator, 0,0.
    static let places: [(Double, Double)] = [
        (37.5, 127), (90, 0), (89.999, 45), (-90, 10), (0, 180), (-17, -179.999), (0, 0),
        (1e-6, -1e-6),
    ]

    @Test("A place comes back from the plane to a millimeter", arguments: places)
    func roundTrip(_ place: (Double, Double)) throws {
        let origin = try #require(Coordinate(latitude: place.0, longitude: place.1))
        let frame = LocalFrame(at: origin)
        for offset: SIMD2<Double> in [[0, 0], [3, -4], [-900, 200], [5000, 5000]] {
            let there = try #require(frame.coordinate(offset))
            let back = frame.place(there).position
            #expect(length(back - offset) < 0.001)
        }
    }

    @Test("Lengths in the plane are those on the ellipsoid, to 1e-6", arguments: places)
    func lengths(_ place: (Double, Double)) throws {
        let origin = try #require(Coordinate(latitude: place.0, longitude: place.1))
        let frame = LocalFrame(at: origin)
        let a = try #require(frame.coordinate([100, 50]))
        let b = try #require(frame.coordinate([103, 54]))
        // A triangle of 3, 4 and 5 meters; the ellipsoid's own distance is another formula.
        // Coordinates are whole nanodegrees: 0.1 mm.
        #expect(abs(WGS84.distance(a, b) - 5) < 3e-4)
    }

    @Test("Across a pole the course turns over, the velocity in the plane does not")
    func pole() throws {
        var localizer = Localizer()
        var fixes: [Fix] = []
        // North along 10 E to the pole, and on south along 170 W: 10 m a step.
        for i in -3...3 where i != 0 {
            let degrees = 90 - Double(abs(i)) * 10 / 111_694
            let place = Coordinate(latitude: degrees, longitude: i < 0 ? 10 : -170)
            var fix = Fix(
                time: UTC(milliseconds: Int64(i) * 1000),
                coordinate: try #require(place),
                horizontalAccuracy: 3
            )
            fix.speed = 10
            fix.course = i < 0 ? 0 : 180
            fixes.append(fix)
        }
        let seen = fixes.map { localizer.step($0).observation }
        let first = try #require(seen.first?.velocity), last = try #require(seen.last?.velocity)
        #expect(length(first - last) < 0.01)
        #expect(abs(length(seen[5].position - seen[0].position) - 60) < 0.01)
    }

    @Test("Beyond 10 km a new frame takes over, its axes parallel to the old ones")
    func reanchoring() throws {
        var localizer = Localizer()
        var moved = SIMD2<Double>.zero
        var last = SIMD2<Double>.zero
        for i in 0...30 {
            let place = Coordinate(latitude: 60, longitude: 179.9 + Double(i) * 0.01)
            let wrapped = Coordinate(latitude: 60, longitude: 179.9 + Double(i) * 0.01 - 360)
            var fix = Fix(
                time: UTC(milliseconds: Int64(i) * 60_000),
                coordinate: try #require(place ?? wrapped),
                horizontalAccuracy: 3
            )
            fix.speed = 9
            fix.course = 90
            let (seen, shift) = localizer.step(fix)
            if let shift { last += shift }
            if i > 0 { moved += seen.position - last }
            last = seen.position
        }
        // 0.3 degrees of longitude at 60 N are 16,740 m along the parallel, which bends off the plane.
        #expect(abs(length(moved) - 16_740) < 20)
    }
}
