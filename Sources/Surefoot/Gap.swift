/// A stretch of time without fixes that breaks the track.
public struct Gap: Hashable, Sendable {
    public enum Cause: String, CaseIterable, Hashable, Sendable {
        case denied, reset, restricted, background, paused
        case servicesOff = "services_off"
        case deviceLost = "device_lost"
        case noFix = "no_fix"
        case userStop = "user_stop"
        case clockStep = "clock_step"
        case speedJump = "speed_jump"
        case diskFull = "disk_full"

        /// The way over the gap may be credited: the runner went on, and the receiver did not.
        var mayBeBridged: Bool { self == .noFix || self == .deviceLost }
    }

    public var cause: Cause
    /// Time of the last fix before it, and of the first behind it.
    public var from: UTC
    public var to: UTC
    /// Meters credited, 0 or more.
    public var bridged: Double
}
