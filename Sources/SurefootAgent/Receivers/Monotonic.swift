import Glibc

/// The clock that no one sets, `CLOCK_MONOTONIC`, in nanoseconds.
enum Monotonic {
    static let second: Int64 = 1_000_000_000
    static let millisecond: Int64 = 1_000_000

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * second + Int64(time.tv_nsec)
    }

    /// Polls until something is ready or `deadline` has come; an interrupted poll goes on.
    ///
    /// A deadline of `nil` never comes. Gives how many are ready; 0 when the time is up.
    static func poll(_ polled: inout [pollfd], until deadline: Int64?) -> Int {
        while true {
            var milliseconds: Int32 = -1
            if let deadline {
                // Rounded up: a poll that returns early would spin.
                let left = (deadline - now + millisecond - 1) / millisecond
                milliseconds = Int32(clamping: max(0, left))
            }
            let ready = Glibc.poll(&polled, nfds_t(polled.count), milliseconds)
            if ready == 0, let deadline, now < deadline { continue }
            if ready >= 0 { return Int(ready) }
            guard errno == EINTR else { return 0 }
        }
    }

    /// What is ready on one descriptor by `deadline`; 0 when nothing is.
    static func poll(_ descriptor: Int32, for events: Int32, until deadline: Int64?) -> Int32 {
        var polled = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
        guard poll(&polled, until: deadline) > 0 else { return 0 }
        return Int32(polled[0].revents)
    }
}
