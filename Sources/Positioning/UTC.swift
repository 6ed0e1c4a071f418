/// An instant in coordinated universal time, in whole milliseconds.
///
/// Leap seconds share the number of the second that follows them, as POSIX time has it.
public struct UTC: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package init(day: Int32, millisecondOfDay: Int32) {
        milliseconds = Int64(day) * Self.millisecondsADay + Int64(millisecondOfDay)
    }

    package static let millisecondsADay: Int64 = 86_400_000

    /// Days since 1970-01-01.
    package var day: Int32 {
        Int32(truncatingIfNeeded: (milliseconds - Int64(millisecondOfDay)) / Self.millisecondsADay)
    }

    /// Milliseconds since midnight, 0 to 86,399,999.
    package var millisecondOfDay: Int32 {
        let rest = Int32(truncatingIfNeeded: milliseconds % Self.millisecondsADay)
        return rest < 0 ? rest + Int32(Self.millisecondsADay) : rest
    }

    public static func < (a: UTC, b: UTC) -> Bool { a.milliseconds < b.milliseconds }

    /// Seconds from the earlier to this instant, negative if the other is later.
    public func seconds(since earlier: UTC) -> Double {
        Double(milliseconds - earlier.milliseconds) / 1000
    }
}
