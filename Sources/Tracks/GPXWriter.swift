package import Geodesy
package import Positioning

/// Writes one run as a GPX 1.1 track, point by point, in constant memory.
///
/// The schema puts waypoints before the track, and the end of a run is known last. Therefore
/// ``begin()`` leaves room behind the head, blanks that XML ignores, and ``prologue`` is what
/// belongs there once the run is over: whoever owns the file writes it over the blanks.
package struct GPXWriter: Sendable {
    /// One point of a track or a waypoint.
    package struct Point: Sendable {
        package var time: UTC
        package var coordinate: Coordinate
        /// Meters above mean sea level.
        package var elevation: Double?
        package var satellites: Int?
        package var hdop: Double?
        /// Meters a second.
        package var speed: Double?
        /// Degrees from true north.
        package var course: Double?

        /// A point for a fix, drawn at `coordinate`, or where the fix is if that is `nil`.
        package init(_ fix: Fix, at coordinate: Coordinate? = nil) {
            time = fix.time
            self.coordinate = coordinate ?? fix.coordinate
            elevation = fix.altitude
            satellites = fix.satellitesUsed
            hdop = fix.hdop
            speed = fix.speed
            course = fix.course
        }
    }

    private static let waypointRoom = 192
    /// Most bytes of one point: 220 of fixed text, 24 of time, and seven numbers of 22.
    private static let longestPoint = 400

    /// Text not yet taken.
    package var text = TextBuffer(capacity: 72 * 1024)
    /// Where in the file the room for waypoints starts, and how long it is, in bytes.
    package let roomStart: Int
    package let roomLength: Int

    /// The first point and the latest.
    package private(set) var first: Point?
    package private(set) var last: Point?

    private let head: TextBuffer
    private var isInSegment = false

    /// - Parameters:
    ///   - name: Name of the track; characters that XML cannot hold are left out.
    ///   - creator: Program and version.
    ///   - waypointCount: Most waypoints that ``prologue(_:)`` will be given.
    package init(name: String?, creator: String, waypointCount: Int) {
        var head = TextBuffer()
        head.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        head.text("<gpx version=\"1.1\" creator=\"")
        head.xml(creator)
        head.text("\"\n  xmlns=\"http://www.topografix.com/GPX/1/1\"\n")
        head.text("  xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v2\"\n")
        head.text("  xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n")
        head.text("  xsi:schemaLocation=\"http://www.topografix.com/GPX/1/1")
        head.text(" http://www.topografix.com/GPX/1/1/gpx.xsd\">\n")
        roomStart = head.count
        roomLength = waypointCount * Self.waypointRoom
        head.spaces(max(0, roomLength - 1))
        if roomLength > 0 { head.text("\n") }
        head.text("<trk>")
        if let name, !name.isEmpty {
            head.text("<name>")
            head.xml(name)
            head.text("</name>")
        }
        head.text("<type>running</type>\n")
        self.head = head
    }

    package mutating func begin() {
        text.clear()
        text.append(head)
    }

    /// The next point opens a new segment.
    package mutating func endSegment() {
        if isInSegment { text.text("</trkseg>\n") }
        isInSegment = false
    }

    /// - Returns: bytes of text not yet taken.
    package mutating func add(_ point: Point, opensSegment: Bool) -> Int {
        if opensSegment { endSegment() }
        add(point)
        if first == nil { first = point }
        last = point
        return text.count
    }

    package mutating func add(_ point: Point) {
        if !isInSegment { text.text("<trkseg>\n") }
        isInSegment = true
        let time = text.timeText(point.time)
        text.write(most: Self.longestPoint) { out in
            out.text("<trkpt lat=\"")
            out.place(point.coordinate)
            if let elevation = point.elevation {
                out.text("<ele>")
                out.decimal(elevation, digits: 2)
                out.text("</ele>")
            }
            out.text("<time>")
            out.time(time)
            out.text("</time>")
            if let satellites = point.satellites {
                out.text("<sat>")
                out.fixed(Int64(satellites), digits: 0)
                out.text("</sat>")
            }
            if let hdop = point.hdop {
                out.text("<hdop>")
                out.decimal(hdop, digits: 2)
                out.text("</hdop>")
            }
            if point.speed != nil || point.course != nil {
                out.text("<extensions><gpxtpx:TrackPointExtension>")
                if let speed = point.speed {
                    out.text("<gpxtpx:speed>")
                    out.decimal(speed, digits: 3)
                    out.text("</gpxtpx:speed>")
                }
                if let course = point.course {
                    out.text("<gpxtpx:course>")
                    out.decimal(course, digits: 2)
                    out.text("</gpxtpx:course>")
                }
                out.text("</gpxtpx:TrackPointExtension></extensions>")
            }
            out.text("</trkpt>\n")
        }
    }

    package mutating func end() {
        endSegment()
        text.text("</trk>\n</gpx>\n")
    }

    /// Waypoints that fill the room behind the head; just as many bytes as were left.
    ///
    /// - Precondition: no more of them than there is room for.
    package func prologue(_ waypoints: [(name: String, point: Point)]) -> [UInt8] {
        precondition(waypoints.count * Self.waypointRoom <= roomLength, "no room left")
        var text = TextBuffer()
        for (name, point) in waypoints {
            text.text("<wpt lat=\"")
            text.write(most: 80) { $0.place(point.coordinate) }
            if let elevation = point.elevation {
                text.text("<ele>")
                text.decimal(elevation, digits: 2)
                text.text("</ele>")
            }
            text.text("<time>")
            text.time(point.time)
            text.text("</time><name>")
            text.xml(name)
            text.text("</name></wpt>\n")
        }
        text.spaces(max(0, roomLength - text.count - 1))
        if text.count < roomLength { text.text("\n") }
        return text.bytes
    }
}

extension TextCursor {
    /// `37.521100000" lon="126.932400000">`: the longitude in [-180, 180), as the schema has it.
    @inline(always)
    fileprivate mutating func place(_ coordinate: Coordinate) {
        let half: Int64 = 180_000_000_000
        let east = coordinate.nanodegreesEast
        fixed(coordinate.nanodegreesNorth, digits: 9)
        text("\" lon=\"")
        fixed(east == half ? -half : east, digits: 9)
        text("\">")
    }
}

extension TextBuffer {
    /// Text as XML content or attribute.
    ///
    /// Characters that XML 1.0 cannot hold are left out.
    package mutating func xml(_ string: String) {
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": text("&amp;")
            case "<": text("&lt;")
            case ">": text("&gt;")
            case "\"": text("&quot;")
            case "\t", "\n", "\r": text(" ")
            case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                self.string(String(scalar))
            default: break
            }
        }
    }
}
