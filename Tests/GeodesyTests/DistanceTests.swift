import Foundation
import Geodesy
import TestSupport
import Testing

/// Expected values: libproj's geodesic.h, which knows nothing of this program.
struct DistanceTests {
    private let proj = Proj()

    /// Anywhere on Earth; often hard by a pole, the equator or the date line.
    private func anyPlace(_ random: inout SplitMix) -> Coordinate {
        let nearby = Int64(pow(10, Double.random(in: 0...8, using: &random)))
        let north: Int64 =
            switch Int.random(in: 0..<5, using: &random) {
            case 0: 90_000_000_000 - nearby
            case 1: nearby - 90_000_000_000
            case 2: nearby - 50_000_000
            default: Int64.random(in: -90_000_000_000...90_000_000_000, using: &random)
            }
        let east: Int64 =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: 180_000_000_000 - nearby
            case 1: nearby - 180_000_000_000
            default: Int64.random(in: -180_000_000_000...180_000_000_000, using: &random)
            }
        return Coordinate(nanodegreesNorth: north, nanodegreesEast: east)
    }

    /// The largest difference from libproj for pairs `reach` meters apart, as a part of the distance.
    ///
    /// 3 nm are always allowed: libproj takes degrees as Doubles, whose last digit is 1.6 nm long.
    private func worst(_ reach: ClosedRange<Double>, count: Int, seed: UInt64) throws -> Double {
        var random = SplitMix(state: seed)
        var worst = 0.0
        let exponents = log10(reach.lowerBound)...log10(reach.upperBound)
        for _ in 0..<count {
            let a = anyPlace(&random)
            let meters = pow(10, Double.random(in: exponents, using: &random))
            let course = Double.random(in: 0..<360, using: &random)
            let b = try #require(proj.place(from: a, course: course, meters: meters))
            let expected = proj.distance(a, b)
            let excess = max(0, abs(WGS84.distance(a, b) - expected) - 3e-9)
            if excess > 0 { worst = max(worst, excess / expected) }
        }
        return worst
    }

    @Test("From 1 mm to 300 m, distance is the geodesic within 1e-8, at poles and date line too")
    func short() throws {
        #expect(try worst(0.001...300, count: 200_000, seed: 1) <= 1e-8)
    }

    @Test("Up to 10 km, distance is the geodesic within 1e-7")
    func middle() throws {
        #expect(try worst(300...10_000, count: 100_000, seed: 2) <= 1e-7)
    }

    @Test("Beyond 10 km, distance is the geodesic within 1 mm, short of the antipode")
    func long() throws {
        var random = SplitMix(state: 3)
        var (worst, count) = (0.0, 0)
        while count < 20_000 {
            let a = anyPlace(&random), b = anyPlace(&random)
            let expected = proj.distance(a, b)
            guard (10_000...19_900_000).contains(expected) else { continue }
            worst = max(worst, abs(WGS84.distance(a, b) - expected))
            count += 1
        }
        #expect(worst <= 0.001)
    }

    /// Expected: radii of curvature M and N at the middle latitude, exact for steps this small.
    ///
    /// Source: Torge, "Geodesy", 3rd edition, section 4.1.3.
    @Test("A step of a millimeter is measured as well as one of a kilometer")
    func tiny() {
        var random = SplitMix(state: 4)
        for _ in 0..<50_000 {
            let north = Int64.random(in: -85_000_000_000...85_000_000_000, using: &random)
            let (dNorth, dEast) = (
                Int64.random(in: -2000...2000, using: &random),
                Int64.random(in: -2000...2000, using: &random)
            )
            guard abs(dNorth) + abs(dEast) >= 10 else { continue }
            let a = Coordinate(nanodegreesNorth: north, nanodegreesEast: 126_932_400_000)
            let b = Coordinate(
                nanodegreesNorth: north + dNorth,
                nanodegreesEast: 126_932_400_000 + dEast
            )
            let middle = (Double(north) + Double(dNorth) / 2) * 1e-9 * .pi / 180
            let e2 = 0.006_694_379_990_141_317
            let w = 1 - e2 * sin(middle) * sin(middle)
            let m = 6_378_137 * (1 - e2) / (w * w.squareRoot())
            let n = 6_378_137 / w.squareRoot()
            let expected = hypot(
                m * Double(dNorth) * 1e-9 * .pi / 180,
                n * cos(middle) * Double(dEast) * 1e-9 * .pi / 180
            )
            #expect(abs(WGS84.distance(a, b) - expected) <= 1e-8 * expected)
        }
    }

    @Test("Nearly opposite places give a distance of half the way round, whatever their latitude")
    func antipodes() {
        var random = SplitMix(state: 5)
        for _ in 0..<2000 {
            let a = anyPlace(&random)
            let off = Int64.random(in: -500_000_000...500_000_000, using: &random)
            let opposite = a.nanodegreesEast + (a.nanodegreesEast > 0 ? -1 : 1) * 180_000_000_000
            let b = Coordinate(
                nanodegreesNorth: -a.nanodegreesNorth,
                nanodegreesEast: min(180_000_000_000, max(-180_000_000_000, opposite + off))
            )
            let distance = WGS84.distance(a, b)
            // Within half a percent, the flattening: the way is not unique, its length nearly is.
            #expect(abs(distance / proj.distance(a, b) - 1) < 0.005)
        }
    }

    @Test("Distance is the same there and back, and 0 from a place to itself")
    func symmetric() throws {
        var random = SplitMix(state: 6)
        for _ in 0..<20_000 {
            let a = anyPlace(&random)
            let b = try #require(
                proj.place(
                    from: a,
                    course: Double.random(in: 0..<360, using: &random),
                    meters: pow(10, Double.random(in: -3...4, using: &random))
                )
            )
            let there = WGS84.distance(a, b)
            #expect(abs(there - WGS84.distance(b, a)) <= 1e-8 * there + 1e-9)
            #expect(WGS84.distance(a, a) == 0)
        }
    }

    @Test("The date line has two names and no width")
    func dateLine() {
        let west = Coordinate(nanodegreesNorth: 10_000_000_000, nanodegreesEast: -180_000_000_000)
        let east = Coordinate(nanodegreesNorth: 10_000_000_000, nanodegreesEast: 180_000_000_000)
        #expect(WGS84.distance(west, east) == 0)
    }
}
