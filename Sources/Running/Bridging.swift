/// How far a runner came while nothing was received: what physics allows, no more.
package struct Bridging: Sendable {
    /// A chord shorter than this share of what was usual means that the runner stood, or turned back.
    static let steadyShare = 0.75
    /// Most that is credited, in ways at the usual speed; over a long hole a runner's pace evens out.
    static let most = (short: 1.25, long: 1.0)
    static let long = (from: 60.0, to: 80.0)
    static let topSpeed = 7.0
    static let time = 10.0
    static let slowest = 0.8

    /// Usual speed of the run lately, in meters a second; 0: not known.
    package private(set) var usual = 0.0

    package init() {}

    package mutating func learn(_ speed: Double, _ seconds: Double) {
        guard speed > Self.slowest else { return }
        usual = usual == 0 ? speed : usual + (speed - usual) * min(1, seconds / Self.time)
    }

    /// Meters over a hole of so many seconds whose ends are `chord` meters apart.
    package func meters(_ seconds: Double, chord: Double, sigma: Double) -> Double {
        guard seconds > 0 else { return 0 }
        let run = usual * seconds
        let share = min(max((seconds - Self.long.from) / (Self.long.to - Self.long.from), 0), 1)
        let most = (Self.most.short + (Self.most.long - Self.most.short) * share) * run
        let chordVariance = 2 * sigma * sigma
        let spread = 0.2 * usual
        let runVariance = spread * spread * seconds * 5
        if run > 0, chord >= Self.steadyShare * run {
            let mean =
                (chord * runVariance + run * chordVariance) / (runVariance + chordVariance)
            return min(mean, most)
        }
        guard chord > 2 * chordVariance.squareRoot() else { return 0 }
        // No more than the runner's own pace, once that is known.
        return min(chord, usual > 0 ? most : Self.topSpeed * seconds)
    }
}
