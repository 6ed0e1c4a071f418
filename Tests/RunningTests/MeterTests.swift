import Geodesy
import Positioning
import Running
import Testing

/// Distances are sums by hand: speed times seconds.
@Suite("How far and how fast")
struct MeterTests {
    @Test("A steady run is as long as its speed times its time", arguments: [true, false])
    func steady(_ tellsSpeed: Bool) {
        var run = Runs(tellsSpeed: tellsSpeed)
        run.run(10, at: 0)
        run.run(600, at: 3)
        run.run(10, at: 0)
        let outcome = run.measured()
        #expect(abs(outcome.answer.distance - 1800) < 6)
        #expect(abs(outcome.live - 1800) < 9)
        #expect(abs(outcome.answer.movingTime - 600) < 6)
        #expect(outcome.points == run.fixes.count)
    }

    @Test(
        "Standing still for 45 minutes adds nothing, though positions shake",
        arguments: [true, false]
    )
    func standing(_ tellsSpeed: Bool) {
        var run = Runs(tellsSpeed: tellsSpeed)
        run.run(2700, at: 0, told: 0.2, shaking: 0.3)
        let outcome = run.measured()
        #expect(outcome.answer.distance == 0)
        #expect(outcome.live == 0)
    }

    @Test(
        "Ten fixes a second or one in nine seconds: the same way",
        arguments: [0.04, 0.1, 1, 2, 5, 9]
    )
    func spacings(_ step: Double) {
        var run = Runs()
        run.run(900, at: 3, every: step)
        let outcome = run.measured()
        // One step less than there are fixes; half of the first may be taken for standing.
        #expect(abs(outcome.answer.distance - 3 * (900 - step)) < 3 + 1.5 * step)
        #expect(outcome.bridged == 0)
    }

    @Test("A gap the runner ran through is credited, as far as he came")
    func gap() {
        var run = Runs()
        run.run(120, at: 3)
        run.miss(40, meters: 120, speed: 3)
        run.run(120, at: 3)
        let outcome = run.measured()
        #expect(abs(outcome.bridged - 120) < 3)
        #expect(abs(outcome.answer.distance - 840) < 6)
    }

    @Test("Without bridging the answer is shorter by what was bridged")
    func unbridged() {
        var with = Runs(), without = Runs()
        for mayBridge in [true, false] {
            var run = Runs()
            run.run(120, at: 3)
            run.miss(40, meters: 120, mayBridge: mayBridge, speed: 3)
            run.run(120, at: 3)
            if mayBridge { with = run } else { without = run }
        }
        let a = with.measured(), b = without.measured()
        #expect(abs(a.answer.distance - a.bridged - b.answer.distance) < 0.5)
    }

    @Test("A pause of an hour with the device carried 8 km away credits no more than a run could")
    func carried() {
        var run = Runs()
        run.run(300, at: 3)
        run.miss(600, meters: 8000, speed: 3)
        run.run(300, at: 3)
        let outcome = run.measured()
        // Usual speed times the gap: 3 m/s for 600 s.
        #expect(outcome.bridged <= 1800 + 20)
        #expect(outcome.answer.distance <= 3600 + 30)
    }

    @Test("A gap that may not be bridged adds nothing, however far the jump")
    func jump() {
        var run = Runs()
        run.run(300, at: 3)
        run.miss(30, meters: 5000, mayBridge: false, speed: 3)
        run.run(300, at: 3)
        let outcome = run.measured()
        #expect(outcome.bridged == 0)
        #expect(abs(outcome.answer.distance - 1800) < 12)
    }

    @Test("A speed field 4 % low is put right by good positions, and told")
    func lowField() {
        var run = Runs()
        run.run(1800, at: 3, told: 2.88)
        let outcome = run.measured()
        #expect(abs(outcome.answer.distance - 5400) < 30)
        #expect((outcome.answer.speedShortfall ?? 0) > 0.03)
    }

    @Test("A speed field that is always 0 loses its trust, and positions win")
    func deadField() {
        var run = Runs()
        run.run(900, at: 3, told: 0)
        let outcome = run.measured()
        #expect(abs(outcome.answer.distance - 2700) < 60)
        #expect(outcome.answer.isSpeedTrusted == false)
    }

    @Test("One fix, two fixes: no way, no fault", arguments: [1, 2])
    func few(_ count: Int) {
        var run = Runs()
        run.run(Double(count), at: 0)
        let outcome = run.measured()
        #expect(outcome.answer.distance == 0)
        #expect(outcome.points == count)
    }

    @Test("Time that goes back costs the run nothing")
    func timeBack() {
        var run = Runs()
        run.run(300, at: 3)
        run.stepBack(100)
        run.run(300, at: 3)
        let outcome = run.measured()
        #expect(abs(outcome.answer.distance - 1800) < 12)
        #expect(outcome.points == run.fixes.count)
    }

    @Test(
        "Across a pole, the date line and 0,0 a run is as long as elsewhere",
        arguments: [(89.996, 30.0), (-89.997, -100), (0.0, 179.9999), (-0.002, 0), (0, -180)]
    )
    func edges(_ place: (Double, Double)) {
        var run = Runs(at: place.0, place.1)
        // Straight on in the plane; the course told is only true north before a pole: tell none.
        run.run(300, at: 3)
        let outcome = run.measured()
        if abs(place.0) < 80 { #expect(abs(outcome.answer.distance - 900) < 8) }
        #expect(abs(outcome.live - 900) < 20)
    }

    @Test("The shown speed follows a change of pace within 3 s")
    func step() {
        var run = Runs()
        run.run(120, at: 2.5)
        run.run(60, at: 4)
        let speeds = run.measured().speeds
        for shown in speeds[123...] { #expect(abs((shown ?? 0) - 4) < 0.4) }
    }

    @Test("No speed while standing")
    func noSpeed() {
        var run = Runs()
        run.run(60, at: 3)
        run.run(60, at: 0)
        #expect(run.measured().speeds.last == .some(0))
    }
}
