/// The constants of the engine, chosen on simulator seeds 100 to 129. Meters and seconds.
enum Tuning {
    // Knots: the filter works on means over about a second, whatever the receiver's rate.
    static let knotSpan = 1.0
    /// Knots the smoother keeps ahead of what it settles, and those at which it settles the rest.
    static let lag = 160
    static let block = 360

    // Receiver: position error is part slow bias, part white, both in shares of the accuracy.
    static let biasTime = 60.0
    static let biasFactor = 1.5
    static let whiteFactor = 0.5
    static let whiteFloor = 0.2
    /// Innovation squared over its variance, two dimensions, above which a position is an outlier.
    static let gate = 16.0
    /// Seconds of outliers after which the receiver's error is taken to have jumped.
    static let insist = 3.0
    // How fast the accuracy's own scale is learned, and the mean innovation it aims at.
    static let trustClip = 8.0
    static let trustMean = 1.4
    static let trustRate = 0.01

    // Speed field: correlated error beside the white one.
    static let speedBiasTime = 8.0
    static let speedBiasFactor = 0.35
    /// Meters a second squared: what a trapezoid over a longer step may miss.
    static let interpolationError = 0.07
    // Speed scale: κ of honest and of lying receivers, and how many lie.
    static let slowSpeed = 2.0
    static let honestDeviation = 0.002
    static let lyingDeviation = 0.08
    static let lyingShare = 0.1
    /// By how much position errors are more alike than the filter supposes.
    static let scaleVarianceFactor = 4.0
    static let scaleWarmUp = 60.0

    // Position only: how freely the runner accelerates, m²/s³.
    static let acceleration = (share: 0.1, least: 0.08, most: 2.0)
    static let positionOnlyBiasFactor = 0.3
    static let positionOnlyWhiteFactor = 0.9

    // Stillness, seconds and meters a second.
    static let stillWindow = 3.0
    static let enter = (least: 0.4, noise: 1.2, most: 0.75)
    static let leave = (least: 0.7, noise: 2.6, most: 1.0)

    // Pace.
    static let paceTime = 3.0
}

extension Tuning {
    // Direction of travel from speeds on both sides: half-widths in seconds, bends allowed, share of
    // the middle sample that leaves white noise without bias.
    static let wide = (reach: 6.5, bend: 8.0 * .pi / 180, middle: 0.04)
    static let narrow = (reach: 2.5, bend: 12.0 * .pi / 180, middle: 0.1)

    /// Chord over way of what still counts as straight.
    static let straight = 0.99
    /// Links on both sides that give the direction in which position corrections count.
    static let directionReach = 2

    // Confinement: moving about for a minute or two without getting anywhere.
    static let confined = (window: 120.0, extent: 45.0, speed: 1.5, share: 0.4)
}
