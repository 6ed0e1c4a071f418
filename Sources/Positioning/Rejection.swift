/// Why an epoch gave no accepted fix.
///
/// The first reason that holds, in the order of the cases.
public enum Rejection: String, CaseIterable, Hashable, Sendable {
    /// A field is out of its range or malformed, and nothing else in the epoch gives what it should.
    case field
    /// The receiver says that it has no fix, or the epoch has no time.
    case noFix = "no_fix"
    /// Made by a simulator or typed in by hand.
    case simulated
    /// Carried on by dead reckoning, without satellites.
    case deadReckoned = "dead_reckoned"
    /// Exactly 0 north, 0 east: a receiver's way of saying nothing.
    case nullIsland = "null_island"
    /// A date in 1980 to 1989: the receiver's clock has not been set.
    case clockUnset = "clock_unset"
    /// The time of the fix before, at another position.
    case duplicate
    /// Not later than the last accepted fix.
    case outOfOrder = "out_of_order"
    /// Receiver time stepped, and this fix came before the step was certain.
    case clockStep = "clock_step"
    /// Horizontal accuracy worse than 50 m.
    case accuracy
    /// Farther from the last accepted fix than 100 m/s can carry.
    case speedJump = "speed_jump"
    /// The position stands still while the speed does not.
    case frozen

    package var index: Int {
        switch self {
        case .field: 0
        case .noFix: 1
        case .simulated: 2
        case .deadReckoned: 3
        case .nullIsland: 4
        case .clockUnset: 5
        case .duplicate: 6
        case .outOfOrder: 7
        case .clockStep: 8
        case .accuracy: 9
        case .speedJump: 10
        case .frozen: 11
        }
    }
}
