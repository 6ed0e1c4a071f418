import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP as something to wait for, instead of the end of the program.
///
/// One at a time: a handler has no other way to its owner than a global.
package final class Signals {
    /// Readable when a signal waits.
    package let descriptor: Int32
    private let writeEnd: Int32
    private var before: [(number: Int32, action: sigaction)] = []

    /// Where the handler writes; an atomic number is all that it may touch.
    private static let target = Atomic<Int32>(-1)

    package init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        descriptor = ends[0]
        writeEnd = ends[1]
        Self.target.store(writeEnd, ordering: .relaxed)
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) {
            sigaddset(&wanted, number)
            var action = sigaction()
            var old = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                var byte = UInt8(truncatingIfNeeded: number)
                let saved = errno
                write(Signals.target.load(ordering: .relaxed), &byte, 1)
                errno = saved
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, &old)
            before.append((number, old))
        }
        // A parent may have started this program with them blocked.
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }

    /// `nohup` ignores SIGHUP for its child, and means it.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return number == SIGHUP
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Takes the signals that wait.
    ///
    /// - Returns: whether there was one.
    package func take() -> Bool {
        var byte: UInt8 = 0
        var hasTaken = false
        while read(descriptor, &byte, 1) == 1 { hasTaken = true }
        return hasTaken
    }

    /// Signals do again what they did before.
    package func restore() {
        for (number, action) in before {
            var action = action
            sigaction(number, &action, nil)
        }
        Self.target.store(-1, ordering: .relaxed)
        close(descriptor)
        close(writeEnd)
    }
}
