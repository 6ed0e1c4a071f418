/// What became of the bytes of a source that belong to no sentence and no report.
public struct ByteCounts: Hashable, Sendable {
    /// In UBX frames with a right sum.
    public var ubx: Int64 = 0
    /// Outside any sentence or frame; line ends are not counted.
    public var noise: Int64 = 0
    /// In the `#` lines that open a capture.
    public var comment: Int64 = 0

    public init() {}
}

/// What became of the sentences of an NMEA source.
public struct SentenceCounts: Hashable, Sendable {
    /// The checksum agreed.
    public var valid = 0
    /// It differed.
    public var badChecksum = 0
    /// The line ended without one.
    public var noChecksum = 0
    /// Broken off by another sentence, a frame or the end of the stream.
    public var cutShort = 0
    /// Over 1024 bytes.
    public var tooLong = 0

    public init() {}
}

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
