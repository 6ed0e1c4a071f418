import Glibc
package import Positioning

/// Holds a replay back to a multiple of real time.
package struct Pacer {
    private let start: UTC
    private let speed: Double
    private let begun: Int64

    /// Starts now, at `speed` times real time, above 0.
    package init(start: UTC, speed: Double) {
        self.start = start
        self.speed = speed
        begun = Self.monotonicNanoseconds
    }

    /// Sleeps until that much receiver time has passed since the start.
    package func wait(for time: UTC) {
        let due = begun + Int64(time.seconds(since: start) / speed * 1e9)
        var moment = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil) == EINTR {}
    }

    private static var monotonicNanoseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
