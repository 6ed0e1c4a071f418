import Geodesy
import Positioning
import Testing

@testable import GPSD

/// A TPV of 2026-11-14 06:10 and so many seconds; `rest` begins with a comma.
private func tpv(_ second: Int, _ rest: String = "", device: String = "/dev/a") -> String {
    let digits = (second < 10 ? "0" : "") + String(second)
    return
        #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2026-11-14T06:10:\#(digits).000Z""#
        + rest + "}"
}

/// So many steps of 1e-4 degrees, about 11 m, to the north.
private func at(_ step: Int) -> String {
    #","lat":37.\#(5000 + step),"lon":126.5"#
}

private func second(_ fix: Fix) -> Int { Int(fix.time.millisecondOfDay) / 1000 % 60 }

@Suite
struct GPSDDecoderTests {
    @Test("Several reports of one time are one fix: what the first leaves out, the next gives")
    func merging() throws {
        let decoding = try Decoding([
            tpv(1, at(1)), tpv(1, at(1) + #","speed":3.0"#),
            tpv(1, at(1) + #","speed":9.0,"track":90"#),
            tpv(2, at(2)),
        ])
        #expect(decoding.fixes.map(second) == [1, 2])
        #expect(decoding.fixes[0].speed == 3)
        #expect(decoding.fixes[0].course == 90)
    }

    @Test("Once it is known how many reports an epoch has, it does not wait for the next time")
    func learnedClose() throws {
        var decoder = try GPSDDecoder()
        var count = 0
        for second in 1...5 {
            let lines = tpv(second, at(second)) + "\n" + tpv(second, at(second)) + "\n"
            feed(lines, to: &decoder)
            decoder.drain { _ in count += 1 }
            // Three epochs teach; the third of them closes when the fourth begins, which is whole.
            #expect(count == (second < 4 ? second - 1 : second))
        }
    }

    @Test("A late report of a closed time changes nothing but how many are waited for")
    func late() throws {
        var decoder = try GPSDDecoder()
        var epochs: [EpochRecord] = []
        for second in 1...5 {
            feed(tpv(second, at(second)) + "\n", to: &decoder)
            decoder.drain { epochs.append(EpochRecord($0)) }
        }
        #expect(epochs.count == 5)
        feed(tpv(5, at(5) + #","speed":3"#) + "\n" + tpv(6, at(6)) + "\n", to: &decoder)
        decoder.drain { epochs.append(EpochRecord($0)) }
        #expect(epochs.count == 5)
        #expect(epochs[4].fix?.speed == nil)
        decoder.finish { epochs.append(EpochRecord($0)) }
        #expect(epochs.count == 6)
    }

    @Test("A second position for a time that is closed is a duplicate, and the first stands")
    func duplicate() throws {
        var lines = (1...5).map { tpv($0, at($0)) }
        lines.append(tpv(5, at(9)))
        let decoding = try Decoding(lines)
        #expect(decoding.fixes.count == 5)
        #expect(decoding.rejections == [.duplicate])
    }

    @Test("Reports without time or fix count once in a row; a position before its time is no epoch")
    func timeless() throws {
        let none = #"{"class":"TPV","device":"/dev/a","mode":1}"#
        let early = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":37.5001,"lon":126.5}"#
        let decoding = try Decoding([none, none, tpv(1, at(1)), none, none, none, tpv(2, at(2))])
        #expect(decoding.rejections == [.noFix, .noFix])
        #expect(decoding.epochs.map { $0.fix != nil } == [false, true, false, true])
        let begun = try Decoding([early, early, tpv(1, at(1)), early, tpv(2, at(2))])
        #expect(begun.rejections.isEmpty)
        #expect(begun.fixes.count == 2)
        #expect(try Decoding([early]).rejections == [.noFix])
    }

    @Test(
        "Each kind of position that is none has its reason",
        arguments: [
            (#","lat":37.5,"lon":126.5,"status":8"#, Rejection.simulated),
            (#","lat":37.5,"lon":126.5,"status":5"#, .deadReckoned),
            (#","lat":0.0,"lon":0.0"#, .nullIsland), (#","lat":91.0,"lon":126.5"#, .field),
            (#","lat":37.5,"lon":181.0"#, .field), ("", .field),
        ]
    )
    func reasons(rest: String, reason: Rejection) throws {
        #expect(try Decoding([tpv(1, rest)]).rejections == [reason])
    }

    @Test("A clock that was never set is said; status 0 and 6 are fixes")
    func clockAndStatus() throws {
        let unset =
            #"{"class":"TPV","mode":3,"time":"1980-01-06T00:00:09.000Z","lat":37.5,"lon":126.5}"#
        #expect(try Decoding([unset]).rejections == [.clockUnset])
        let decoding = try Decoding([
            tpv(1, at(1) + #","status":0"#), tpv(2, at(2) + #","status":6"#),
        ])
        #expect(decoding.fixes.count == 2)
    }

    /// Figures by hand from docs/decisions/accuracy-percentile.md: 2.5 m x HDOP an axis, eph / 1.73.
    @Test("Accuracy: GST before HDOP before eph before epx and epy before nothing")
    func accuracy() throws {
        func radius(_ before: [String], _ rest: String) throws -> Double? {
            try Decoding(before + [tpv(1, at(1) + rest)]).fixes.first?.horizontalAccuracy
        }
        let sky = #"{"class":"SKY","device":"/dev/a","hdop":1.2}"#
        let gst =
            #"{"class":"GST","device":"/dev/a","time":"2026-11-14T06:10:01.000Z","lat":3.0,"lon":4.0}"#
        let eph = #","eph":17.3,"epx":1,"epy":1"#
        #expect(try radius([sky, gst], eph) == 5)
        #expect(abs(try #require(try radius([sky], eph)) - 3 * 2.0.squareRoot()) < 1e-9)
        #expect(abs(try #require(try radius([], eph)) - 10) < 1e-9)
        #expect(abs(try #require(try radius([], #","eph":0.0,"epx":3,"epy":4"#)) - 5 / 1.73) < 1e-9)
        #expect(try radius([], #","eph":0.0"#) == Accuracy.unknown)
        let old = gst.replacing("10:01", with: "09:01")
        #expect(abs(try #require(try radius([old], eph)) - 10) < 1e-9)
    }

    @Test("Of several devices the first with a fix is used and no other, until it is gone")
    func devices() throws {
        let other = #"{"class":"TPV","device":"/dev/b","mode":1}"#
        let decoding = try Decoding([
            other, tpv(1, at(1)), tpv(1, at(7), device: "/dev/b"), tpv(2, at(2)),
            tpv(2, at(8), device: "/dev/b"), #"{"class":"DEVICE","path":"/dev/b","activated":0}"#,
            tpv(3, at(3)), #"{"class":"DEVICE","path":"/dev/a","activated":0}"#,
            tpv(4, at(4), device: "/dev/b"),
        ])
        #expect(decoding.fixes.map(\.coordinate.latitude) == [37.5001, 37.5002, 37.5003, 37.5004])
        #expect(
            decoding.notes == [
                .deviceChosen("/dev/a"), .deviceIgnored("/dev/b"), .deviceGone("/dev/a"),
                .deviceChosen("/dev/b"),
            ]
        )
        #expect(decoding.device == "/dev/b")
    }

    @Test("A list of devices without the one in use tells that it is gone")
    func deviceList() throws {
        let list = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\/dev\/a"}]}"#
        let empty = #"{"class":"DEVICES","devices":[]}"#
        let decoding = try Decoding([list, tpv(1, at(1)), list, tpv(2, at(2)), empty])
        #expect(decoding.notes == [.deviceChosen("/dev/a"), .deviceGone("/dev/a")])
        #expect(decoding.device == nil)
    }

    @Test("White space and the order of members make no difference")
    func looseText() throws {
        let loose =
            #" { "time" : "2026-11-14T06:10:01.000Z" , "mode" : 3, "lat": 37.5,"#
            + #" "lon":126.5 , "device":"/dev/a b", "class" : "TPV" } "#
        let decoding = try Decoding([String(loose.dropFirst()), tpv(2, at(2), device: "/dev/a b")])
        #expect(decoding.fixes.map(second) == [1, 2])
        #expect(decoding.device == "/dev/a b")
        #expect(decoding.reports.valid == 2)
    }

    @Test("Cut, garbled and foreign lines are counted, and cost only themselves")
    func faults() throws {
        let decoding = try Decoding([
            "# Name: a capture", tpv(1, at(1)), "$GPGGA,,,,,,0,,,,,,,,*66", "",
            #"{"class":"TPV","mode":3"#, #"{"class":"TPV","mode":3,,"time":"x"}"#,
            #"{"class":"TPV"}}"#, #"{"class":"NEW","x":[1,{"y":null}]}"#, "{}",
            tpv(2, at(2)) + "\r",
        ])
        #expect(decoding.fixes.count == 2)
        var counts = ReportCounts()
        (counts.valid, counts.unknownClass, counts.cutShort, counts.malformed) = (2, 2, 1, 2)
        #expect(decoding.reports == counts)
        #expect(decoding.bytes.noise == 24)
        #expect(decoding.bytes.comment == 17)
    }

    @Test("A cut line leaves nothing of the fix before in the next one")
    func nothingLeft() throws {
        let decoding = try Decoding([
            tpv(1, at(1) + #","speed":3.5,"track":90,"altMSL":31.4"#), tpv(2, at(2)),
        ])
        #expect(decoding.fixes[1].speed == nil)
        #expect(decoding.fixes[1].course == nil)
        #expect(decoding.fixes[1].altitude == nil)
    }

    @Test("A last line without an end is used if it is whole, and cut short if it is not")
    func lastLine() throws {
        #expect(try Decoding(Array(tpv(1, at(1)).utf8)).fixes.count == 1)
        let cut = try Decoding(Array((tpv(1, at(1)) + "\n" + tpv(2, at(2)).dropLast(3)).utf8))
        #expect(cut.fixes.count == 1)
        #expect(cut.reports.cutShort == 1)
    }

    @Test("A line over 64 KiB is skipped whatever the blocks, and so is a deep one")
    func tooLong() throws {
        let long = #"{"class":"TPV","x":""# + String(repeating: "x", count: 200_000) + #""}"#
        let deep = #"{"class":"TPV","x":"# + String(repeating: "[", count: 40_000) + "}"
        let noise = String(repeating: "n", count: 90_000)
        let stream = Array(
            [tpv(1, at(1)), long, deep, noise, tpv(2, at(2))].joined(separator: "\n").utf8
        )
        let whole = try Decoding(stream, blockSize: 1 << 20)
        #expect(whole.fixes.count == 2)
        #expect(whole.reports.malformed == 2)
        #expect(whole.bytes.noise == 90_000)
        for blockSize in [1, 1000, 65_536] {
            #expect(try Decoding(stream, blockSize: blockSize) == whole)
        }
    }

    /// PRN ranges: gpsd's drivers; gnssid: gps.h.
    @Test("Satellites count by constellation, by gnssid where it is given and by PRN elsewhere")
    func satellites() throws {
        let sky =
            #"{"class":"SKY","device":"/dev/a","satellites":["#
            + [5, 40, 133, 70, 193, 210, 305].map { #"{"PRN":\#($0),"used":\#($0 < 100)}"# }
            .joined(separator: ",") + #",{"PRN":9,"gnssid":7,"svid":9,"used":true}]}"#
        let counted = try #require(try Decoding([sky]).satellites)
        #expect(
            counted.inView?.gps == 1 && counted.inView?.sbas == 2 && counted.inView?.glonass == 1
        )
        #expect(
            counted.inView?.qzss == 1 && counted.inView?.beidou == 1 && counted.inView?.galileo == 1
        )
        #expect(counted.inView?.navic == 1 && counted.used?.navic == 1)
        #expect(counted.used?.total == 4)
    }

    @Test("Garbled bytes anywhere stop nothing, whatever the blocks")
    func garbled() throws {
        let clean = (0..<60).map { tpv($0, at($0)) }.joined(separator: "\n")
        let sky = #"{"class":"SKY","hdop":1.1,"satellites":[{"PRN":5,"used":true}]}"#
        let letters = Array("{}[]\":,\\\n\r\t 0-x".utf8) + [0, 0xFF]
        var seed: UInt64 = 11
        func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        for _ in 0..<200 {
            var stream = Array((clean + "\n" + sky + "\n" + clean).utf8)
            for _ in 0..<random(40) {
                stream[random(stream.count)] = letters[random(letters.count)]
            }
            if random(2) == 0 { stream.removeSubrange(0..<random(stream.count)) }
            let whole = try Decoding(stream)
            #expect(try Decoding(stream, blockSize: 1 + random(300)) == whole)
            #expect(whole.fixes.count <= 120)
        }
    }

    @Test("A report that goes on in a cut line is used; a part of the cut one is not")
    func cutLists() throws {
        let version = #"{"class":"VERSION","release":"3.22","proto_major":3}"#
        let list = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}"#
        let sky = #"{"class":"SKY","satellites":["#
        let decoding = try Decoding([list, list + version, sky + version, sky + tpv(1, at(1))])
        #expect(decoding.reports.cutShort == 4)
        #expect(decoding.reports.valid == 3)
        #expect(decoding.fixes.count == 1)
    }

    @Test("A member that is null is as if it were not there")
    func null() throws {
        let decoding = try Decoding([tpv(1, at(1) + #","speed":null,"eph":null"#)])
        #expect(decoding.fixes.count == 1)
        #expect(decoding.fixes.first?.speed == nil)
        #expect(try Decoding([tpv(1, #","lat":null,"lon":null"#)]).rejections == [.field])
    }

    @Test("Without libgps the message names the package to install")
    func missingLibrary() {
        #expect(LibraryFault.missing.description.contains("install libgps"))
        #expect(LibraryFault.mismatch.description.contains("install libgps"))
    }

    @Test("After a stream broke off, another may bring another device")
    func streams() throws {
        var decoder = try GPSDDecoder()
        var count = 0
        feed(tpv(1, at(1)) + "\n", to: &decoder)
        decoder.finish { _ in count += 1 }
        #expect(decoder.device == "/dev/a")
        feed(tpv(2, at(2), device: "/dev/b") + "\n", to: &decoder)
        decoder.finish { _ in count += 1 }
        #expect(count == 2)
        #expect(decoder.takeNotes() == [.deviceChosen("/dev/a"), .deviceChosen("/dev/b")])
    }

    private func feed(_ text: String, to decoder: inout GPSDDecoder) {
        let bytes = Array(text.utf8)
        _ = decoder.fill { (room) throws(Never) -> Int in
            room.copyBytes(from: bytes)
            return bytes.count
        }
    }
}
