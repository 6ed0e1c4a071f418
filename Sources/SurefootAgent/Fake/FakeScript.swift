/// Bytes that a fake receiver sends at once.
package struct FakeMoment: Hashable, Sendable {
    /// When, in milliseconds since the script's start; never less than the moment before.
    package var milliseconds: Int64
    package var bytes: [UInt8]

    package init(milliseconds: Int64, bytes: [UInt8]) {
        self.milliseconds = milliseconds
        self.bytes = bytes
    }
}

/// What a fake receiver plays, moment by moment.
package protocol FakeScript {
    mutating func next() throws(SourceFault) -> FakeMoment?
}
