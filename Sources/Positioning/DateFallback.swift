/// Where the date of a capture comes from when no sentence in it tells one.
public enum DateFallback: Hashable, Sendable {
    /// The first fix was on this day.
    case on(CivilDate)
    /// The first fix was within 12 h of the capture file's own time stamp.
    case nearFileTime(UTC)
    /// The first fix was within 12 h of the host's clock.
    case nearHostTime(UTC)
}
