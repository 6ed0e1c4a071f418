/// Numbers of satellites by constellation.
public struct SatelliteCounts: Hashable, Sendable {
    public var gps: UInt8 = 0, glonass: UInt8 = 0, galileo: UInt8 = 0, beidou: UInt8 = 0
    public var qzss: UInt8 = 0, navic: UInt8 = 0, sbas: UInt8 = 0

    public init() {}

    /// All constellations together.
    public var total: Int {
        Int(gps) + Int(glonass) + Int(galileo) + Int(beidou) + Int(qzss) + Int(navic) + Int(sbas)
    }
}

/// The satellites a receiver spoke of last.
public struct Satellites: Hashable, Sendable {
    /// `nil` if the receiver has not told.
    public var used: SatelliteCounts?
    public var inView: SatelliteCounts?

    public init() {}
}
