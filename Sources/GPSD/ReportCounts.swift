/// What became of the reports of a gpsd source.
public struct ReportCounts: Hashable, Sendable {
    /// Whole objects of a class that gpsd is known to send.
    public var valid = 0
    /// Whole objects of another class, or of none.
    public var unknownClass = 0
    /// Broken off by another report or by the end of the stream.
    public var cutShort = 0
    /// No JSON object, or over 64 KiB.
    public var malformed = 0

    public init() {}
}

/// What became of the bytes of a gpsd source that belong to no report; line ends are not counted.
public struct ReportByteCounts: Hashable, Sendable {
    /// In lines that are no report, such as NMEA 0183 that gpsd passes on.
    public var noise: Int64 = 0
    /// In lines that open with `#`.
    public var comment: Int64 = 0

    public init() {}
}
