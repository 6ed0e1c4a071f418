import Geodesy
import Positioning
import Running

/// A run made by hand: straight legs, exact speeds, positions that are right.
struct Runs {
    var fixes: [(fix: Fix, connection: Meter.Connection)] = []
    var time = 0.0
    private var position = SIMD2<Double>.zero
    private let frame: LocalFrame
    private let tellsSpeed: Bool
    private var sigma = 2.0

    init(at latitude: Double = 37.5, _ longitude: Double = 127, tellsSpeed: Bool = true) {
        frame = LocalFrame(
            at: Coordinate(latitude: latitude, longitude: longitude)
                ?? Coordinate(nanodegreesNorth: 0, nanodegreesEast: 0)
        )
        self.tellsSpeed = tellsSpeed
    }

    /// Runs north for so many seconds; `told`: the speed that the receiver tells.
    mutating func run(
        _ seconds: Double,
        at speed: Double,
        every step: Double = 1,
        told: Double? = nil,
        shaking: Double = 0
    ) {
        var t = 0.0
        while t < seconds - 1e-9 {
            t += step
            time += step
            position.y += speed * step
            // A shake that has no mean: left, right, left, right.
            let side = fixes.count % 2 == 0 ? shaking : -shaking
            add(position + [side, 0], told ?? speed)
        }
    }

    /// Lets so many seconds pass without a fix, in which the runner comes so far.
    mutating func miss(_ seconds: Double, meters: Double, mayBridge: Bool? = true, speed: Double) {
        time += seconds
        position.y += meters
        add(position, speed)
        if let mayBridge, !fixes.isEmpty {
            fixes[fixes.count - 1].connection = .gap(mayBridge: mayBridge)
        }
    }

    mutating func stepBack(_ seconds: Double) {
        time -= seconds
        add(position, 3)
        fixes[fixes.count - 1].connection = .gap(mayBridge: false)
    }

    private mutating func add(_ place: SIMD2<Double>, _ speed: Double) {
        guard let coordinate = frame.coordinate(place) else { return }
        var fix = Fix(
            time: UTC(milliseconds: Int64((time * 1000).rounded()) + 1_767_229_200_000),
            coordinate: coordinate,
            horizontalAccuracy: sigma * 2.0.squareRoot()
        )
        if tellsSpeed {
            fix.speed = speed
            fix.course = 0
        }
        fixes.append((fix, .goesOn))
    }

    /// What a meter makes of it.
    struct Outcome {
        var answer: Meter.Answer
        var live: Double
        var bridged = 0.0
        var speeds: [Double?] = []
        var points = 0
    }

    func measured() -> Outcome {
        var meter = Meter(unit: 1000, drawsTrack: true)
        var spacing = Spacing()
        var bridged = 0.0
        var speeds: [Double?] = []
        var points = 0
        var live = 0.0
        for (i, (fix, connection)) in fixes.enumerated() {
            spacing.learn(fix.time)
            let reading = meter.step(
                fix,
                connection,
                spacing: spacing.learned,
                opensSegment: i == 0,
                offset: Int64(i)
            )
            if case .gap = connection { bridged += reading.bridged }
            speeds.append(reading.speed)
            live = reading.distance
            meter.takePoints { _ in points += 1 }
        }
        let answer = meter.answer
        meter.finish()
        meter.takePoints { _ in points += 1 }
        return Outcome(
            answer: answer,
            live: live,
            bridged: bridged,
            speeds: speeds,
            points: points
        )
    }
}
