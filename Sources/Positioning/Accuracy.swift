/// Horizontal accuracy, brought to one percentile: DRMS, which holds 63 to 68 % of positions.
///
/// Sources, the best first: the receiver's error statistics (GST), dilution of precision times a
/// range error, gpsd's own estimate, the kind of fix. The figures are those of
/// docs/decisions/accuracy-percentile.md.
package enum Accuracy {
    /// Of a fix about which nothing is said, in meters: 8 m an axis.
    package static let unknown = perAxis(8)
    /// Of a fix in two dimensions about which nothing else is said, in meters.
    package static let unknown2D = perAxis(15)

    /// From the standard deviations of latitude and longitude errors, in meters.
    package static func from(sigmaLatitude: Double, sigmaLongitude: Double) -> Double? {
        let square = sigmaLatitude * sigmaLatitude + sigmaLongitude * sigmaLongitude
        return square > 0 ? square.squareRoot() : nil
    }

    /// From dilution of precision, above 0; better where corrections of SBAS or a base were used.
    package static func from(hdop: Double, isDifferential: Bool) -> Double {
        perAxis((isDifferential ? 1.5 : 2.5) * hdop)
    }

    /// From gpsd's `eph`, a 95 % radius in meters, above 0.
    package static func from(eph: Double) -> Double { eph / 1.73 }

    /// Turns the standard deviation of one axis into DRMS.
    private static func perAxis(_ sigma: Double) -> Double { sigma * 2.0.squareRoot() }
}
