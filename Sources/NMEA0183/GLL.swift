extension PositionReport {
    /// Geographic position, latitude and longitude, with time and status.
    static func gll(
        _ fields: inout FieldCursor,
        _ repeats: inout Repeats,
        in bytes: Span<UInt8>
    ) -> PositionReport {
        let position = repeats.position(&fields, in: bytes)
        let time = repeats.time(&fields, in: bytes)
        let status = fields.letter(in: bytes)
        let mode = fields.letter(in: bytes)
        // Versions before 2.0 end behind the time.
        let claim: Claim =
            if case .empty = status, case .empty = mode, fields.isAtEnd {
                .fix
            } else {
                .from(status: status, mode: mode)
            }
        return PositionReport(time: time, position: position, claim: claim)
    }
}
