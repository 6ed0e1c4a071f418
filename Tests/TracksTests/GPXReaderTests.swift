import Foundation
import Geodesy
import Positioning
import Testing
import Tracks

/// Wraps track points into a whole document.
private func gpx(_ inside: String) -> [UInt8] {
    Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
        <trk><trkseg>\(inside)</trkseg></trk></gpx>
        """.utf8
    )
}

private func read(_ bytes: [UInt8]) throws -> GPXDocument {
    let whole = try GPXReader().read(bytes: bytes)
    let byByte = try GPXReader(chunkSize: 1).read(bytes: bytes)
    // How the file is cut while it is read changes no value; the parser's words may differ.
    #expect(whole.tracks == byByte.tracks)
    #expect(whole.waypoints == byByte.waypoints)
    #expect(whole.skippedPoints == byByte.skippedPoints)
    #expect(whole.fault?.line == byByte.fault?.line)
    return whole
}

private let onePoint = #"<trkpt lat="1" lon="2"/>"#

struct GPXReaderTests {
    @Test("Every field of a GPX 1.1 track point arrives, speed and course under any prefix")
    func allFields() throws {
        let document = try read(
            Array(
                """
                <?xml version="1.0"?>
                <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"
                  xmlns:q="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
                <wpt lat="37.5211" lon="126.9324"><ele>1</ele><name>Lap 1 &amp; 2</name></wpt>
                <trk><name><![CDATA[Seoul ]]>서울</name><type>running</type><trkseg>
                <trkpt lat="37.5211" lon="126.9324"><ele>31.4</ele>
                <time>2026-11-14T15:10:00.250+09:00</time><name>not the track</name><sat>12</sat>
                <hdop>0.8</hdop><extensions><q:TrackPointExtension><q:hr>150</q:hr>
                <q:speed>3.01</q:speed><q:course>270.5</q:course></q:TrackPointExtension>
                </extensions></trkpt></trkseg><trkseg/></trk><trk/></gpx>
                """.utf8
            )
        )
        let coordinate = Coordinate(
            nanodegreesNorth: 37_521_100_000,
            nanodegreesEast: 126_932_400_000
        )
        #expect(document.version == "1.1")
        #expect(document.fault == nil)
        #expect(
            document.waypoints == [
                Waypoint(
                    name: "Lap 1 & 2",
                    point: TrackPoint(coordinate: coordinate, elevation: 1)
                )
            ]
        )
        let point = TrackPoint(
            coordinate: coordinate,
            time: UTC(milliseconds: 1_794_636_600_250),
            elevation: 31.4,
            satellites: 12,
            hdop: 0.8,
            speed: 3.01,
            course: 270.5
        )
        #expect(
            document.tracks == [
                Track(
                    name: "Seoul 서울",
                    type: "running",
                    segments: [Track.Segment(points: [point]), Track.Segment()]
                ),
                Track(),
            ]
        )
    }

    @Test("GPX 1.0 gives speed and course from its own elements, also under a prefix")
    func version10() throws {
        let document = try read(
            Array(
                """
                <g:gpx version="1.0" xmlns:g="http://www.topografix.com/GPX/1/0" xmlns:x="urn:x">
                <g:trk><g:trkseg><g:trkpt lat="1" lon="2"><x:ele>9</x:ele><g:course>360</g:course>
                <g:speed>2.5</g:speed></g:trkpt><x:trkpt lat="1" lon="2"/></g:trkseg></g:trk>
                <g:rte><g:rtept lat="3" lon="4"/></g:rte></g:gpx>
                """.utf8
            )
        )
        #expect(document.version == "1.0")
        #expect(document.pointCount == 1)
        let point = try #require(document.tracks.first?.segments.first?.points.first)
        #expect(point.speed == 2.5)
        #expect(point.course == 0)
        #expect(point.elevation == nil)
    }

    @Test("GPX without a namespace, and with a prefix nobody declared, is read")
    func noNamespace() throws {
        let text = """
            <gpx><trk><trkseg><trkpt lat="1" lon="2"><extensions><z:TrackPointExtension>\
            <z:speed>3</z:speed></z:TrackPointExtension></extensions></trkpt></trkseg></trk></gpx>
            """
        let document = try read(Array(text.utf8))
        #expect(document.fault == nil)
        #expect(document.tracks.first?.segments.first?.points.first?.speed == 3)
    }

    @Test(
        "A point that is nowhere on Earth is skipped and counted, the others stay",
        arguments: [
            #"lat="1""#, #"lon="1""#, "", #"lat="" lon="2""#, #"lat="91" lon="2""#,
            #"lat="1" lon="-180.1""#, #"lat="nan" lon="2""#, #"lat="1,5" lon="2""#,
            #"lat="1e400" lon="2""#, #"lat="1&#0048;1" lon="2""#,
        ]
    )
    func skips(attributes: String) throws {
        let document = try read(
            gpx(onePoint + "<trkpt \(attributes)><ele>1</ele></trkpt>" + onePoint)
        )
        #expect(document.pointCount == 2)
        #expect(document.skippedPoints == 1)
        #expect(document.fault == nil)
    }

    @Test("A field that cannot be read is absent and counted; its point stays; empty is absent")
    func badFields() throws {
        let document = try read(
            gpx(
                """
                <trkpt lat="1" lon="2"><ele>NaN</ele><time>yesterday</time><sat>-1</sat>\
                <hdop>-2</hdop></trkpt><trkpt lat="1" lon="2"><ele/><time></time><sat> </sat>\
                <hdop>0</hdop></trkpt>
                """
            )
        )
        let bare = Coordinate(latitude: 1, longitude: 2).map { TrackPoint(coordinate: $0) }
        #expect(document.tracks.first?.segments.first?.points == [bare, bare].compactMap(\.self))
        #expect(document.skippedFields == 4)
    }

    @Test("A file cut at any byte gives exactly the points whose end tag stands before the cut")
    func cutAnywhere() throws {
        let point = #"<trkpt lat="1" lon="2"><ele>3</ele></trkpt>"#
        let whole = gpx(point + point + onePoint + point)
        let text = String(decoding: whole, as: UTF8.self)
        let begin = try #require(
            text.range(
                of:
                    "<gpx version=\"1.1\" creator=\"t\" xmlns=\"http://www.topografix.com/GPX/1/1\">"
            )
        )
        let rootEnd = text.utf8.distance(from: text.startIndex, to: begin.upperBound)
        for length in rootEnd...whole.count {
            let cut = Array(whole[..<length])
            let document = try GPXReader().read(bytes: cut)
            let kept = String(decoding: cut, as: UTF8.self)
            let expected =
                kept.components(separatedBy: "</trkpt>").count - 1
                + kept.components(separatedBy: onePoint).count - 1
            #expect(document.pointCount == expected, "cut after \(length) bytes")
            if length == whole.count {
                #expect(document.fault == nil)
            } else {
                #expect(document.fault?.reason == .endsEarly, "cut after \(length) bytes")
            }
        }
    }

    @Test("What stands before a damaged byte is kept, and the damage has its line")
    func damage() throws {
        for junk in ["<ele>1</elf>", "<", "&nope;", "\u{1}", "<a b=1>", "</gpx>", "<trkpt lat='1"] {
            let document = try read(
                gpx("\(onePoint)\n\(onePoint)\n<trkpt>\n\(junk)</trkpt>\(onePoint)")
            )
            #expect(document.pointCount == 2, "\(junk)")
            #expect((6...7).contains(document.fault?.line ?? 0), "\(junk)")
        }
        var zeros = gpx(onePoint)
        zeros += [UInt8](repeating: 0, count: 4096)
        let padded = try read(zeros)
        #expect(padded.pointCount == 1)
        #expect(padded.fault != nil)
        let holed = gpx(onePoint + "<trkpt lat='1' lon='2'>\u{0}</trkpt>" + onePoint)
        #expect(try read(holed).pointCount == 1)
        #expect(try read(holed).fault?.line == 3)
    }
}

struct GPXReaderRefusals {
    private func error(_ text: String) -> GPXError? {
        #expect(throws: GPXError.self) { try GPXReader().read(bytes: Array(text.utf8)) }
    }

    @Test("An empty file, a missing one and a directory are said to be so")
    func noFile() throws {
        #expect(error("") == .empty)
        #expect(throws: GPXError.cannotOpen(path: "/nowhere/run.gpx", errno: ENOENT)) {
            try GPXReader().read(path: "/nowhere/run.gpx")
        }
        #expect(throws: GPXError.isDirectory(path: "/tmp")) { try GPXReader().read(path: "/tmp") }
        #expect(throws: GPXError.empty) { try GPXReader().read(path: "/dev/null") }
        #expect(throws: GPXError.cannotRead(path: "", errno: EBADF)) {
            try GPXReader().read(descriptor: -1)
        }
        let error = GPXError.cannotOpen(path: "/nowhere/run.gpx", errno: ENOENT)
        #expect(error.description == "Cannot open /nowhere/run.gpx: No such file or directory.")
    }

    @Test("What is no GPX is named by what it is")
    func notGPX() {
        #expect(error("<html><trkpt/></html>") == .notGPX(root: "html"))
        #expect(
            error("<?xml version='1.0'?><TrainingCenterDatabase/>")
                == .notGPX(root: "TrainingCenterDatabase")
        )
        for text in [
            "$GPRMC,061000.00,A*00\r\n", "<", "x", "\u{0}\u{0}\u{0}\u{0}", "<?xml version='1.0'?>",
        ] {
            guard case .notXML(let fault) = error(text) else {
                Issue.record("\(text) is no XML")
                continue
            }
            #expect(fault.line == 1)
        }
    }

    @Test("A document type declaration is refused: no entity is expanded, no file is opened")
    func documentType() {
        let laughs =
            "<!DOCTYPE gpx [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
            + "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]><gpx><trk><name>&c;</name></trk></gpx>"
        #expect(error(laughs) == .documentType(line: 1))
        #expect(
            error("\n<!DOCTYPE gpx [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><gpx>&a;</gpx>")
                == .documentType(line: 2)
        )
        #expect(
            error("<!DOCTYPE gpx SYSTEM 'http://127.0.0.1:9/x.dtd'><gpx/>")
                == .documentType(line: 1)
        )
        #expect(error("<!DOCTYPE gpx [%a;]><gpx/>") == .documentType(line: 1))
    }
}

struct GPXReaderHostileTests {
    @Test("UTF-16 and Latin-1 are read as what they say they are")
    func encodings() throws {
        let inside =
            #"<gpx><trk><name>Zürich</name><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>"#
        var utf16: [UInt8] = [0xFF, 0xFE]
        for unit in (#"<?xml version="1.0" encoding="UTF-16"?>"# + inside).utf16 {
            utf16 += [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
        }
        let latin1 = (#"<?xml version="1.0" encoding="ISO-8859-1"?>"# + inside).unicodeScalars
            .map { UInt8(truncatingIfNeeded: $0.value) }
        let marked = [0xEF, 0xBB, 0xBF] + Array(inside.utf8)
        for bytes in [utf16, latin1, marked] {
            let document = try read(bytes)
            #expect(document.tracks.first?.name == "Zürich")
            #expect(document.pointCount == 1)
            #expect(document.fault == nil)
        }
    }

    @Test("A wrong or unknown encoding is a fault, not a crash, and not a wrong name")
    func wrongEncodings() throws {
        let latin1: [UInt8] =
            Array("<gpx><trk><trkseg>\(onePoint)</trkseg><name>Z".utf8) + [0xFC]
            + Array("rich</name></trk></gpx>".utf8)
        let document = try read(latin1)
        #expect(document.pointCount == 1)
        #expect(document.tracks.first?.name == nil)
        #expect(document.fault?.line == 1)
        for name in ["EBCDIC-NONE", "UTF-16", "UTF-7"] {
            let bytes = Array("<?xml version='1.0' encoding='\(name)'?><gpx></gpx>".utf8)
            _ = try? GPXReader().read(bytes: bytes)
            _ = try? GPXReader(chunkSize: 1).read(bytes: bytes)
        }
    }

    @Test("A huge attribute, name or number costs itself; deep nesting ends the reading")
    func sizes() throws {
        let long = String(repeating: "9", count: 100_000)
        let document = try GPXReader().read(
            bytes: gpx(
                "<trkpt lat='\(long)' lon='1'/><trkpt lat='1' lon='2'><ele>\(long)</ele></trkpt>"
            )
        )
        #expect(document.pointCount == 1)
        #expect(document.skippedPoints == 1)
        #expect(document.skippedFields == 1)
        #expect(document.fault == nil)

        let name = String(repeating: "é", count: 100_000)
        let named = try GPXReader().read(
            bytes: Array("<gpx><trk><name>x\(name)</name></trk></gpx>".utf8)
        )
        #expect(named.tracks.first?.name?.utf8.count == 4095)

        let huge = String(repeating: "9", count: 20_000_000)
        let refused = try GPXReader().read(bytes: gpx(onePoint + "<trkpt lat='\(huge)' lon='1'/>"))
        #expect(refused.pointCount == 1)
        #expect(refused.fault != nil)

        let attributes = (0..<20_000).map { " a\($0)='1'" }.joined()
        let names = (0..<20_000).map { "<x\($0)/>" }.joined()
        for flood in ["<a\(attributes)/>", names, "<!--\(huge)-->"] {
            let flooded = try GPXReader().read(bytes: gpx(onePoint + flood + onePoint))
            #expect(flooded.pointCount == 1)
            #expect(flooded.fault?.line == 3)
        }

        let deep = String(repeating: "<a>", count: 100_000)
        let nested = try GPXReader().read(bytes: gpx(onePoint + deep))
        #expect(nested.pointCount == 1)
        #expect(nested.fault != nil)
    }

    @Test("Bytes changed, lost or repeated at random never stop the program")
    func mutations() {
        var state: UInt64 = 54
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let seed = gpx(
            "<trkpt lat='1' lon='2'><ele>3</ele><time>2026-11-14T06:10:00Z</time></trkpt>"
                + onePoint
        )
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0...random(3) {
                let place = random(bytes.count)
                switch random(4) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random(256))
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(contentsOf: bytes[place..<min(place + 20, bytes.count)], at: place)
                default: bytes[place] = Array("<>/&'=!?\" ".utf8)[random(10)]
                }
            }
            // Both refuse, or both give the same points up to the same place.
            let whole = try? GPXReader().read(bytes: bytes)
            let pieces = try? GPXReader(chunkSize: 1 + random(64)).read(bytes: bytes)
            #expect(whole?.tracks == pieces?.tracks, "\(String(decoding: bytes, as: UTF8.self))")
            #expect((whole?.fault == nil) == (pieces?.fault == nil))
        }
    }
}
