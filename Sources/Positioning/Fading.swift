#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What time leaves of something that fades: 1 / e of it after ``time`` seconds.
///
/// Steps are mostly of one length, so the latest answer is kept.
package struct Fading: Sendable {
    /// Seconds.
    let time: Double
    private var seconds = 0.0
    private var kept = 1.0

    package init(time: Double) { self.time = time }

    /// The share that is left after so many seconds.
    package mutating func kept(after seconds: Double) -> Double {
        if seconds != self.seconds {
            self.seconds = seconds
            kept = exp(-seconds / time)
        }
        return kept
    }
}
