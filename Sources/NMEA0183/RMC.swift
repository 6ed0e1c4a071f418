import Positioning

extension PositionReport {
    /// Recommended minimum specific GNSS data: position, speed, course and the date.
    ///
    /// 11 fields in version 2.1, 12 with the mode letter of 2.3, 13 with the navigational status of
    /// 4.1, which says nothing about the fix and is passed over.
    static func rmc(
        _ fields: inout FieldCursor,
        _ repeats: inout Repeats,
        in bytes: Span<UInt8>
    ) -> PositionReport {
        let time = repeats.newTime(&fields, in: bytes)
        let status = fields.letter(in: bytes)
        let position = repeats.newPosition(&fields, in: bytes)
        let speed = fields.number(in: Plausible.knots, bytes)
        let course = fields.number(in: Plausible.course, bytes)
        let day = repeats.day(&fields, in: bytes) { date(&$0, in: $1) }
        fields.skip(2, in: bytes)
        let mode = fields.letter(in: bytes)
        var report = PositionReport(
            time: time,
            position: position,
            claim: .from(status: status, mode: mode)
        )
        report.day = day
        report.speed = speed.map { $0 * Unit.knot }
        report.course = course
        report.isDifferential = Claim.isDifferential(mode: mode.value)
        return report
    }

    /// `ddmmyy`; years 80 to 99 are of the twentieth century.
    ///
    /// Digits that are no day are a fault. What is no number at all (`2208-1`, as firmware prints it
    /// after a rollover) tells no date, and spoils nothing else.
    private static func date(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>
    ) -> Reading<Int32> {
        switch fields.integer(in: bytes) {
        case .empty, .fault: return .empty
        case .value(let number): return day(number)
        }
    }

    private static func day(_ number: Int) -> Reading<Int32> {
        let year = number % 100
        let date = CivilDate(
            year: year >= 80 ? 1900 + year : 2000 + year,
            month: number / 100 % 100,
            day: number / 10_000
        )
        guard let date else { return .fault }
        return .value(date.daysSince1970)
    }
}
