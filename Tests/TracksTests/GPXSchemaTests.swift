import Testing

@Suite(.enabled(if: GPXSchema.path != nil, Comment(rawValue: GPXSchema.skipReason)))
struct GPXSchemaTests {
    private func document(_ inside: String) -> [UInt8] {
        Array(
            """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\(inside)</gpx>
            """.utf8
        )
    }

    @Test("The schema passes a track point with Garmin's extension, which it does not know")
    func passes() throws {
        let valid = document(
            """
            <trk><type>running</type><trkseg><trkpt lat="1" lon="2"><ele>3</ele><extensions>\
            <g:TrackPointExtension><g:speed>3</g:speed></g:TrackPointExtension>\
            </extensions></trkpt></trkseg></trk>
            """
        )
        #expect(try GPXSchema.complaint(about: valid) == nil)
    }

    @Test(
        "The schema refuses what GPX 1.1 does not allow",
        arguments: [
            #"<trk/><wpt lat="1" lon="2"/>"#,
            #"<trk><trkseg><trkpt lat="91" lon="2"/></trkseg></trk>"#,
            #"<trk><trkseg><trkpt lat="1"/></trkseg></trk>"#,
            #"<wpt lat="1" lon="2"><time>2026-11-14</time></wpt>"#,
        ]
    )
    func refuses(inside: String) throws {
        #expect(try GPXSchema.complaint(about: document(inside)) != nil)
    }
}
