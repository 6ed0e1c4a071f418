import Running
import Testing

@Suite("Meters climbed")
struct AscentTests {
    @Test("Two hills of 50 m are 100 m, to the smoothing")
    func hills() {
        var ascent = Ascent()
        for i in 0...2000 {
            let phase = i % 1000
            let height = phase < 500 ? Double(phase) / 10 : Double(1000 - phase) / 10
            ascent.step(height, seconds: 1, isMoving: true)
        }
        #expect(abs((ascent.climbed ?? 0) - 100) < 4)
    }

    @Test("A flat run whose height shakes by 2 m climbs nothing")
    func flat() {
        var ascent = Ascent()
        for i in 0...2000 {
            ascent.step(i % 2 == 0 ? 48 : 52, seconds: 1, isMoving: true)
        }
        #expect((ascent.climbed ?? 1) < 0.1)
    }

    @Test("Heights that wander while the runner stands count nothing")
    func standing() {
        var ascent = Ascent()
        ascent.step(50, seconds: 1, isMoving: true)
        for i in 0...600 { ascent.step(50 + Double(i) / 20, seconds: 1, isMoving: false) }
        for _ in 0...100 { ascent.step(80, seconds: 1, isMoving: true) }
        #expect(ascent.climbed == 0)
    }

    @Test("Without heights nothing is told")
    func none() {
        #expect(Ascent().climbed == nil)
    }
}
