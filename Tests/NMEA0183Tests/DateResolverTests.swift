import Geodesy
import NMEA0183
import Positioning
import Testing

/// Days by the `date` of coreutils: `date -u -d "2007-04-01 + 7168 days"`.
struct DateResolverTests {
    private func gga(_ time: String) -> String {
        sentence("GPGGA,\(time),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
    }

    private func rmc(_ time: String, _ date: String) -> String {
        sentence("GPRMC,\(time),A,4807.038,N,01131.000,E,1.0,84.4,\(date),,,A")
    }

    private func zda(_ time: String, _ date: String) -> String {
        sentence("GPZDA,\(time),\(date),00,00")
    }

    private let floor = CivilDate(year: 2026, month: 1, day: 1)

    // MARK: Midnight

    @Test("A day goes over to the next at midnight, between sentences with a date too")
    func midnight() {
        let stream =
            rmc("235959", "311226") + gga("000000") + gga("000001") + rmc("000002", "010127")
        #expect(
            epochs([stream]).epochs.map(\.time) == [
                utc("2026-12-31T23:59:59.000Z"), utc("2027-01-01T00:00:00.000Z"),
                utc("2027-01-01T00:00:01.000Z"), utc("2027-01-01T00:00:02.000Z"),
            ]
        )
    }

    @Test("Epochs before the first date are of the evening before if it is past midnight")
    func beforeMidnight() {
        let found = epochs([gga("235958") + gga("235959") + rmc("000000", "010127")])
        #expect(
            found.epochs.map(\.time) == [
                utc("2026-12-31T23:59:58.000Z"), utc("2026-12-31T23:59:59.000Z"),
                utc("2027-01-01T00:00:00.000Z"),
            ]
        )
        #expect(!found.dates.usedFallback)
    }

    // MARK: Floor and clocks

    @Test("Dates below the floor gain 1024 weeks until past it; the floor's own day stands")
    func rollover() {
        let found = epochs([rmc("120000", "010407")], floor: floor)
        #expect(found.epochs.first?.time == utc("2026-11-15T12:00:00.000Z"))
        #expect(found.epochs.first?.isDateCorrected == true)
        #expect(found.dates.hasCorrected)
        // Twice: 1990-01-01 and 14336 days.
        #expect(
            epochs([rmc("120000", "010190")], floor: floor).epochs.first?.time
                == utc("2029-04-02T12:00:00.000Z")
        )
        let own = epochs([rmc("120000", "010126")], floor: floor)
        #expect(own.epochs.first?.time == utc("2026-01-01T12:00:00.000Z"))
        #expect(own.epochs.first?.isDateCorrected == false)
        #expect(!own.dates.hasCorrected)
    }

    @Test("Without a floor a date stands as it is")
    func noFloor() {
        let found = epochs([rmc("120000", "010407")])
        #expect(found.epochs.first?.time == utc("2007-04-01T12:00:00.000Z"))
        #expect(!found.dates.hasCorrected)
    }

    @Test(
        "A clock in 1980 to 1989 is not set: rejected, and never moved past the floor",
        arguments: [
            ("060180", "1980-01-06T12:00:00.000Z"), ("010180", "1980-01-01T12:00:00.000Z"),
            ("311289", "1989-12-31T12:00:00.000Z"),
        ]
    )
    func coldClock(date: String, expected: String) {
        let found = epochs([rmc("120000", date)], floor: floor).epochs.first
        #expect(found?.rejection == .clockUnset)
        #expect(found?.time == utc(expected))
        #expect(found?.isDateCorrected == false)
    }

    @Test("What follows a clock that was not set takes no date from it")
    func afterColdClock() {
        let stream = rmc("120000", "060180") + gga("120001") + rmc("120002", "141126")
        let found = epochs([stream])
        #expect(found.epochs.map(\.rejection) == [.clockUnset, nil, nil])
        #expect(found.epochs[1].time == utc("2026-11-14T12:00:01.000Z"))
    }

    @Test("1990 is no cold clock, 79 is 2079")
    func centuries() {
        #expect(
            epochs([rmc("120000", "010190")]).epochs.first?.time == utc("1990-01-01T12:00:00.000Z")
        )
        #expect(
            epochs([rmc("120000", "311279")]).epochs.first?.time == utc("2079-12-31T12:00:00.000Z")
        )
    }

    // MARK: ZDA

    @Test("ZDA alone dates a receiver that sends no RMC")
    func zdaOnly() {
        let stream = gga("235959") + zda("235959", "14,11,2026") + gga("000000") + gga("000001")
        #expect(
            epochs([stream]).epochs.map(\.time) == [
                utc("2026-11-14T23:59:59.000Z"), utc("2026-11-15T00:00:00.000Z"),
                utc("2026-11-15T00:00:01.000Z"),
            ]
        )
    }

    @Test("A ZDA without a date dates nothing", arguments: [",,", "31,11,2026", "14,11,1979"])
    func emptyZDA(date: String) {
        let found = epochs([gga("120000") + zda("120000", date)]).epochs
        #expect(found.map(\.time) == [nil])
        #expect(found.map(\.rejection) == [.noFix])
    }

    // MARK: No date at all

    @Test("Without any date, the day asked for is that of the first fix")
    func onDay() {
        let day = CivilDate(year: 2026, month: 11, day: 14).map { DateFallback.on($0) }
        let found = epochs([gga("235959") + gga("000000")], fallback: day)
        #expect(
            found.epochs.map(\.time) == [
                utc("2026-11-14T23:59:59.000Z"), utc("2026-11-15T00:00:00.000Z"),
            ]
        )
        #expect(found.dates.usedFallback)
    }

    @Test("Without any date, the first fix lies within 12 h of the file's or the host's time")
    func nearInstant() throws {
        let instant = try #require(utc("2026-11-14T00:01:00.000Z"))
        for fallback in [DateFallback.nearFileTime(instant), .nearHostTime(instant)] {
            let found = epochs([gga("235959") + gga("000001")], fallback: fallback)
            #expect(
                found.epochs.map(\.time) == [
                    utc("2026-11-13T23:59:59.000Z"), utc("2026-11-14T00:00:01.000Z"),
                ]
            )
            #expect(found.dates.usedFallback)
            let later = epochs([gga("110000")], fallback: fallback)
            #expect(later.epochs.map(\.time) == [utc("2026-11-14T11:00:00.000Z")])
        }
    }

    @Test("Without any date and any fallback, epochs go on without a time, as no fix")
    func nothing() {
        let found = epochs([gga("120000") + gga("120001")])
        #expect(found.epochs.map(\.time) == [nil, nil])
        #expect(found.epochs.map(\.rejection) == [.noFix, .noFix])
        #expect(!found.dates.usedFallback)
    }

    @Test("A date that comes is better than the fallback")
    func dateWins() {
        let day = CivilDate(year: 2020, month: 2, day: 29).map { DateFallback.on($0) }
        let found = epochs([gga("120000") + rmc("120001", "141126")], fallback: day)
        #expect(
            found.epochs.map(\.time) == [
                utc("2026-11-14T12:00:00.000Z"), utc("2026-11-14T12:00:01.000Z"),
            ]
        )
        #expect(!found.dates.usedFallback)
    }

    // MARK: Waiting

    @Test("Epochs wait for a date for 10 s of receiver time and not longer, whatever the rate")
    func patience() {
        let day = CivilDate(year: 2026, month: 11, day: 14).map { DateFallback.on($0) }
        for rate in [1, 5] {
            let lines = (0...(20 * rate)).map { i in
                gga("1200\(i / rate < 10 ? "0" : "")\(i / rate).\(i % rate * 10 / rate)")
            }
            let counts = epochs(lines, fallback: day).counts
            // An epoch is closed at the latest when the second one behind it begins.
            #expect(counts[10 * rate] == 0)
            #expect(counts[10 * rate + 3] > 10 * rate)
        }
    }

    @Test("A date within 10 s dates all epochs that wait, backwards")
    func dateInTime() {
        let lines = (0...8).map { gga("12000\($0)") } + [rmc("120009", "141126"), gga("120010")]
        let found = epochs(lines)
        #expect(
            found.epochs.map(\.time)
                == (0...10).map { utc("2026-11-14T12:00:\($0 < 10 ? "0" : "")\($0).000Z") }
        )
    }
}
