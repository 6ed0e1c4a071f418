package import Positioning

/// Text on its way to a file or a screen: ASCII and UTF-8 bytes, numbers with fixed digits.
///
/// No locale is ever asked: a point is a point everywhere.
package struct TextBuffer: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// The latest minute written, and its 16 letters: times of one minute differ in the rest only.
    private var minute: Int64 = .min
    private var minuteText: (UInt64, UInt64) = (0, 0)

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package var count: Int { bytes.count }

    package mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
    }

    package mutating func removeFirst(_ count: Int) {
        bytes.removeFirst(count)
    }

    package mutating func text(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    /// Text that is not known when this is compiled.
    package mutating func string(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func append(_ other: TextBuffer) {
        bytes.append(contentsOf: other.bytes)
    }

    package mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func spaces(_ count: Int) {
        for _ in 0..<count { bytes.append(UInt8(ascii: " ")) }
    }

    package mutating func integer(_ value: some BinaryInteger) {
        fixed(Int64(value), digits: 0)
    }

    /// `value` / 10^`digits`, with just so many digits behind the point, 0 to 9.
    package mutating func fixed(_ value: Int64, digits: Int) {
        write(most: 22) { $0.fixed(value, digits: digits) }
    }

    /// A number rounded to so many digits behind the point, 0 to 9; never "-0".
    ///
    /// - Precondition: the number is finite and below 9e15 in magnitude once scaled.
    package mutating func decimal(_ value: Double, digits: Int) {
        write(most: 22) { $0.decimal(value, digits: digits) }
    }

    /// RFC 3339 in UTC with milliseconds: `2026-11-14T06:10:03.000Z`.
    package mutating func time(_ time: UTC) {
        let words = timeText(time)
        write(most: 24) { $0.time(words) }
    }

    /// Appends what `body` writes, which takes no more than `most` bytes.
    @inline(always)
    package mutating func write(most: Int, _ body: (inout TextCursor) -> Void) {
        bytes.write(most: most, body)
    }

    // MARK: Time

    /// The 24 letters of a time, for ``TextCursor/time(_:)``.
    @inline(always)
    package mutating func timeText(_ time: UTC) -> (UInt64, UInt64, UInt64) {
        var (minute, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 60_000)
        if rest < 0 {
            minute -= 1
            rest += 60_000
        }
        if minute != self.minute { keep(minute: minute) }
        // ":03.000Z"
        let second = UInt64(rest / 1000), millisecond = UInt64(rest % 1000)
        var end = Self.pair(second) << 8 | Self.digit(millisecond / 100) << 32
        end |= Self.pair(millisecond % 100) << 40
        end |= Self.letter(":") | Self.letter(".") << 24 | Self.letter("Z") << 56
        return (minuteText.0, minuteText.1, end)
    }

    /// Writes down a minute as `2026-11-` and `14T06:10`.
    private mutating func keep(minute: Int64) {
        self.minute = minute
        let time = UTC(milliseconds: minute * 60_000)
        let date = CivilDate(daysSince1970: time.day)
        let year = UInt64(max(0, min(9999, date.year)))
        let ofDay = UInt64(time.millisecondOfDay / 60_000)
        var word = Self.pair(year / 100) | Self.pair(year % 100) << 16 | Self.letter("-") << 32
        word |= Self.pair(UInt64(date.month)) << 40 | Self.letter("-") << 56
        minuteText.0 = word
        word = Self.pair(UInt64(date.day)) | Self.letter("T") << 16 | Self.pair(ofDay / 60) << 24
        word |= Self.letter(":") << 40 | Self.pair(ofDay % 60) << 48
        minuteText.1 = word
    }

    @inline(always)
    private static func letter(_ letter: Unicode.Scalar) -> UInt64 { UInt64(UInt8(ascii: letter)) }

    @inline(always)
    private static func digit(_ value: UInt64) -> UInt64 { value + letter("0") }

    @inline(always)
    private static func pair(_ value: UInt64) -> UInt64 {
        digit(value / 10) | digit(value % 10) << 8
    }
}

extension TextCursor {
    /// What ``TextBuffer/timeText(_:)`` gave: 24 bytes.
    @inline(always)
    package mutating func time(_ words: (UInt64, UInt64, UInt64)) {
        word(words.0)
        word(words.1)
        word(words.2)
    }
}
