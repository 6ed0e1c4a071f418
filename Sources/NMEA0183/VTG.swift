/// Course and speed over ground.
///
/// It has no time: it belongs to the sentences before it.
struct VTG {
    /// Meters a second.
    var speed: Double?
    /// Degrees from true north.
    var course: Double?

    init(_ fields: inout FieldCursor, in bytes: Span<UInt8>) {
        let course = fields.decimal(in: bytes).number(in: Plausible.course)
        fields.skip(3, in: bytes)
        let knots = fields.decimal(in: bytes).number(in: Plausible.knots)
        fields.skip(in: bytes)
        let kilometers = fields.decimal(in: bytes).number(in: Plausible.kilometersAnHour)
        fields.skip(in: bytes)
        guard case .fix = Claim.from(mode: fields.letter(in: bytes)) else { return }
        self.course = course
        speed = knots.map { $0 * Unit.knot } ?? kilometers.map { $0 * Unit.kilometerAnHour }
    }
}
