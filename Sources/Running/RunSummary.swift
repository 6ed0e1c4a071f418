/// The answer after the run.
package struct RunSummary: Sendable {
    package var distance = 0.0
    package var liveDistance = 0.0
    /// Part of `distance`.
    package var bridged = 0.0
    package var elapsed = 0.0
    package var moving = 0.0
    package var ascent = 0.0
    package var outliers = 0
    package var splits: [Split] = []
    package var lastPartial: Split?
    package var gaps: [Gap] = []
    /// False when the distance was recalibrated by positions, by 1.5 % or more, or made of them alone.
    package var isSpeedFieldTrusted = true
    /// What one meter of the speed field was worth, below and above 2 m/s.
    package var speedScale = (slow: 1.0, fast: 1.0)
}
