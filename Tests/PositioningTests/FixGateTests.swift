import Geodesy
import Positioning
import TestSupport
import Testing

/// Reasons and limits from the contract of the command line; distances by hand (see `epoch`).
struct FixGateTests {
    private let day = 86_400.0

    @Test(
        "What the receiver itself rules out is rejected for its own reason",
        arguments: [
            Rejection.field, .noFix, .simulated, .deadReckoned, .nullIsland, .clockUnset,
            .duplicate,
        ]
    )
    func ownWords(reason: Rejection) {
        // It is off in time, place and accuracy too: the first reason that holds counts.
        let bad = epoch(-9, east: 900, accuracy: 99, rejection: reason)
        #expect(
            outcomes([epoch(0, east: 1), bad, epoch(1, east: 1.01)])
                == [.accepted, .rejected(reason), .accepted]
        )
    }

    @Test("An epoch without a time has no fix")
    func timeless() {
        var timeless = epoch(0, east: 1)
        timeless.time = nil
        #expect(outcomes([timeless]) == [.rejected(.noFix)])
    }

    @Test("At one time the first position stands; the same one again is no epoch")
    func duplicate() {
        #expect(
            outcomes([
                epoch(0, east: 1), epoch(0, east: 1.01, accuracy: 99), epoch(0, east: 1),
                epoch(1, east: 1.02),
            ]) == [.accepted, .rejected(.duplicate), .repeated, .accepted]
        )
    }

    @Test("A clock that was set starts a segment, though the epoch that made it sure is refused")
    func stepOwed() {
        #expect(
            outcomes([
                epoch(100, east: 1), epoch(2, east: 1), epoch(3, east: 1),
                epoch(4, east: 1, accuracy: 99), epoch(5, east: 1.01),
            ]) == [
                .accepted, .rejected(.clockStep), .rejected(.clockStep), .rejected(.accuracy),
                .stepped(.clockStep),
            ]
        )
    }

    @Test("A fix from before the last accepted one is out of order, also at the end of the input")
    func outOfOrder() {
        #expect(
            outcomes([epoch(5, east: 1), epoch(3, east: 1), epoch(6, east: 1.01)])
                == [.accepted, .rejected(.outOfOrder), .accepted]
        )
        #expect(
            outcomes([epoch(5, east: 1), epoch(3, east: 1)]) == [.accepted, .rejected(.outOfOrder)]
        )
    }

    @Test("A clock set back is believed when three epochs running agree, and a segment starts")
    func clockBack() {
        let back = (0..<4).map { epoch(-3600 + Double($0), east: 1) }
        #expect(
            outcomes([epoch(0, east: 1)] + back) == [
                .accepted, .rejected(.clockStep), .rejected(.clockStep), .stepped(.clockStep),
                .accepted,
            ]
        )
    }

    @Test("Over 24 h ahead is a step, exactly 24 h is not")
    func clockAhead() {
        let ahead = (0..<3).map { epoch(day + 0.001 + Double($0), east: 1) }
        #expect(
            outcomes([epoch(0, east: 1)] + ahead) == [
                .accepted, .rejected(.clockStep), .rejected(.clockStep), .stepped(.clockStep),
            ]
        )
        #expect(outcomes([epoch(0, east: 1), epoch(day, east: 1)]) == [.accepted, .accepted])
    }

    @Test("One wild time among good ones steps nothing")
    func wildTime() {
        #expect(
            outcomes([
                epoch(0, east: 1), epoch(9 * day, east: 1), epoch(1, east: 1), epoch(2, east: 1),
            ]) == [.accepted, .rejected(.clockStep), .accepted, .accepted]
        )
    }

    @Test("Times that step and do not agree with each other set no clock")
    func disagreeing() {
        let times = [0, -100, -50, -200, -300, 1]
        #expect(
            outcomes(times.map { epoch(Double($0), east: 1) }) == [
                .accepted, .rejected(.outOfOrder), .rejected(.outOfOrder), .rejected(.outOfOrder),
                .rejected(.outOfOrder), .accepted,
            ]
        )
    }

    @Test("A clock set from the future back to now is followed: it cannot hold up a run")
    func futureFirst() {
        let now = (0..<4).map { epoch(Double($0), east: 1 + Double($0) / 100) }
        #expect(
            outcomes([epoch(7168 * day, east: 1)] + now).suffix(2)
                == [.stepped(.clockStep), .accepted]
        )
    }

    @Test("An accuracy of 50 m is accepted, anything worse is not")
    func accuracy() {
        #expect(
            outcomes([epoch(0, east: 1, accuracy: 50), epoch(1, east: 1, accuracy: 50.1)])
                == [.accepted, .rejected(.accuracy)]
        )
    }

    @Test("89 m in a second are run, 111 m are a jump; the way back is none")
    func jump() {
        #expect(
            outcomes([
                epoch(0, east: 0), epoch(1, east: 0.8), epoch(2, east: 1.8), epoch(3, east: 0.81),
            ]) == [.accepted, .accepted, .rejected(.speedJump), .accepted]
        )
    }

    @Test("Worse than 50 m and a jump at once counts as accuracy")
    func accuracyFirst() {
        #expect(
            outcomes([epoch(0, east: 0), epoch(1, east: 900, accuracy: 51)])
                == [.accepted, .rejected(.accuracy)]
        )
    }

    @Test("The tenth fix of a new place wins, and a segment starts")
    func tenFixes() {
        // 0.9 degrees, 100 km: over 1000 s at the top speed.
        let moved = (1...11).map { epoch(Double($0) * 0.2, east: 900 + Double($0) / 100) }
        #expect(
            outcomes([epoch(0, east: 0)] + moved)
                == [.accepted] + [Outcome](repeating: .rejected(.speedJump), count: 9)
                + [.stepped(.speedJump), .accepted]
        )
    }

    @Test("A new place that holds for 10 s wins with fewer fixes")
    func tenSeconds() {
        #expect(
            outcomes([
                epoch(0, east: 0), epoch(4, east: 900), epoch(9, east: 900), epoch(13.9, east: 900),
                epoch(14, east: 900), epoch(15, east: 900),
            ]) == [
                .accepted, .rejected(.speedJump), .rejected(.speedJump), .rejected(.speedJump),
                .stepped(.speedJump), .accepted,
            ]
        )
    }

    @Test("Jumps that do not agree with each other win nothing, however long they last")
    func wildJumps() {
        let wild = (1...100).map { epoch(Double($0), east: $0 % 2 == 0 ? 900 : 1800) }
        #expect(
            outcomes([epoch(0, east: 0)] + wild + [epoch(101, east: 0.1)])
                == [.accepted] + [Outcome](repeating: .rejected(.speedJump), count: 100)
                + [.accepted]
        )
    }

    @Test("A position that stands at 3 m/s is believed for 5 s, then frozen until it moves")
    func frozen() {
        let standing = (1...8).map { epoch(Double($0), east: 1, speed: 3) }
        let moving = [
            epoch(9, east: 1.03, speed: 3), epoch(10, east: 1.03, speed: 3),
        ]
        #expect(
            outcomes([epoch(0, east: 1, speed: 3)] + standing + moving)
                == [Outcome](repeating: .accepted, count: 5)
                + [Outcome](repeating: .rejected(.frozen), count: 4) + [.accepted, .accepted]
        )
    }

    @Test(
        "Standing still is not frozen: below 1 m/s, or with no speed told",
        arguments: [0.99, nil]
    )
    func standing(speed: Double?) {
        let still = (0...60).map { epoch(Double($0), east: 1, speed: speed) }
        #expect(outcomes(still).allSatisfy { $0 == .accepted })
    }

    @Test("A frozen position that speaks of standing now and then starts anew")
    func thawed() {
        let speeds = [3.0, 3, 3, 3, 0, 3, 3, 3, 3]
        let epochs = speeds.enumerated().map { epoch(Double($0), east: 1, speed: $1) }
        #expect(outcomes(epochs).allSatisfy { $0 == .accepted })
    }

    @Test("Whatever came before, the gate accepts a steady receiver within 12 fixes")
    func neverStuck() {
        var random = SplitMix(state: 1)
        for round in 0..<5000 {
            var epochs: [Epoch] = []
            var time = 0.0
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                switch Int.random(in: 0..<8, using: &random) {
                case 0: time += Double.random(in: -20 * day...20 * day, using: &random)
                case 1: time -= Double.random(in: 0...20, using: &random)
                default: time += Double.random(in: 0...15, using: &random)
                }
                let isWild = Bool.random(using: &random)
                epochs.append(
                    epoch(
                        time,
                        east: isWild ? Double.random(in: -9e4...9e4, using: &random) : 1,
                        speed: Bool.random(using: &random) ? 3 : nil,
                        accuracy: Bool.random(using: &random) ? 60 : 3
                    )
                )
            }
            let start = Double.random(in: -40 * day...40 * day, using: &random)
            let place = Double.random(in: -9e4...9e4, using: &random)
            for i in 0..<12 {
                epochs.append(epoch(start + Double(i), east: place + Double(i) / 40, speed: 2.8))
            }
            let last = outcomes(epochs).last
            #expect(last == .accepted || last == .stepped(.speedJump), "round \(round)")
        }
    }
}
