extension PositionReport {
    /// GNSS fix data: as GGA, with one mode letter a constellation.
    ///
    /// Some receivers send one for all and then one a constellation that holds its satellites only:
    /// `nil` for those.
    static func gns(
        _ fields: inout FieldCursor,
        _ repeats: inout Repeats,
        in bytes: Span<UInt8>
    ) -> PositionReport? {
        let time = repeats.time(&fields, in: bytes)
        let position = repeats.position(&fields, in: bytes)
        let start = fields.at
        let (claim, isDifferential) = modes(&fields, in: bytes)
        if case .empty = position, fields.at == start + 1 { return nil }
        var report = PositionReport(time: time, position: position, claim: claim)
        report.satellitesUsed = fields.integer(in: bytes).number(in: Plausible.satellites)
        report.hdop = fields.positive(atMost: Plausible.hdop, in: bytes)
        report.altitude = fields.number(in: Plausible.altitude, allowsMinus: true, bytes)
        report.isDifferential = isDifferential
        return report
    }

    /// The best that any constellation gives: one that is out does not spoil the others.
    private static func modes(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>
    ) -> (Claim, isDifferential: Bool) {
        var best = Claim.noFix
        var isDifferential = false
        let start = fields.at
        fields.skip(in: bytes)
        for i in start..<max(start, fields.at - 1) {
            isDifferential = isDifferential || Claim.isDifferential(mode: bytes[i])
            switch (Claim.from(mode: .value(bytes[i])), best) {
            case (.fix, _): best = .fix
            case (.deadReckoned, .noFix), (.deadReckoned, .simulated): best = .deadReckoned
            case (.simulated, .noFix): best = .simulated
            default: break
            }
        }
        return (best, isDifferential)
    }
}
