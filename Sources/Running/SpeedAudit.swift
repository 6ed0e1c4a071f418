package import Positioning

/// Asks positions whether the speed field can be believed at all.
///
/// A field that reads low by a share is put right by ``DriftFilter``. This one is for fields that
/// tell nothing: always 0, stuck, or half of what it should be. The chord between two positions is never
/// longer than the way, so a chord far beyond what the speed field tells proves it wrong.
package struct SpeedAudit: Sendable {
    static let window = 30.0
    /// A chord this much longer than the way is beyond error, and so are so many sigmas and meters.
    static let beyond = (share: 1.3, sigmas: 4.0, meters: 10.0)
    /// Windows running that take the trust away, and that give it back.
    static let takes = 2
    static let gives = 4
    static let agreement = 0.85...1.1

    package private(set) var isTrusted = true
    /// It was not, once.
    package private(set) var hasFailed = false

    private var start: SIMD2<Double>?
    private var seconds = 0.0
    private var way = 0.0
    private var counted = 0.0
    private var chords = 0.0
    private var failures = 0
    private var agreements = 0
    private var sigma = 0.0

    package init() {}

    package mutating func restart() {
        start = nil
        failures = 0
        agreements = 0
    }

    package mutating func shift(_ by: SIMD2<Double>) {
        if let start { self.start = start + by }
    }

    /// Takes the next node with what the speed field told of it, where positions alone have the
    /// runner, and the meters counted for it.
    ///
    /// `factor` puts the speed field right. Gives the meters to be credited, when a field
    /// that told too few has just lost its trust.
    package mutating func step(
        _ node: borrowing Node,
        speeds: (start: Double, end: Double)?,
        at position: SIMD2<Double>,
        factor: Double,
        counted: Double
    ) -> Double? {
        let isHole = node.isHole
        guard let speeds, !isHole, node.seconds > 0, let start else {
            restart()
            start = position
            (seconds, way, self.counted, chords, sigma) = (0, 0, 0, 0, 0)
            return nil
        }
        seconds += node.seconds
        way += (speeds.start + speeds.end) / 2 * node.seconds * factor
        self.counted += counted
        sigma = max(sigma, node.sigma)
        guard seconds >= Self.window else { return nil }
        let chord = length(position - start)
        let limit = Self.beyond.share * way + Self.beyond.sigmas * sigma + Self.beyond.meters
        let fails = chord > limit
        let agrees = way > 10 && Self.agreement.contains(chord / way)
        failures = fails ? failures + 1 : 0
        agreements = agrees ? agreements + 1 : 0
        chords = fails ? chords + chord : 0
        let missed = chords - self.counted
        if !fails { self.counted = 0 }
        self.start = position
        (seconds, way, sigma) = (0, 0, 0)
        if isTrusted, failures >= Self.takes {
            isTrusted = false
            hasFailed = true
            self.counted = 0
            return max(0, missed)
        }
        if !isTrusted, agreements >= Self.gives { isTrusted = true }
        return nil
    }
}
