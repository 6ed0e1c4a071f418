import Geodesy
import Positioning

/// What became of one epoch.
enum Outcome: Equatable {
    case accepted
    /// Accepted, and a segment starts because the clock or the place stepped.
    case stepped(FixGate.Step)
    case rejected(Rejection)
    /// It repeats the one before word for word.
    case repeated
}

/// What the gate makes of epochs, in their order: each test sees it through this.
func outcomes(_ epochs: [Epoch]) -> [Outcome] {
    var gate = FixGate()
    var outcomes = [Outcome](repeating: .repeated, count: epochs.count)
    func takeSettled() {
        while let settled = gate.nextSettled() {
            outcomes[Int(settled.epoch.offset)] = .rejected(settled.reason)
        }
    }
    for (index, epoch) in epochs.enumerated() {
        var epoch = epoch
        epoch.offset = Int64(index)
        switch gate.step(epoch) {
        case .accepted(let step): outcomes[index] = step.map { .stepped($0) } ?? .accepted
        case .rejected(let reason): outcomes[index] = .rejected(reason)
        case .pending: break
        }
        takeSettled()
    }
    gate.finish()
    takeSettled()
    return outcomes
}

/// An epoch on the equator, `time` seconds after 2026-11-14T06:10:03Z, `east` in 0.001 degrees.
///
/// There 0.001 degrees are 111.32 m: 6,378,137 m times 1e-3 π / 180.
func epoch(
    _ time: Double,
    east: Double,
    speed: Double? = nil,
    accuracy: Double? = nil,
    rejection: Rejection? = nil
) -> Epoch {
    var epoch = Epoch()
    // Seconds by `date -u -d 2026-11-14T06:10:03Z +%s`.
    epoch.time = UTC(milliseconds: 1_794_636_603_000 + Int64((time * 1000).rounded()))
    epoch.coordinate = Coordinate(
        nanodegreesNorth: 0,
        nanodegreesEast: Int64((east * 1_000_000).rounded())
    )
    epoch.speed = speed
    epoch.horizontalAccuracy = accuracy
    epoch.rejection = rejection
    return epoch
}
