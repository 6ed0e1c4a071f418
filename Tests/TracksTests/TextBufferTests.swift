import Foundation
import Positioning
import TestSupport
import Testing
import Tracks

struct TextBufferTests {
    private func text(_ write: (inout TextBuffer) -> Void) -> String {
        var buffer = TextBuffer()
        write(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Any length from one digit to all, both signs.
    private func anyInteger(_ random: inout SplitMix) -> Int64 {
        let value = Int64(truncatingIfNeeded: random.next())
        return value >> Int64.random(in: 0...63, using: &random)
    }

    @Test("Whole numbers are written as the standard library does")
    func integers() {
        var random = SplitMix(state: 1)
        for _ in 0..<20_000 {
            let value = anyInteger(&random)
            #expect(text { $0.integer(value) } == String(value))
        }
        for value in [0, 9, 10, 99_999_999, 100_000_000, .max, .min] as [Int64] {
            #expect(text { $0.integer(value) } == String(value))
        }
    }

    /// Expected: Foundation's Decimal, exact with 38 digits.
    @Test("A fixed number of digits behind the point, zeros and sign in place")
    func fixed() throws {
        var random = SplitMix(state: 2)
        for _ in 0..<20_000 {
            let value = anyInteger(&random)
            let digits = Int.random(in: 1...9, using: &random)
            let written = text { $0.fixed(value, digits: digits) }
            let expected = Decimal(value) / pow(Decimal(10), digits)
            #expect(Decimal(string: written, locale: Locale(identifier: "C")) == expected)
            let parts = written.split(separator: ".")
            try #require(parts.count == 2)
            #expect(parts[1].count == digits)
            let whole = parts[0].drop { $0 == "-" }
            #expect(whole == "0" || whole.first != "0")
            #expect(written.hasPrefix("-") == (value < 0))
        }
    }

    /// Expected: `printf` of the C library, but for ties, which it rounds to even.
    @Test("Numbers are rounded as printf does")
    func decimal() {
        var random = SplitMix(state: 3)
        for _ in 0..<20_000 {
            let exponent = Double.random(in: -8...6, using: &random)
            let value = Double.random(in: -1...1, using: &random) * pow(10, exponent)
            // At most nine digits in all: of more, a Double's own rounding shows in the last.
            let digits = Int.random(in: 0...min(9, 9 - Int(exponent.rounded(.up))), using: &random)
            let expected = String(format: "%.\(digits)f", value)
            // "-0.00" is a number nobody wants.
            let isZero = expected.allSatisfy { "-0.".contains($0) }
            let written = text { $0.decimal(value, digits: digits) }
            #expect(written == (isZero ? String(expected.drop { $0 == "-" }) : expected))
        }
        #expect(text { $0.decimal(-0.0, digits: 2) } == "0.00")
        #expect(text { $0.decimal(-0.004, digits: 2) } == "0.00")
    }

    /// Expected: gmtime and printf of the C library.
    @Test("Times are written as the C library has them, in any order, before 1970 too")
    func times() {
        var random = SplitMix(state: 4)
        var buffer = TextBuffer()
        var near: Int64 = 0
        for round in 0..<20_000 {
            // By turns far away and close by: the writer remembers what it wrote last.
            if round % 7 == 0 {
                near = Int64.random(in: -62_135_596_800_000...253_402_300_700_000, using: &random)
            }
            let milliseconds = near + Int64.random(in: 0...90_000, using: &random)
            var seconds = time_t((Double(milliseconds) / 1000).rounded(.down))
            var fields = tm()
            gmtime_r(&seconds, &fields)
            let expected = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
                Int(fields.tm_year) + 1900,
                Int(fields.tm_mon) + 1,
                Int(fields.tm_mday),
                Int(fields.tm_hour),
                Int(fields.tm_min),
                Int(fields.tm_sec),
                milliseconds - Int64(seconds) * 1000
            )
            buffer.clear()
            buffer.time(UTC(milliseconds: milliseconds))
            #expect(String(decoding: buffer.bytes, as: UTF8.self) == expected)
        }
    }
}
