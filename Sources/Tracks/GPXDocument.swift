/// What a GPX file holds, up to its end or up to its damage.
public struct GPXDocument: Hashable, Sendable {
    /// "1.1" or "1.0", as the file says; other versions are read alike.
    public var version: String?
    public var waypoints: [Waypoint] = []
    public var tracks: [Track] = []
    /// Points and waypoints left out, because latitude or longitude is missing, no number, or not
    /// on Earth.
    public var skippedPoints = 0
    /// Times and numbers left out of points that are here: no number, no date, beyond their range.
    public var skippedFields = 0
    /// Why the file was not read to its end; everything above is whole and stands before it.
    public var fault: GPXFault?

    public init() {}

    /// Points of all segments of all tracks.
    public var pointCount: Int {
        tracks.reduce(0) { sum, track in
            track.segments.reduce(sum) { $0 + $1.points.count }
        }
    }
}

/// Where and why a GPX file stops making sense.
public struct GPXFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the file, 1 or more.
    public let line: Int
    public let reason: Reason

    public init(line: Int, reason: Reason) {
        (self.line, self.reason) = (line, reason)
    }

    public enum Reason: Hashable, Sendable {
        /// The file ends in the middle: a kill, a full disk, a copy cut short.
        case endsEarly
        /// Not XML from here on; libxml2's words, in English.
        case notWellFormed(String)
        /// The file could not be read on; `errno` of `read`.
        case readFailed(errno: Int32)
    }

    public var description: String {
        switch reason {
        case .endsEarly:
            "Line \(line): the file ends here, in the middle. What stands before was read."
        case .notWellFormed(let message):
            "Line \(line): damaged (\(message)). What stands before was read."
        case .readFailed(let number):
            "Line \(line): cannot read on: \(systemMessage(number)). What stands before was read."
        }
    }
}

/// Why nothing at all could be read.
public enum GPXError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `errno` of `open`. Thrown by `read(path:)` only.
    case cannotOpen(path: String, errno: Int32)
    case isDirectory(path: String)
    /// `errno` of the first `read`; `path` is empty if only a descriptor was given.
    case cannotRead(path: String, errno: Int32)
    /// Not one byte.
    case empty
    /// The bytes are not XML.
    case notXML(GPXFault)
    /// XML, but not GPX: the name of its outermost element.
    case notGPX(root: String)
    /// It declares a document type, which GPX has none of and which can hide attacks.
    case documentType(line: Int)
    /// libxml2 cannot be loaded; the loader's words.
    case libraryMissing(String)

    public var description: String {
        switch self {
        case .cannotOpen(let path, let number):
            "Cannot open \(path): \(systemMessage(number))."
        case .isDirectory(let path):
            "\(path.isEmpty ? "This" : path) is a directory. Name a GPX file in it."
        case .cannotRead(let path, let number):
            "Cannot read \(path.isEmpty ? "the GPX file" : path): \(systemMessage(number))."
        case .empty:
            "The GPX file is empty."
        case .notXML(let fault):
            switch fault.reason {
            case .endsEarly: "Not a GPX file: it ends before any element begins."
            case .notWellFormed(let message):
                "Not a GPX file: no XML (line \(fault.line): \(message))."
            case .readFailed(let number): "Cannot read the GPX file: \(systemMessage(number))."
            }
        case .notGPX(let root):
            "Not a GPX file: its outermost element is <\(root)>, not <gpx>."
        case .documentType(let line):
            "Line \(line): a document type declaration, which no GPX file has. Not read."
        case .libraryMissing(let message):
            "Cannot read GPX without libxml2 (\(message)). Install it: apt install libxml2."
        }
    }
}
