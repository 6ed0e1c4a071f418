import Positioning

/// The speed that a screen shows: calm while the runner keeps a pace, quick when it changes.
package struct PaceMeter: Sendable {
    static let time = 3.0

    /// Meters a second, 0 when still.
    package private(set) var shown = 0.0

    private var last = 0.0
    private var run = 0
    private var side = 0.0
    private var fading = Fading(time: Self.time)

    package init() {}

    package mutating func step(_ seconds: Double, speed: Double, noise: Double) {
        defer { last = speed }
        let off = speed - shown
        guard speed > 0 else {
            shown = 0
            run = 0
            return
        }
        guard shown > 0.3 else {
            shown = speed
            run = 0
            return
        }
        if abs(off) > max(0.35, 2.2 * noise) {
            run = off * side > 0 || run == 0 ? run + 1 : 1
            side = off
        } else {
            run = 0
        }
        if run >= 2 {
            // Two in a row on the same side: the runner changed pace.
            shown = (speed + last) / 2
            run = 0
        } else {
            shown += off * (1 - fading.kept(after: seconds)) * (run == 0 ? 1 : 0.7)
        }
    }
}
