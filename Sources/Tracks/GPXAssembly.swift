import CXML2
import Geodesy
import Glibc
import Positioning

/// Puts a document together from elements and text, in the order of the file.
///
/// An object, because libxml2 calls back with a bare pointer to it.
final class GPXAssembly {
    private var document = GPXDocument()
    /// The open elements; libxml2 lets no more than 256 be open.
    private var open: [Element] = []
    private var isComplete = false
    private var foreignRoot: String?
    /// GPX 1.0, 1.1, or none: what tells GPX's own elements from those of others.
    private var namespace: [CChar]?
    private var text: [UInt8] = []
    private var coordinate: Coordinate?
    private var point = PointFields()
    private var parser: OpaquePointer?

    private struct PointFields {
        var name: String?
        var type: String?
        var time: UTC?
        var elevation: Double?
        var satellites: Int?
        var hdop: Double?
        var speed: Double?
        var course: Double?
    }

    private enum Element {
        /// Nothing of ours, and nothing of ours in it.
        case other
        case gpx, track, segment, point, waypoint, extensions, trackPointExtension
        case trackName, trackType, waypointName, waypointType
        case time, elevation, satellites, hdop, speed, course

        /// Bytes of its text that are kept, `nil` if its text says nothing.
        ///
        /// No number or time needs more: a longer one is taken for unreadable.
        var textLimit: Int? {
            switch self {
            case .trackName, .trackType, .waypointName, .waypointType: 4096
            case .time, .elevation, .satellites, .hdop, .speed, .course: 128
            default: nil
            }
        }
    }

    /// The caller owns the parser, and keeps this object alive while it uses it.
    func makeParser(_ head: [UInt8]) -> OpaquePointer? {
        var handler = surefoot_xml_handler()
        handler.context = Unmanaged.passUnretained(self).toOpaque()
        handler.start = { context, name, uri, attributes, count in
            guard let context, let name else { return }
            GPXAssembly.at(context).start(
                name,
                uri,
                UnsafeBufferPointer(start: attributes, count: attributes == nil ? 0 : Int(count))
            )
        }
        handler.end = { context in
            guard let context else { return }
            GPXAssembly.at(context).end()
        }
        handler.text = { context, bytes, count in
            guard let context, let bytes else { return }
            GPXAssembly.at(context).add(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        parser = surefoot_xml_create(&handler, head, Int32(head.count))
        return parser
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> GPXAssembly {
        Unmanaged<GPXAssembly>.fromOpaque(context).takeUnretainedValue()
    }

    func finish(
        _ fault: surefoot_xml_fault,
        line: Int,
        message: String,
        wasCut: Bool,
        readFailure: Int32?
    ) throws(GPXError) -> GPXDocument {
        if let foreignRoot { throw .notGPX(root: foreignRoot) }
        if fault == SUREFOOT_XML_DOCUMENT_TYPE { throw .documentType(line: line) }
        let reason: GPXFault.Reason? =
            if let readFailure {
                .readFailed(errno: readFailure)
            } else if wasCut, !isComplete {
                .endsEarly
            } else if fault != SUREFOOT_XML_NO_FAULT {
                .notWellFormed(message)
            } else {
                nil
            }
        guard let reason else { return document }
        let damage = GPXFault(line: line, reason: reason)
        guard isComplete || !open.isEmpty else { throw .notXML(damage) }
        document.fault = damage
        return document
    }

    // MARK: Elements

    private func start(
        _ name: UnsafePointer<UInt8>,
        _ uri: UnsafePointer<UInt8>?,
        _ attributes: UnsafeBufferPointer<surefoot_xml_attribute>
    ) {
        guard let parent = open.last else {
            return startRoot(name, uri, attributes)
        }
        let element = element(name, isGPX: isOwn(uri), in: parent)
        open.append(element)
        text.removeAll(keepingCapacity: true)
        switch element {
        case .track:
            document.tracks.append(Track())
        case .segment:
            let last = document.tracks.count - 1
            document.tracks[last].segments.append(Track.Segment())
        case .point, .waypoint:
            point = PointFields()
            coordinate = Self.coordinate(attributes)
        default: break
        }
    }

    private func startRoot(
        _ name: UnsafePointer<UInt8>,
        _ uri: UnsafePointer<UInt8>?,
        _ attributes: UnsafeBufferPointer<surefoot_xml_attribute>
    ) {
        guard Self.same(name, "gpx") else {
            foreignRoot = String(String(cString: name).prefix(64))
            if let parser { surefoot_xml_stop(parser) }
            return
        }
        if let uri {
            let start = UnsafeRawPointer(uri).assumingMemoryBound(to: CChar.self)
            namespace = Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
        }
        for attribute in attributes where Self.same(attribute.local_name, "version") {
            document.version = String(decoding: Self.value(attribute).prefix(64), as: UTF8.self)
        }
        open.append(.gpx)
    }

    private func isOwn(_ uri: UnsafePointer<UInt8>?) -> Bool {
        guard let uri, let namespace else { return uri == nil && namespace == nil }
        return namespace.withUnsafeBufferPointer { own in
            guard let start = own.baseAddress else { return false }
            return strcmp(UnsafeRawPointer(uri).assumingMemoryBound(to: CChar.self), start) == 0
        }
    }

    private func element(
        _ name: UnsafePointer<UInt8>,
        isGPX: Bool,
        in parent: Element
    ) -> Element {
        switch parent {
        case .extensions:
            return Self.same(name, "TrackPointExtension") ? .trackPointExtension : .other
        case .trackPointExtension:
            if Self.same(name, "speed") { return .speed }
            return Self.same(name, "course") ? .course : .other
        case _ where !isGPX:
            return .other
        case .gpx:
            if Self.same(name, "trk") { return .track }
            return Self.same(name, "wpt") ? .waypoint : .other
        case .track:
            if Self.same(name, "trkseg") { return .segment }
            if Self.same(name, "name") { return .trackName }
            return Self.same(name, "type") ? .trackType : .other
        case .segment:
            return Self.same(name, "trkpt") ? .point : .other
        case .point, .waypoint:
            return pointField(name, isWaypoint: parent == .waypoint)
        default:
            return .other
        }
    }

    private func pointField(_ name: UnsafePointer<UInt8>, isWaypoint: Bool) -> Element {
        if Self.same(name, "ele") { return .elevation }
        if Self.same(name, "time") { return .time }
        if Self.same(name, "sat") { return .satellites }
        if Self.same(name, "hdop") { return .hdop }
        if Self.same(name, "extensions") { return .extensions }
        // GPX 1.0 has these two as elements of its own.
        if Self.same(name, "speed") { return .speed }
        if Self.same(name, "course") { return .course }
        if isWaypoint, Self.same(name, "name") { return .waypointName }
        return isWaypoint && Self.same(name, "type") ? .waypointType : .other
    }

    private func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        // One byte more than the limit, so that too long shows.
        guard let limit = open.last?.textLimit, text.count <= limit else { return }
        text.append(contentsOf: bytes.prefix(limit + 1 - text.count))
    }

    private func end() {
        guard let element = open.popLast() else { return }
        isComplete = open.isEmpty
        let lastTrack = document.tracks.count - 1
        switch element {
        case .trackName: document.tracks[lastTrack].name = takeText(element)
        case .trackType: document.tracks[lastTrack].type = takeText(element)
        case .waypointName: point.name = takeText(element)
        case .waypointType: point.type = takeText(element)
        case .time: point.time = take { $0.time() }
        case .elevation: point.elevation = take { $0.double() }
        case .satellites: point.satellites = take { $0.count() }
        case .hdop:
            // 0 is what receivers send for unknown.
            point.hdop = take { field in field.double().flatMap { $0 >= 0 ? $0 : nil } }
            if point.hdop == 0 { point.hdop = nil }
        case .speed:
            point.speed = take { field in field.double().flatMap { $0 >= 0 ? $0 : nil } }
        case .course:
            point.course = take { field in field.double().flatMap { 0...360 ~= $0 ? $0 : nil } }
            if point.course == 360 { point.course = 0 }
        case .point:
            guard let whole = takePoint() else { return }
            let lastSegment = document.tracks[lastTrack].segments.count - 1
            document.tracks[lastTrack].segments[lastSegment].points.append(whole)
        case .waypoint:
            guard let whole = takePoint() else { return }
            document.waypoints.append(Waypoint(name: point.name, type: point.type, point: whole))
        case .other, .gpx, .track, .segment, .extensions, .trackPointExtension: break
        }
        // What stands behind an inner element is not the outer one's text.
        text.removeAll(keepingCapacity: true)
    }

    // MARK: Values

    private func takePoint() -> TrackPoint? {
        guard let coordinate else {
            document.skippedPoints += 1
            return nil
        }
        return TrackPoint(
            coordinate: coordinate,
            time: point.time,
            elevation: point.elevation,
            satellites: point.satellites,
            hdop: point.hdop,
            speed: point.speed,
            course: point.course
        )
    }

    /// An empty element says nothing; one that cannot be read is counted.
    private func take<Value>(_ read: (TextField) -> Value?) -> Value? {
        text.withUnsafeBufferPointer { bytes in
            let field = TextField(bytes)
            guard !field.isEmpty else { return nil }
            let value = bytes.count > 128 ? nil : read(field)
            if value == nil { document.skippedFields += 1 }
            return value
        }
    }

    /// Cut at the limit, and there only between characters.
    private func takeText(_ element: Element) -> String? {
        var bytes = text[...]
        if let limit = element.textLimit, bytes.count > limit {
            bytes = bytes.prefix(limit)
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private static func coordinate(
        _ attributes: UnsafeBufferPointer<surefoot_xml_attribute>
    ) -> Coordinate? {
        var north: Int64?
        var east: Int64?
        for attribute in attributes where attribute.prefix == nil {
            if same(attribute.local_name, "lat") {
                north = TextField(value(attribute)).nano(limit: 90_000_000_000)
            } else if same(attribute.local_name, "lon") {
                east = TextField(value(attribute)).nano(limit: 180_000_000_000)
            }
        }
        guard let north, let east else { return nil }
        return Coordinate(nanodegreesNorth: north, nanodegreesEast: east)
    }

    private static func value(_ attribute: surefoot_xml_attribute) -> UnsafeBufferPointer<UInt8> {
        guard let start = attribute.value, let end = attribute.end else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: start, count: end - start)
    }

    private static func same(_ name: UnsafePointer<UInt8>?, _ word: StaticString) -> Bool {
        guard let name else { return false }
        // Both end with NUL, which is compared too.
        return strcmp(
            UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self)
        ) == 0
    }
}
