/// What a sentence says about the worth of its position.
enum Claim {
    case fix
    case noFix
    case simulated
    case deadReckoned
}

extension Claim {
    /// From a mode letter (field `mode` of RMC, GLL, VTG; each letter of GNS), NMEA 0183 4.11.
    ///
    /// A sentence older than version 2.3 has none: its status alone counts.
    static func from(mode: Reading<UInt8>) -> Claim {
        guard let letter = mode.value else { return .fix }
        return switch letter {
        case UInt8(ascii: "N"): .noFix
        case UInt8(ascii: "E"): .deadReckoned
        case UInt8(ascii: "M"), UInt8(ascii: "S"): .simulated
        default: .fix
        }
    }

    /// From a status field: `A` and nothing else is a fix.
    static func from(status: Reading<UInt8>, mode: Reading<UInt8>) -> Claim {
        status.value == UInt8(ascii: "A") ? from(mode: mode) : .noFix
    }

    /// From the quality digit of GGA.
    static func from(quality: Reading<Int>) -> Claim {
        switch quality {
        case .value(1...5), .value(9): .fix
        case .value(6): .deadReckoned
        case .value(7), .value(8): .simulated
        default: .noFix
        }
    }

    static func isDifferential(mode: UInt8?) -> Bool {
        switch mode {
        case UInt8(ascii: "D"), UInt8(ascii: "F"), UInt8(ascii: "P"), UInt8(ascii: "R"): true
        default: false
        }
    }
}
