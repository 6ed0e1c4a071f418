import Geodesy

/// What one sentence after another repeats word for word, so that it is read once.
///
/// All sentences of an epoch give the same position, and all of a day the same date. What stands
/// here is the text itself and what it was read as: whoever finds the same text again may take
/// that, and nothing else could have come of it.
struct Repeats: Sendable {
    /// Position fields with the comma behind them, at most 32 bytes.
    private var text: (EightBytes, EightBytes, EightBytes, EightBytes)?
    private var length = 0
    private var position: Reading<Coordinate> = .empty
    /// `ddmmyy` as a number, and its day.
    private var dateNumber = -1
    private var day: Reading<Int32> = .empty

    /// As ``FieldCursor/position(in:)``.
    @inline(always)
    mutating func position(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>
    ) -> Reading<Coordinate> {
        let start = fields.at
        let new = (
            EightBytes(bytes, at: start), EightBytes(bytes, at: start &+ 8),
            EightBytes(bytes, at: start &+ 16), EightBytes(bytes, at: start &+ 24)
        )
        if let text, new.0 == text.0, new.1 == text.1, new.2 == text.2,
            new.3.starts(as: text.3, count: length &- 24), fields.pass(length)
        {
            return position
        }
        let position = fields.position(in: bytes)
        let length = fields.at &- start
        if case .value = position, length > 24, length <= 32, !fields.isAtEnd {
            (text, self.length, self.position) = (new, length, position)
        }
        return position
    }

    /// The day that a number means, as `read` tells it.
    @inline(always)
    mutating func day(
        _ number: Int,
        _ read: (Int) -> Reading<Int32>
    ) -> Reading<Int32> {
        if number != dateNumber {
            day = read(number)
            dateNumber = number
        }
        return day
    }
}
