/// Satellites in view: one sentence of a group for one signal of one constellation.
struct GSV {
    /// How many sentences the group has, and which this is, from 1.
    var count: Int
    var index: Int
    /// Numbers of the satellites; 0 fills the rest.
    var numbers: InlineArray<4, Int> = .init(repeating: 0)
    /// Signal id of version 4.10; 0 where the sentence has none.
    var signal = 0

    init?(_ fields: inout FieldCursor, in bytes: Span<UInt8>) {
        guard let count = fields.integer(in: bytes).value,
            let index = fields.integer(in: bytes).value, index >= 1, index <= count
        else { return nil }
        self.count = count
        self.index = index
        fields.skip(in: bytes)
        var filled = 0
        // Four fields a satellite; one field alone behind them is the signal id.
        while !fields.isAtEnd {
            let number = fields.integer(in: bytes)
            if fields.isAtEnd {
                signal = number.value ?? 0
                break
            }
            fields.skip(3, in: bytes)
            if filled < 4 {
                numbers[filled] = number.value ?? 0
                filled += 1
            }
        }
    }
}
