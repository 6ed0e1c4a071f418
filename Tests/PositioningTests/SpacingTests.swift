import Positioning
import Testing

/// Medians by hand.
struct SpacingTests {
    /// What is learned from times in milliseconds.
    private func learned(_ times: [Int64]) -> Double? {
        var spacing = Spacing()
        for time in times { spacing.learn(UTC(milliseconds: time)) }
        return spacing.learned
    }

    @Test("One epoch teaches no spacing, two do")
    func first() {
        #expect(learned([]) == nil)
        #expect(learned([5000]) == nil)
        #expect(learned([5000, 5200]) == 0.2)
    }

    @Test("The usual spacing is the median: a gap among seconds does not move it")
    func median() {
        #expect(learned([0, 1000, 2000, 62_000, 63_000]) == 1)
        // Spacings 0.2, 5, 1.
        #expect(learned([0, 200, 5200, 6200]) == 1)
        // Of an even number, the smaller of the two in the middle: 1, 3.
        #expect(learned([0, 3000, 4000]) == 1)
    }

    @Test("A receiver set to another rate is believed after 8 of 15 spacings")
    func window() {
        var times = (0...10).map { Int64($0) * 1000 }
        for _ in 0..<7 { times.append((times.last ?? 0) + 100) }
        #expect(learned(times) == 1)
        times.append((times.last ?? 0) + 100)
        #expect(learned(times) == 0.1)
    }

    @Test("Times that stand or go back teach nothing, nor does the way back from them")
    func backwards() {
        #expect(learned([1000, 1000]) == nil)
        #expect(learned([1000, 2000, 500, 3000]) == 1)
        #expect(learned([1000, 500]) == nil)
    }

    @Test("A step of the clock is no spacing; what was learned stands")
    func restart() {
        var spacing = Spacing()
        for time: Int64 in [0, 1000, 2000] { spacing.learn(UTC(milliseconds: time)) }
        spacing.restart()
        #expect(spacing.learned == 1)
        spacing.learn(UTC(milliseconds: 9_000_000))
        #expect(spacing.learned == 1)
        for time: Int64 in [9_003_000, 9_006_000, 9_009_000] {
            spacing.learn(UTC(milliseconds: time))
        }
        // 1, 1, 3, 3, 3
        #expect(spacing.learned == 3)
    }
}
