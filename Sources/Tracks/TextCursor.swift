/// Writes text into room that was made for it beforehand; see ``TextBuffer/write(most:_:)``.
///
/// A point of a track is some 300 bytes in 20 pieces: to ask for room once a point instead of once
/// a piece, and to write eight digits at a time, is what makes a GPX file cheap. Nothing here looks
/// for the end of the room: whoever calls says how much all pieces take at most, and each says so.
package struct TextCursor {
    /// Digits are written eight bytes at a time, also where fewer count.
    static let slack = 8

    fileprivate var at: UnsafeMutableRawPointer

    @inline(always)
    package mutating func text(_ text: StaticString) {
        at.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        at += text.utf8CodeUnitCount
    }

    /// Eight letters, the first in the lowest byte.
    @inline(always)
    package mutating func word(_ word: UInt64) {
        put(word, count: 8)
    }

    /// `value` / 10^`digits` with just so many digits behind the point, 0 to 9; at most 22 bytes.
    @inline(always)
    package mutating func fixed(_ value: Int64, digits: Int) {
        if value < 0 { put(UInt64(UInt8(ascii: "-")), count: 1) }
        if digits > 0, digits < 8, value.magnitude < 100_000_000 {
            short(value.magnitude, digits: digits)
            return
        }
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: Self.tenTo(digits))
        natural(whole)
        guard digits > 0 else { return }
        put(UInt64(UInt8(ascii: ".")), count: 1)
        var fraction = rest
        var count = digits
        if count == 9 {
            let (first, others) = rest.quotientAndRemainder(dividingBy: 100_000_000)
            put(Self.zeros | first, count: 1)
            fraction = others
            count = 8
        }
        put((Self.zeros | Self.eightDigits(fraction)) >> UInt64(8 * (8 - count)), count: count)
    }

    /// A number rounded to so many digits behind the point, 0 to 9; never "-0"; at most 22 bytes.
    ///
    /// What no field can mean, beyond 9e15 once scaled, is written as that.
    @inline(always)
    package mutating func decimal(_ value: Double, digits: Int) {
        let scaled = max(-Self.largest, min(Self.largest, value * Double(Self.tenTo(digits))))
        // As `rounded()`, which is a call into libm on x86-64: the rest is exact below 2^53.
        var whole = Int64(scaled)
        let rest = scaled - Double(whole)
        if rest >= 0.5 { whole += 1 } else if rest <= -0.5 { whole -= 1 }
        fixed(whole, digits: digits)
    }

    // MARK: Digits

    private static let largest = 9e15

    private static let zeros: UInt64 = 0x3030_3030_3030_3030

    /// ``fixed(_:digits:)`` for a number of eight digits in all, 1 to 7 of them behind the point.
    @inline(always)
    private mutating func short(_ value: UInt64, digits: Int) {
        let all = Self.eightDigits(value)
        let wholeCount = 8 &- digits
        // The last digit before the point stands also where it is 0.
        let last: UInt64 = 1 &<< UInt64(truncatingIfNeeded: 8 &* (wholeCount &- 1))
        let blank = (all | last).trailingZeroBitCount >> 3
        let text = Self.zeros | all
        put(text &>> UInt64(truncatingIfNeeded: 8 &* blank), count: wholeCount &- blank)
        let fraction = text &>> UInt64(truncatingIfNeeded: 8 &* wholeCount)
        put(fraction &<< 8 | UInt64(UInt8(ascii: ".")), count: digits &+ 1)
    }

    /// A number without leading zeros; at most 20 bytes.
    @inline(always)
    private mutating func natural(_ value: UInt64) {
        if value < 1000 { few(value) } else { many(value) }
    }

    /// A number below 1000, without leading zeros: degrees, satellites.
    @inline(always)
    private mutating func few(_ value: UInt64) {
        let hundreds = (value &* 41) >> 12
        let rest = value &- hundreds &* 100
        let tens = (rest &* 103) >> 10
        let digits = hundreds | tens << 8 | (rest &- tens &* 10) << 16
        let blank = (digits | 1 << 16).trailingZeroBitCount >> 3
        put((Self.zeros | digits) &>> UInt64(truncatingIfNeeded: 8 &* blank), count: 3 &- blank)
    }

    private mutating func many(_ value: UInt64) {
        if value < 100_000_000 { leading(value) } else { long(value) }
    }

    private mutating func long(_ value: UInt64) {
        natural(value / 100_000_000)
        word(Self.zeros | Self.eightDigits(value % 100_000_000))
    }

    /// A number below 10^8, without leading zeros.
    @inline(always)
    private mutating func leading(_ value: UInt64) {
        let digits = Self.eightDigits(value)
        // The highest byte is the last digit, and stands also where it is 0.
        let blank = (digits | 1 << 56).trailingZeroBitCount >> 3
        put((Self.zeros | digits) >> UInt64(8 * blank), count: 8 - blank)
    }

    /// The eight digits of a number below 10^8, one a byte, the first in the lowest byte.
    ///
    /// Each step halves all pieces at once: two of four digits, four of two, eight of one. The
    /// factors are 2^20 / 100 and 2^10 / 10, rounded up: exact for pieces this small.
    @inline(always)
    static func eightDigits(_ value: UInt64) -> UInt64 {
        let high = value / 10_000
        let fours = high | (value &- high &* 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (twos &- tens &* 10) << 8
    }

    @inline(always)
    static func tenTo(_ digits: Int) -> UInt64 {
        switch digits {
        case 0: 1
        case 1: 10
        case 2: 100
        case 3: 1000
        case 4: 10_000
        case 5: 100_000
        case 6: 1_000_000
        case 7: 10_000_000
        case 8: 100_000_000
        case 9: 1_000_000_000
        default: preconditionFailure("0 to 9 digits")
        }
    }

    /// Writes the lowest bytes of a word; up to eight bytes of room are overwritten.
    @inline(always)
    private mutating func put(_ word: UInt64, count: Int) {
        at.storeBytes(of: word.littleEndian, as: UInt64.self)
        at += count
    }
}

extension [UInt8] {
    /// Appends what `body` writes, which takes no more than `most` bytes.
    @inline(always)
    mutating func write(most: Int, _ body: (inout TextCursor) -> Void) {
        let room = most + TextCursor.slack
        append(addingCapacity: room) { span in
            span.withUnsafeMutableBufferPointer { free, count in
                guard let start = free.baseAddress else { return }
                var cursor = TextCursor(at: UnsafeMutableRawPointer(start + count))
                body(&cursor)
                let end = count + (cursor.at - UnsafeMutableRawPointer(start + count))
                precondition(end + TextCursor.slack <= free.count, "more text than announced")
                count = end
            }
        }
    }
}
