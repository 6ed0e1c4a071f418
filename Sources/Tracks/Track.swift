public import Geodesy
public import Positioning

/// One way run, as a file holds it: segments with nothing known between them.
public struct Track: Hashable, Sendable {
    public var name: String?
    /// What it was for: "running".
    public var type: String?
    /// In the file's order; one may be empty.
    public var segments: [Segment]

    public init(name: String? = nil, type: String? = nil, segments: [Segment] = []) {
        (self.name, self.type, self.segments) = (name, type, segments)
    }

    /// An unbroken stretch.
    public struct Segment: Hashable, Sendable {
        /// In the file's order, which need not be the order of time.
        public var points: [TrackPoint]

        public init(points: [TrackPoint] = []) {
            self.points = points
        }
    }
}

/// A place on a track, with what the file says about it.
public struct TrackPoint: Hashable, Sendable {
    public var coordinate: Coordinate
    public var time: UTC?
    /// Meters above mean sea level.
    public var elevation: Double?
    /// Satellites used, 0 or more.
    public var satellites: Int?
    /// Horizontal dilution of precision, above 0.
    public var hdop: Double?
    /// Over ground, meters a second, 0 or more.
    public var speed: Double?
    /// Over ground, degrees clockwise from true north, 0 up to but not including 360.
    public var course: Double?

    public init(
        coordinate: Coordinate,
        time: UTC? = nil,
        elevation: Double? = nil,
        satellites: Int? = nil,
        hdop: Double? = nil,
        speed: Double? = nil,
        course: Double? = nil
    ) {
        (self.coordinate, self.time, self.elevation) = (coordinate, time, elevation)
        (self.satellites, self.hdop) = (satellites, hdop)
        (self.speed, self.course) = (speed, course)
    }
}

/// A place with a name: the start, the end, a lap.
public struct Waypoint: Hashable, Sendable {
    public var name: String?
    public var type: String?
    public var point: TrackPoint

    public init(name: String? = nil, type: String? = nil, point: TrackPoint) {
        (self.name, self.type, self.point) = (name, type, point)
    }
}
