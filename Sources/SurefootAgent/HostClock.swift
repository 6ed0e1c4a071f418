import Glibc
package import Positioning

/// The host's clock, which the line never asks.
package enum HostClock {
    package static var now: UTC {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UTC(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
