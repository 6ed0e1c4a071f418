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
    /// `ddmmyy` with the comma behind it, and its day.
    private var dateText: EightBytes?
    private var day: Reading<Int32> = .empty

    /// As ``FieldCursor/position(in:)``.
    @inline(always)
    mutating func position(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>
    ) -> Reading<Coordinate> {
        if let text {
            let start = fields.at
            if text.0 == EightBytes(bytes, at: start),
                text.1 == EightBytes(bytes, at: start &+ 8),
                text.2 == EightBytes(bytes, at: start &+ 16),
                EightBytes(bytes, at: start &+ 24).starts(as: text.3, count: length &- 24),
                fields.pass(length)
            {
                return position
            }
        }
        return newPosition(&fields, in: bytes)
    }

    /// The same, where it is no repeat most of the time.
    @inline(never)
    mutating func newPosition(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>
    ) -> Reading<Coordinate> {
        let start = fields.at
        let position = fields.position(in: bytes)
        let length = fields.at &- start
        if case .value = position, length > 24, length <= 32, !fields.isAtEnd {
            text = (
                EightBytes(bytes, at: start), EightBytes(bytes, at: start &+ 8),
                EightBytes(bytes, at: start &+ 16), EightBytes(bytes, at: start &+ 24)
            )
            (self.length, self.position) = (length, position)
        }
        return position
    }

    /// As ``FieldCursor/time(in:)``.
    @inline(always)
    mutating func time(_ fields: inout FieldCursor, in bytes: Span<UInt8>) -> Reading<Int32> {
        time.repeated(&fields, in: bytes) ?? newTime(&fields, in: bytes)
    }

    /// The same, where it is no repeat most of the time.
    @inline(never)
    mutating func newTime(_ fields: inout FieldCursor, in bytes: Span<UInt8>) -> Reading<Int32> {
        time.read(&fields, in: bytes) { $0.time(in: $1) }
    }

    /// The day that the fields of ZDA tell.
    @inline(always)
    mutating func separateDay(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>,
        _ read: (inout FieldCursor, Span<UInt8>) -> Reading<Int32>
    ) -> Reading<Int32> {
        separateDay.repeated(&fields, in: bytes) ?? separateDay.read(&fields, in: bytes, read)
    }

    /// The day of `ddmmyy`, as `read` tells it.
    @inline(always)
    mutating func day(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>,
        _ read: (inout FieldCursor, Span<UInt8>) -> Reading<Int32>
    ) -> Reading<Int32> {
        let start = fields.at
        let new = EightBytes(bytes, at: start)
        if let dateText, new.starts(as: dateText, count: 7), fields.pass(7) { return day }
        let day = read(&fields, bytes)
        if case .value = day, fields.at &- start == 7, !fields.isAtEnd {
            (dateText, self.day) = (new, day)
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

    /// What the same text was read as; `nil` if this is another.
    @inline(always)
    func repeated(_ fields: inout FieldCursor, in bytes: Span<UInt8>) -> Reading<Value>? {
        guard let text, text.0 == EightBytes(bytes, at: fields.at),
            EightBytes(bytes, at: fields.at &+ 8).starts(as: text.1, count: length &- 8),
            fields.pass(length)
        else { return nil }
        return value
    }

    @inline(always)
    mutating func read(
        _ fields: inout FieldCursor,
        in bytes: Span<UInt8>,
        _ read: (inout FieldCursor, Span<UInt8>) -> Reading<Value>
    ) -> Reading<Value> {
        let start = fields.at
        let value = read(&fields, bytes)
        let length = fields.at &- start
        if case .value = value, length > 8, length <= 16, !fields.isAtEnd {
            text = (EightBytes(bytes, at: start), EightBytes(bytes, at: start &+ 8))
            (self.length, self.value) = (length, value)
        }
        return value
    }
}
