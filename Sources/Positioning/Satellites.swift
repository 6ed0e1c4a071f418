/// Numbers of satellites by constellation.
public struct SatelliteCounts: Hashable, Sendable {
    public var gps = 0, glonass = 0, galileo = 0, beidou = 0, qzss = 0, navic = 0, sbas = 0

    public init() {}

    /// All constellations together.
    public var total: Int { gps + glonass + galileo + beidou + qzss + navic + sbas }
}

/// The satellites a receiver spoke of last.
public struct Satellites: Hashable, Sendable {
    public var used = SatelliteCounts()
    public var inView = SatelliteCounts()

    public init() {}
}
