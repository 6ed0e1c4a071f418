/// Active satellites and dilution of precision.
struct GSA {
    /// 1 no fix, 2 in two dimensions, 3 in three.
    var dimensions: Int?
    /// Numbers of the satellites used; 0 fills the rest.
    var numbers: InlineArray<12, Int> = .init(repeating: 0)
    var hdop: Double?
    /// GNSS system id of version 4.10: 1 GPS, 2 GLONASS, 3 Galileo, 4 BeiDou, 5 QZSS, 6 NavIC.
    var system: Int?

    init(_ fields: inout FieldCursor, in bytes: Span<UInt8>) {
        fields.skip(in: bytes)
        dimensions = fields.integer(in: bytes).value
        for i in numbers.indices { numbers[i] = fields.integer(in: bytes).value ?? 0 }
        fields.skip(in: bytes)
        hdop = fields.decimal(in: bytes).positive(atMost: Plausible.hdop)
        fields.skip(in: bytes)
        system = fields.letter(in: bytes).value.flatMap(ASCII.hexDigit).map(Int.init)
    }
}
