import Positioning
import Testing

@Suite("The smoother behind the run")
struct SmootherTests {
    /// A filter led along a line at 3 m/s by positions that swing by meters.
    private func entries(_ count: Int) -> [(Belief, Prediction?)] {
        var filter = DriftFilter()
        var entries: [(Belief, Prediction?)] = []
        for i in 0..<count {
            let t = Double(i)
            // Two waves of different length, far from any that the filter knows.
            let swing = 3 * wave(t, 97) + wave(t, 13)
            let position: SIMD2<Double> = [3 * t + swing, swing / 2]
            if i > 0 {
                filter.predict(
                    seconds: 1,
                    velocity: [3, 0],
                    meters: 3,
                    noise: 0.1,
                    sigma: 3,
                    doubt: 0
                )
            }
            filter.update(position, sigma: 3)
            entries.append((filter.belief, filter.prediction))
        }
        return entries
    }

    /// A triangle between -1 and 1.
    private func wave(_ t: Double, _ period: Double) -> Double {
        let phase = t / period - (t / period).rounded(.down)
        return phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase
    }

    @Test("A window of minutes gives the track of a smoother that sees the whole run, to 0.3 m")
    func lag() {
        let entries = entries(3000)
        var whole = Smoother(window: 4000, overlap: 1)
        var short = Smoother()
        var a: [SIMD2<Double>] = [], b: [SIMD2<Double>] = []
        for (belief, prediction) in entries {
            whole.step(belief, prediction)
            short.step(belief, prediction)
            b += short.settled
            short.clear()
        }
        whole.finish()
        short.finish()
        a = whole.settled
        b += short.settled
        #expect(a.count == 3000)
        #expect(b.count == 3000)
        let worst = zip(a, b).map { length($0 - $1) }.max() ?? .infinity
        #expect(worst < 0.3)
    }

    @Test("What is smoothed comes in order, once, and no later than a window")
    func order() {
        var smoother = Smoother(window: 20, overlap: 5)
        var count = 0
        for (i, (belief, prediction)) in entries(100).enumerated() {
            smoother.step(belief, prediction)
            count += smoother.settled.count
            smoother.clear()
            #expect(i + 1 - count < 20)
        }
        smoother.finish()
        #expect(count + smoother.settled.count == 100)
    }
}
