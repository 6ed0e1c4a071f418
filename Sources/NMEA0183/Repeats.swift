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
    private var time = Repeated<Int32>()
    private var separateDay = Repeated<Int32>()
    /// `ddmmyy` as a number, and its day.
    private var dateNumber = -1
    private var day: Reading<Int32> = .empty

    /// As ``FieldCursor/position(in:)``.
    @inline(never)
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

    /// As ``FieldCursor/time(in:)``.
    @inline(never)
    mutating func time(_ fields: inout FieldCursor, in bytes: Span<UInt8>) -> Reading<Int32> {
        time.read(&fields, in: bytes) { $0.time(in: $1) }
    }

    /// The day that the fields of ZDA tell.
    @inline(always)
    mutating func separateDay(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>,
        _ read: (inout FieldCursor, Span<UInt8>) -> Reading<Int32>
    ) -> Reading<Int32> {
        separateDay.read(&fields, in: bytes, read)
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

/// A short text of one or more fields and what it was read as.
private struct Repeated<Value: Sendable>: Sendable {
    /// The text with the comma behind it, 9 to 16 bytes.
    private var text: (EightBytes, EightBytes)?
    private var length = 0
    private var value: Reading<Value> = .empty

    @inline(always)
    mutating func read(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>,
        _ read: (inout FieldCursor, Span<UInt8>) -> Reading<Value>
    ) -> Reading<Value> {
        let start = fields.at
        let new = (EightBytes(bytes, at: start), EightBytes(bytes, at: start &+ 8))
        if let text, new.0 == text.0, new.1.starts(as: text.1, count: length &- 8),
            fields.pass(length)
        {
            return value
        }
        let value = read(&fields, bytes)
        let length = fields.at &- start
        if case .value = value, length > 8, length <= 16, !fields.isAtEnd {
            (text, self.length, self.value) = (new, length, value)
        }
        return value
    }
}
