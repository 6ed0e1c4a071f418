import Glibc
import SurefootAgent

@main
enum Main {
    static func main() {
        // A reader that goes away is told by EPIPE; a signal would end a recording.
        signal(SIGPIPE, SIG_IGN)
        // So does a file that may not grow: it is told by EFBIG.
        signal(SIGXFSZ, SIG_IGN)
        openStandardDescriptors()
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Nothing that is opened later may stand where a closed standard stream stood.
    private static func openStandardDescriptors() {
        var descriptor: Int32
        repeat { descriptor = open("/dev/null", O_RDWR) } while descriptor >= 0 && descriptor < 3
        if descriptor >= 3 { close(descriptor) }
    }

    static func run(_ words: [String]) -> Int32 {
        guard let first = words.first else {
            Output.error.write(Help.overview())
            return ExitStatus.usage
        }
        switch first {
        case "--help", "-h": return Command.help.run(Arguments())
        case "--version": return Command.version.run(Arguments())
        default: break
        }
        guard let command = Command.named(first) else {
            Output.error.write(
                "surefoot: there is no command \(first.debugDescription). Try: surefoot help\n"
            )
            return ExitStatus.usage
        }
        do throws(UsageFault) {
            let arguments = try command.parse(Array(words.dropFirst()))
            if arguments.has("help") {
                Output.standard.write(Help.page(command))
                return Output.standard.flush() ? ExitStatus.done : ExitStatus.failed
            }
            return command.run(arguments)
        } catch {
            Output.error.write("surefoot: \(error.message) Try: surefoot help \(command.name)\n")
            return ExitStatus.usage
        }
    }
}

/// The exit statuses of every command.
enum ExitStatus {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
}
