package import Positioning

/// Text on its way to a file or a screen: ASCII and UTF-8 bytes, numbers with fixed digits.
///
/// No locale is ever asked: a point is a point everywhere.
package struct TextBuffer: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// The latest day written, and its ten letters: times of one day differ in the rest only.
    private var day: Int32 = .min
    private var dayText: InlineArray<10, UInt8> = .init(repeating: 0)

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package var count: Int { bytes.count }

    package mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
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

    package mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func spaces(_ count: Int) {
        for _ in 0..<count { bytes.append(UInt8(ascii: " ")) }
    }

    package mutating func integer(_ value: some BinaryInteger) {
        fixed(Int64(value), digits: 0)
    }

    /// `value` / 10^`digits`, with just so many digits behind the point.
    package mutating func fixed(_ value: Int64, digits: Int) {
        var reversed: InlineArray<24, UInt8> = .init(repeating: 0)
        var rest = value.magnitude
        var count = 0
        var written = 0
        repeat {
            if written == digits, digits > 0 {
                reversed[count] = UInt8(ascii: ".")
                count += 1
            }
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            reversed[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            count += 1
            written += 1
            rest = quotient
        } while rest > 0 || written <= digits
        if value < 0 {
            reversed[count] = UInt8(ascii: "-")
            count += 1
        }
        let length = count
        bytes.append(
            addingCapacity: length
        ) { span in
            var i = length
            while i > 0 {
                i -= 1
                span.append(reversed[i])
            }
        }
    }

    /// A number rounded to so many digits behind the point; never "-0".
    ///
    /// - Precondition: the number is finite and below 9e15 in magnitude once scaled.
    package mutating func decimal(_ value: Double, digits: Int) {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        fixed(Int64((value * scale).rounded()), digits: digits)
    }

    /// RFC 3339 in UTC with milliseconds: `2026-11-14T06:10:03.000Z`.
    package mutating func time(_ time: UTC) {
        if time.day != day { write(day: time.day) }
        for i in dayText.indices { bytes.append(dayText[i]) }
        let ofDay = Int(time.millisecondOfDay)
        bytes.append(UInt8(ascii: "T"))
        pair(ofDay / 3_600_000)
        bytes.append(UInt8(ascii: ":"))
        pair(ofDay / 60_000 % 60)
        bytes.append(UInt8(ascii: ":"))
        pair(ofDay / 1000 % 60)
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(ofDay / 100 % 10))
        pair(ofDay % 100)
        bytes.append(UInt8(ascii: "Z"))
    }

    private mutating func write(day: Int32) {
        self.day = day
        let date = CivilDate(daysSince1970: day)
        let year = max(0, min(9999, date.year))
        let digits = [year / 1000, year / 100 % 10, year / 10 % 10, year % 10]
        for (i, digit) in digits.enumerated() { dayText[i] = UInt8(ascii: "0") + UInt8(digit) }
        dayText[4] = UInt8(ascii: "-")
        dayText[5] = UInt8(ascii: "0") + UInt8(date.month / 10)
        dayText[6] = UInt8(ascii: "0") + UInt8(date.month % 10)
        dayText[7] = UInt8(ascii: "-")
        dayText[8] = UInt8(ascii: "0") + UInt8(date.day / 10)
        dayText[9] = UInt8(ascii: "0") + UInt8(date.day % 10)
    }

    private mutating func pair(_ value: Int) {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }
}
