import Positioning

/// Time and date.
struct ZDA {
    /// Milliseconds of the day.
    var time: Int32
    /// Days since 1970, not yet corrected for week rollover.
    var day: Int32

    /// `nil` unless both are there.
    init?(_ fields: inout FieldCursor, _ repeats: inout Repeats, in bytes: Span<UInt8>) {
        guard let time = repeats.time(&fields, in: bytes).value,
            let day = repeats.separateDay(&fields, in: bytes, Self.day).value
        else { return nil }
        self.time = time
        self.day = day
    }

    private static func day(_ fields: inout FieldCursor, in bytes: Span<UInt8>) -> Reading<Int32> {
        guard let day = fields.integer(in: bytes).value,
            let month = fields.integer(in: bytes).value, let year = fields.integer(in: bytes).value,
            (1980...9999).contains(year),
            let date = CivilDate(year: year, month: month, day: day)
        else { return .fault }
        return .value(date.daysSince1970)
    }
}
