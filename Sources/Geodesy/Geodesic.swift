#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension WGS84 {
    /// Length of the shortest way between two places along the ellipsoid, in meters.
    ///
    /// Pairs under ``shortReach`` take a closed form that is within 1e-8 of the geodesic, also at a
    /// pole and across the date line. Longer ones take Vincenty's inverse solution (Survey Review
    /// 23/176, 1975), within 1 mm; for nearly antipodal places, where that does not converge, half the
    /// meridian is bounded from above by the best iteration.
    package static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        shortDistance(a, b) ?? longDistance(a, b)
    }

    /// Whether two places lie farther apart than so many meters; near ones are told without a sine.
    package static func isFarther(_ a: Coordinate, _ b: Coordinate, than reach: Double) -> Bool {
        // The way along a meridian and a circle of latitude, with no degree longer than 111.7 km.
        let north = abs(b.nanodegreesNorth - a.nanodegreesNorth)
        let east = abs(b.nanodegreesEast - a.nanodegreesEast)
        if Double(north + east) * 111_700e-9 <= reach { return false }
        return distance(a, b) > reach
    }

    /// Pairs farther apart than this are left to the long solution, in meters.
    package static let shortReach = 10_000.0

    /// The chord between two near places, straight through the Earth, lengthened to its arc.
    ///
    /// With the radii r of the two circles of latitude and their distance m along the meridian,
    /// chord² = m² + 4 r₁ r₂ sin²(Δλ/2) holds exactly on any body of revolution, and nothing in it
    /// cancels: it is as good for a step of a millimeter as for one of a kilometer.
    private static func shortDistance(_ a: Coordinate, _ b: Coordinate) -> Double? {
        let degree = Double.pi / 180
        let stepNorth = Double(b.nanodegreesNorth - a.nanodegreesNorth) * (1e-9 * degree)
        var eastward = b.nanodegreesEast - a.nanodegreesEast
        if eastward > 180_000_000_000 { eastward -= 360_000_000_000 }
        if eastward < -180_000_000_000 { eastward += 360_000_000_000 }
        let stepEast = Double(eastward) * (1e-9 * degree)
        guard abs(stepNorth) < 0.002 else { return nil }

        // Sine and cosine of the second latitude follow from the first by the addition theorem: at
        // this reach four terms are exact.
        let latitude = a.latitude * degree
        let sine = sin(latitude)
        var cosine = cos(latitude)
        let square = stepNorth * stepNorth
        let sineOfStep = stepNorth * (1 - square / 6 * (1 - square / 20))
        let cosineOfStep = 1 - square / 2 * (1 - square / 12 * (1 - square / 30))
        let otherSine = sine * cosineOfStep + cosine * sineOfStep
        var otherCosine = cosine * cosineOfStep - sine * sineOfStep
        if abs(a.nanodegreesNorth) > 89_000_000_000 {
            // So near to a pole the cosine is the small difference of large numbers.
            (cosine, otherCosine) = (cosineByPole(a), cosineByPole(b))
        }
        let e2 = eccentricitySquared
        let normal = semiMajorAxis / (1 - e2 * sine * sine).squareRoot()
        let otherNormal = semiMajorAxis / (1 - e2 * otherSine * otherSine).squareRoot()
        let middleSine = (sine + otherSine) / 2
        let middle = 1 - e2 * middleSine * middleSine
        let meridianRadius = semiMajorAxis * (1 - e2) / (middle * middle.squareRoot())

        let alongMeridian = meridianRadius * stepNorth * (1 - square / 24)
        let halfEast = abs(stepEast) < 0.01 ? halfChord(stepEast) : sin(stepEast / 2)
        let across = 4 * normal * cosine * otherNormal * otherCosine * halfEast * halfEast
        let chord = (alongMeridian * alongMeridian + across).squareRoot()
        guard chord < shortReach else { return nil }
        let bend = chord / semiMajorAxis
        return chord * (1 + bend * bend / 24)
    }

    /// The cosine of the latitude, from the angle to the pole.
    private static func cosineByPole(_ place: Coordinate) -> Double {
        sin(Double(90_000_000_000 - abs(place.nanodegreesNorth)) * (1e-9 * .pi / 180))
    }

    /// sin(x / 2) for |x| below 0.01, to the last digit.
    private static func halfChord(_ x: Double) -> Double {
        let half = x / 2, square = half * half
        return half * (1 - square / 6 * (1 - square / 20))
    }

    private static func longDistance(_ a: Coordinate, _ b: Coordinate) -> Double {
        let degree = Double.pi / 180
        let f = flattening
        let reduced = { (latitude: Double) in atan((1 - f) * tan(latitude * degree)) }
        let u1 = reduced(a.latitude), u2 = reduced(b.latitude)
        let (sinU1, cosU1, sinU2, cosU2) = (sin(u1), cos(u1), sin(u2), cos(u2))
        let difference = remainder((b.longitude - a.longitude) * degree, 2 * .pi)

        var lambda = difference
        var (sinSigma, cosSigma, sigma, cosSqAlpha, cos2SigmaM) = (0.0, 1.0, 0.0, 1.0, 0.0)
        for _ in 0..<200 {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let p = cosU2 * sinLambda
            let q = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
            sinSigma = (p * p + q * q).squareRoot()
            if sinSigma == 0 { return 0 }
            cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
            sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
            cosSqAlpha = 1 - sinAlpha * sinAlpha
            cos2SigmaM = cosSqAlpha > 1e-15 ? cosSigma - 2 * sinU1 * sinU2 / cosSqAlpha : 0
            let c = f / 16 * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha))
            let curve = cos2SigmaM + c * cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)
            let next = difference + (1 - c) * f * sinAlpha * (sigma + c * sinSigma * curve)
            let change = abs(next - lambda)
            lambda = max(-.pi, min(.pi, next))
            if change < 1e-12 { break }
        }

        let b = semiMinorAxis
        let uSq = cosSqAlpha * (semiMajorAxis * semiMajorAxis - b * b) / (b * b)
        let bigA = 1 + uSq / 16384 * (4096 + uSq * (-768 + uSq * (320 - 175 * uSq)))
        let bigB = uSq / 1024 * (256 + uSq * (-128 + uSq * (74 - 47 * uSq)))
        let m2 = cos2SigmaM * cos2SigmaM
        let inner =
            cosSigma * (2 * m2 - 1)
            - bigB / 6 * cos2SigmaM * (4 * sinSigma * sinSigma - 3) * (4 * m2 - 3)
        let deltaSigma = bigB * sinSigma * (cos2SigmaM + bigB / 4 * inner)
        return b * bigA * (sigma - deltaSigma)
    }
}
