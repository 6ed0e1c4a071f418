import Surefoot
import SurefootAgent

extension Command {
    static let version = Command(
        name: "version",
        arguments: "",
        argumentCount: 0...0,
        summary: "Tells the version.",
        options: [],
        examples: ["surefoot version"],
        run: { _ in
            Output.standard.write("\(Version.software)\n")
            return Output.standard.flush() ? ExitStatus.done : ExitStatus.failed
        }
    )

    static let help = Command(
        name: "help",
        arguments: "[COMMAND]",
        argumentCount: 0...1,
        summary: "Tells what a command does, with examples.",
        options: [],
        examples: ["surefoot help replay"],
        run: { arguments in
            guard let name = arguments.positional.first else {
                Output.standard.write(Help.overview())
                return Output.standard.flush() ? ExitStatus.done : ExitStatus.failed
            }
            guard let command = Command.named(name) else {
                Output.error.write("surefoot: there is no command \(name). Try: surefoot help\n")
                return ExitStatus.usage
            }
            Output.standard.write(Help.page(command))
            return Output.standard.flush() ? ExitStatus.done : ExitStatus.failed
        }
    )
}
