import Geodesy
import NMEA0183
import Positioning
import Testing

/// Values by hand from NMEA 0183, section 6.2; limits from the contract and `Plausible`'s reasons.
struct FieldTests {
    /// The only epoch that one sentence gives; its date is 2026-11-14 if it has none.
    private func epoch(_ inside: String) -> Epoch? {
        let fallback = CivilDate(year: 2026, month: 11, day: 14).map { DateFallback.on($0) }
        let all = epochs([sentence(inside)], fallback: fallback).epochs
        #expect(all.count == 1)
        return all.first
    }

    private func gga(
        time: String = "061003.00",
        latitude: String = "4807.038,N",
        longitude: String = "01131.000,E",
        quality: String = "1",
        satellites: String = "08",
        hdop: String = "0.9",
        altitude: String = "545.4"
    ) -> String {
        "GPGGA,\(time),\(latitude),\(longitude),\(quality),\(satellites),\(hdop),\(altitude),M,46.9,M,,"
    }

    private func rmc(
        status: String = "A",
        speed: String = "1.0",
        course: String = "84.4",
        date: String = "141126",
        rest: String = ",003.1,W,A,V"
    ) -> String {
        "GPRMC,061003.250,\(status),4807.038,N,01131.000,E,\(speed),\(course),\(date)\(rest)"
    }

    // MARK: Position

    @Test("Degrees and minutes become degrees to the last digit, rounded to 1e-9")
    func position() {
        // 48 + 7.038 / 60 is 48.1173; 11 + 31 / 60 is 11.516666…
        let coordinate = epoch(gga())?.coordinate
        #expect(coordinate?.nanodegreesNorth == 48_117_300_000)
        #expect(coordinate?.nanodegreesEast == 11_516_666_667)
        let other = epoch(gga(latitude: "4807.038,S", longitude: "01131.000,W"))?.coordinate
        #expect(other?.nanodegreesNorth == -48_117_300_000)
        #expect(other?.nanodegreesEast == -11_516_666_667)
    }

    @Test(
        "Positions at the edge of the Earth are read, with or without leading zeros",
        arguments: [
            ("9000.0000,N", "18000.0000,E", 90_000_000_000, 180_000_000_000),
            ("9000,S", "18000,W", -90_000_000_000, -180_000_000_000),
            ("5959.9999,N", "00000.0001,W", 59_999_998_333, -1667),
            ("807.5,N", "131.5,E", 8_125_000_000, 1_525_000_000),
            ("7.5,N", "1.5,E", 125_000_000, 25_000_000),
        ] as [(String, String, Int64, Int64)]
    )
    func edges(latitude: String, longitude: String, north: Int64, east: Int64) {
        let found = epoch(gga(latitude: latitude, longitude: longitude))
        #expect(found?.rejection == nil)
        #expect(found?.coordinate?.nanodegreesNorth == north)
        #expect(found?.coordinate?.nanodegreesEast == east)
    }

    @Test(
        "A position that is none on Earth, or no number, is a fault of the field",
        arguments: [
            "9000.0001,N", "9100.0,N", "4860.0,N", "4807.038,E", "4807.038,", ",N", "4807.038,X",
            "-4807.038,N", "+4807.038,N", "48O7.038,N", "4807.03.8,N", "4807.038 ,N", "4.8e3,N",
            "4807.038,NN", "99999999999999999999,N", ".,N",
        ]
    )
    func badLatitude(latitude: String) {
        let found = epoch(gga(latitude: latitude))
        #expect(found?.rejection == .field)
        #expect(found?.coordinate == nil)
    }

    @Test(
        "The same for the longitude",
        arguments: ["18000.0001,E", "18100,E", "01160.0,E", "01131.000,N", ",E", "01131.000,"]
    )
    func badLongitude(longitude: String) {
        #expect(epoch(gga(longitude: longitude))?.rejection == .field)
    }

    @Test("A fix at 0 north, 0 east is null island")
    func nullIsland() {
        #expect(
            epoch(gga(latitude: "0000.000,N", longitude: "00000.000,W"))?.rejection == .nullIsland
        )
        #expect(epoch(gga(latitude: "0000.000,N", longitude: "00000.001,E"))?.rejection == nil)
    }

    // MARK: Time

    @Test(
        "Times are read to the millisecond, a leap second as the next day's first",
        arguments: [
            ("061003", "2026-11-14T06:10:03.000Z"), ("061003.5", "2026-11-14T06:10:03.500Z"),
            ("061003.9999", "2026-11-14T06:10:03.999Z"), ("000000.00", "2026-11-14T00:00:00.000Z"),
            ("235959.", "2026-11-14T23:59:59.000Z"), ("235960.25", "2026-11-15T00:00:00.250Z"),
        ]
    )
    func times(field: String, expected: String) {
        #expect(epoch(gga(time: field))?.time == utc(expected))
    }

    @Test(
        "A time that no clock shows is a fault of the field",
        arguments: [
            "240000", "236000", "120060", "235961", "06100", "6:10:03", "-61003", "061003.0a",
            "061003,", "0610o3",
        ].filter { !$0.contains(",") }
    )
    func badTimes(field: String) {
        let found = epoch(gga(time: field))
        #expect(found?.rejection == .field)
        #expect(found?.time == nil)
    }

    @Test("An epoch without a time is no fix")
    func noTime() {
        #expect(epoch(gga(time: ""))?.rejection == .noFix)
    }

    // MARK: Worth

    @Test(
        "Quality tells the worth of a GGA",
        arguments: [
            ("0", .noFix), ("1", nil), ("2", nil), ("3", nil), ("4", nil), ("5", nil),
            ("6", .deadReckoned), ("7", .simulated), ("8", .simulated), ("9", nil), ("", .noFix),
            ("10", .noFix), ("x", .noFix),
        ] as [(String, Rejection?)]
    )
    func qualities(quality: String, rejection: Rejection?) {
        #expect(epoch(gga(quality: quality))?.rejection == rejection)
    }

    @Test(
        "Status and mode tell the worth of an RMC",
        arguments: [
            ("A", ",,,A", nil), ("A", ",,,D", nil), ("A", ",,,N", .noFix), ("V", ",,,A", .noFix),
            ("", ",,,A", .noFix), ("A", ",,,E", .deadReckoned), ("A", ",,,S", .simulated),
            ("A", ",,,M", .simulated), ("A", ",003.1,W", nil), ("A", "", nil), ("A", ",,,R,S", nil),
        ] as [(String, String, Rejection?)]
    )
    func modes(status: String, rest: String, rejection: Rejection?) {
        #expect(epoch(rmc(status: status, rest: rest))?.rejection == rejection)
    }

    // MARK: The rest

    @Test("One knot is 1852 m in 3600 s; course and date arrive with it")
    func movement() {
        let found = epoch(rmc())
        #expect(found?.speed == 1852.0 / 3600)
        #expect(found?.course == 84.4)
        #expect(found?.time == utc("2026-11-14T06:10:03.250Z"))
    }

    @Test(
        "A speed or course out of its range is not known, and spoils nothing else",
        arguments: [
            ("1944", "360", true, true), ("1944.1", "360.1", false, false), ("", "", false, false),
            ("-1", "-1", false, false), ("x", "x", false, false), ("0", "0", true, true),
        ]
    )
    func ranges(speed: String, course: String, hasSpeed: Bool, hasCourse: Bool) {
        let found = epoch(rmc(speed: speed, course: course))
        #expect(found?.rejection == nil)
        #expect((found?.speed != nil) == hasSpeed)
        #expect((found?.course != nil) == hasCourse)
    }

    @Test("Altitude, HDOP and satellites are read where they may be true, else not known")
    func quality() {
        let found = epoch(gga())
        #expect(found?.altitude == 545.4)
        #expect(found?.hdop == 0.9)
        #expect(found?.satellitesUsed == 8)
        #expect(epoch(gga(altitude: "-12.5"))?.altitude == -12.5)
        for altitude in ["-12000.1", "100000.1", "", "x", "--1"] {
            let odd = epoch(gga(altitude: altitude))
            #expect(odd?.altitude == nil)
            #expect(odd?.rejection == nil)
        }
        for hdop in ["0", "0.0", "", "-1", "x"] {
            #expect(epoch(gga(hdop: hdop))?.hdop == nil)
        }
        for satellites in ["", "256", "-1", "1.5", "x"] {
            #expect(epoch(gga(satellites: satellites))?.satellitesUsed == nil)
        }
    }

    @Test(
        "A day that no calendar has is a fault of the field",
        arguments: ["310426", "000126", "011326", "300226"]
    )
    func badDates(date: String) {
        #expect(epoch(rmc(date: date))?.rejection == .field)
    }

    @Test("GST gives the accuracy: the root of both squares, 3 and 4 m are 5 m")
    func statistics() {
        let stream = sentence(gga()) + sentence("GPGST,061003.00,,,,,3.0,4.0,9.0")
        #expect(
            epochs([stream], fallback: .nearHostTime(UTC(milliseconds: 0))).epochs.first?
                .horizontalAccuracy == 5
        )
    }

    @Test("VTG gives speed and course to an epoch without them, in knots or kilometers an hour")
    func course() {
        let fallback = DateFallback.nearHostTime(UTC(milliseconds: 0))
        let knots = sentence(gga()) + sentence("GPVTG,84.4,T,77.8,M,1.0,N,99,K,A")
        let found = epochs([knots], fallback: fallback).epochs.first
        #expect(found?.speed == 1852.0 / 3600)
        #expect(found?.course == 84.4)
        let kilometers = sentence(gga()) + sentence("GPVTG,84.4,T,,,,N,36,K,A")
        #expect(epochs([kilometers], fallback: fallback).epochs.first?.speed == 10)
    }
}
