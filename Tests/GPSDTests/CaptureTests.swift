import Geodesy
import Positioning
import Testing

@testable import GPSD

private let releases: [String] = ["3.16", "3.17", "3.20", "3.22", "3.25", "3.27"].flatMap {
    release in
    ["bu353s4", "mt3339", "mtk-3301", "ublox-8"].map { "gpsd-\(release)/\($0).log.chk" }
}
private let captures =
    releases.filter { $0 != "gpsd-3.16/ublox-8.log.chk" } + [
        "gpsd-3.11/mtk-3301.log.chk", "katomaso/test/gpsd.log", "katomaso/test/gpsd_ublox.log",
        "other/gpsd-3.17-proto3.12-ttyO4.jsonl",
    ]
private let cases = [
    "cases/50-gpsd-altitude-names.json", "cases/51-gpsd-big-sky.json", "cases/52-gpsd-restart.json",
]

@Suite(.enabled(if: Corpus.path != nil, "SUREFOOT_CORPUS names no folder of captures"))
struct CaptureTests {
    /// The times and places of the file's TPVs that have a fix, by a pattern over the text.
    private func claims(of name: String) -> [(time: String, latitude: String, longitude: String)] {
        var claims: [(time: String, latitude: String, longitude: String)] = []
        for line in Corpus.lines(of: name) where line.hasPrefix(#"{"class":"TPV""#) {
            guard line.contains(/"mode":[23]/), let time = line.firstMatch(of: /"time":"([^"]*)"/),
                let latitude = line.firstMatch(of: /"lat":([-0-9.]+)/),
                let longitude = line.firstMatch(of: /"lon":([-0-9.]+)/),
                !claims.contains(where: { $0.time == time.1 })
            else { continue }
            claims.append((String(time.1), String(latitude.1), String(longitude.1)))
        }
        return claims
    }

    @Test("Every capture gives its distinct fix times and its own digits", arguments: captures)
    func distinctTimes(name: String) throws {
        let path = "captures/gpsd-json/\(name)"
        let decoding = try Decoding(Corpus.bytes(of: path))
        let claims = claims(of: path)
        try #require(!claims.isEmpty)
        #expect(decoding.fixes.count == claims.count)
        #expect(Set(decoding.fixes.map(\.time)).count == claims.count)
        for (fix, claim) in zip(decoding.fixes, claims) {
            let (latitude, longitude) = (Double(claim.latitude), Double(claim.longitude))
            #expect(abs(fix.coordinate.latitude - (latitude ?? .nan)) < 1e-8)
            #expect(abs(fix.coordinate.longitude - (longitude ?? .nan)) < 1e-8)
            #expect(text(of: fix.time) == claim.time)
        }
        #expect(decoding.reports.malformed == 0)
        #expect(decoding.reports.cutShort == 0)
        #expect(decoding.reports.unknownClass == 0)
        let lines = Corpus.lines(of: path)
        #expect(decoding.reports.valid == lines.count { $0.hasPrefix("{") })
        #expect(decoding.total == Int64(Corpus.bytes(of: path).count))
    }

    /// Counts of gpsd's TPVs by receiver: captures/README.md.
    @Test("A capture has as many fixes as the receiver's own sentences", arguments: releases)
    func receiverCounts(name: String) throws {
        let path = "captures/gpsd-json/\(name)"
        let counts = ["bu353s4": 25, "mt3339": 30, "ublox-8": 72]
        guard let count = counts.first(where: { name.contains($0.key) })?.value,
            !Corpus.bytes(of: path).isEmpty
        else { return }
        #expect(try Decoding(Corpus.bytes(of: path)).fixes.count == count)
    }

    @Test(
        "Cut in any way, a stream gives the same",
        arguments: cases + captures.map { "captures/gpsd-json/\($0)" }
    )
    func chunking(name: String) throws {
        let stream = Corpus.bytes(of: name)
        let whole = try Decoding(stream, blockSize: 1 << 20)
        #expect(try Decoding(stream, blockSize: 1) == whole)
        var seed: UInt64 = 7
        for _ in 0..<3 {
            let cut = try Decoding(stream, blockSize: 5000) {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(seed >> 33) % (seed >> 32 & 1 == 0 ? 20 : 5000)
            }
            #expect(cut == whole)
        }
    }

    @Test("Case 50: altitude is above mean sea level, under whatever name a release gives it")
    func altitudeNames() throws {
        let decoding = try Decoding(Corpus.bytes(of: cases[0]))
        #expect(decoding.fixes.count == 5)
        #expect(decoding.fixes.compactMap(\.altitude).allSatisfy { $0 == 31.4 })
        #expect(decoding.fixes.contains { $0.altitude == nil })
        let protocols = decoding.notes.compactMap { note -> Int? in
            if case .unknownProtocol(_, let major) = note { major } else { nil }
        }
        #expect(protocols == [4])
    }

    @Test("Case 51: a big SKY, one without satellites and unknown classes cost nothing")
    func bigSky() throws {
        let decoding = try Decoding(Corpus.bytes(of: cases[1]))
        #expect(decoding.fixes.count == 2)
        #expect(decoding.rejections.isEmpty)
        #expect(decoding.reports.unknownClass == 1)
        #expect(decoding.satellites?.inView?.total == 64)
        #expect(decoding.satellites?.used?.total == 21)
        #expect(decoding.fixes.last?.hdop == 0.8)
    }

    @Test("Case 52: a daemon that restarts mid-line costs that line only, and the device is told")
    func restart() throws {
        let decoding = try Decoding(Corpus.bytes(of: cases[2]))
        #expect(decoding.fixes.count == 4)
        #expect(decoding.fixes[2].time.seconds(since: decoding.fixes[1].time) == 21)
        #expect(decoding.rejections == [.noFix, .noFix])
        #expect(decoding.reports.cutShort == 1)
        #expect(decoding.reports.malformed == 0)
        #expect(
            decoding.notes == [
                .deviceChosen("/dev/ttyACM0"), .deviceChosen("/dev/ttyACM1"),
                .deviceGone("/dev/ttyACM1"), .error("Unrecognized request '?FOO'"),
            ]
        )
    }

    private func text(of time: UTC) -> String {
        let day = CivilDate(daysSince1970: time.day)
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let clock = Int(time.millisecondOfDay)
        let (hour, minute) = (clock / 3_600_000, clock / 60_000 % 60)
        return
            "\(day.year)-\(padded(day.month))-\(padded(day.day))T\(padded(hour)):\(padded(minute))"
            + ":\(padded(clock / 1000 % 60)).\(padded(clock % 1000, 3))Z"
    }
}
