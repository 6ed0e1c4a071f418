extension PositionReport {
    /// Global positioning system fix data: position, quality, satellites, HDOP, altitude.
    static func gga(
        _ fields: inout FieldCursor,
        _ repeats: inout Repeats,
        in bytes: Span<UInt8>
    ) -> PositionReport {
        let time = repeats.time(&fields, in: bytes)
        let position = repeats.position(&fields, in: bytes)
        let quality: Reading<Int>, satellites: Reading<Int>
        if let (digit, pair) = fields.digitAndPair(in: bytes) {
            (quality, satellites) = (.value(digit), .value(pair))
        } else {
            quality = fields.integer(in: bytes)
            satellites = fields.integer(in: bytes)
        }
        var report = PositionReport(time: time, position: position, claim: .from(quality: quality))
        report.satellitesUsed = satellites.number(in: Plausible.satellites)
        report.hdop = fields.positive(atMost: Plausible.hdop, in: bytes)
        report.altitude = fields.number(in: Plausible.altitude, allowsMinus: true, bytes)
        report.isDifferential = (quality.value ?? 0) >= 2
        return report
    }
}
