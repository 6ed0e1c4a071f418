import Positioning

extension Fix {
    /// Standard deviation of the position along one axis, in meters: DRMS / √2.
    var sigmaPerAxis: Double { horizontalAccuracy * 0.5.squareRoot() }
}
