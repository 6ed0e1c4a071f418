import Foundation
import Positioning
import TestSupport
import Testing

struct CivilDateTests {
    /// Expected: gmtime of the C library.
    @Test("Any day from the year 1 to 9999 has the date that the C library gives it")
    func days() {
        var random = SplitMix(state: 1)
        for _ in 0..<20_000 {
            let day = Int32.random(in: -719_162...2_932_896, using: &random)
            var seconds = time_t(day) * 86_400
            var expected = tm()
            gmtime_r(&seconds, &expected)
            let date = CivilDate(daysSince1970: day)
            #expect(date.year == Int(expected.tm_year) + 1900)
            #expect(date.month == Int(expected.tm_mon) + 1)
            #expect(date.day == Int(expected.tm_mday))
            #expect(date.daysSince1970 == day)
        }
    }

    /// Expected: timegm of the C library, which turns 31 April into 1 May.
    @Test("A day exists if the calendar has it, and no other does")
    func existence() {
        var random = SplitMix(state: 2)
        for _ in 0..<20_000 {
            let year = Int.random(in: 1900...2400, using: &random)
            let month = Int.random(in: -1...14, using: &random)
            let day = Int.random(in: -1...33, using: &random)
            var fields = tm()
            fields.tm_year = Int32(year - 1900)
            fields.tm_mon = Int32(month - 1)
            fields.tm_mday = Int32(day)
            var seconds = timegm(&fields)
            gmtime_r(&seconds, &fields)
            let exists = fields.tm_mon == Int32(month - 1) && fields.tm_mday == Int32(day)
            let date = CivilDate(year: year, month: month, day: day)
            #expect((date != nil) == exists, "\(year)-\(month)-\(day)")
            if let date { #expect(Int(date.daysSince1970) * 86_400 == seconds) }
        }
    }

    /// Expected: gmtime of the C library.
    @Test("Day and time of day of an instant are right before 1970 too")
    func instants() {
        var random = SplitMix(state: 3)
        for _ in 0..<20_000 {
            let range: ClosedRange<Int64> = -4_000_000_000_000...4_000_000_000_000
            let milliseconds = Int64.random(in: range, using: &random)
            let utc = UTC(milliseconds: milliseconds)
            var seconds = time_t((Double(milliseconds) / 1000).rounded(.down))
            var expected = tm()
            gmtime_r(&seconds, &expected)
            let minute = expected.tm_hour * 60 + expected.tm_min
            #expect(utc.millisecondOfDay / 1000 == minute * 60 + expected.tm_sec)
            #expect(UTC(day: utc.day, millisecondOfDay: utc.millisecondOfDay) == utc)
        }
    }
}
