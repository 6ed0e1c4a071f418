extension PositionReport {
    /// Global positioning system fix data: position, quality, satellites, HDOP, altitude.
    static func gga(
        _ fields: inout FieldCursor,
        _ repeats: inout Repeats,
        in bytes: Span<UInt8>
    ) -> PositionReport {
        let time = fields.time(in: bytes)
        let position = repeats.position(&fields, in: bytes)
        let quality = fields.integer(in: bytes)
        var report = PositionReport(time: time, position: position, claim: .from(quality: quality))
        report.satellitesUsed = fields.integer(in: bytes).number(in: Plausible.satellites)
        report.hdop = fields.decimal(in: bytes).positive(atMost: Plausible.hdop)
        report.altitude = fields.decimal(allowsMinus: true, in: bytes)
            .number(in: Plausible.altitude)
        report.isDifferential = (quality.value ?? 0) >= 2
        return report
    }
}
