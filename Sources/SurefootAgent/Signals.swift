import Glibc

/// SIGINT and SIGTERM as something to wait for, instead of the end of the program.
package final class Signals {
    package let descriptor: Int32
    private var before = sigset_t()

    package init() {
        var wanted = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGINT)
        sigaddset(&wanted, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &wanted, &before)
        descriptor = signalfd(-1, &wanted, Int32(SFD_NONBLOCK.rawValue | SFD_CLOEXEC.rawValue))
    }

    /// Takes the signals that wait.
    ///
    /// - Returns: whether there was one.
    package func take() -> Bool {
        var information = signalfd_siginfo()
        var hasTaken = false
        while read(descriptor, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
            hasTaken = true
        }
        return hasTaken
    }

    /// Signals do again what they did before.
    package func restore() {
        close(descriptor)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
