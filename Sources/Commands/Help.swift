/// Help pages, made from the command table.
enum Help {
    static func overview() -> String {
        var text = """
            Surefoot: a runner's instrument for a GPS receiver.

            usage: surefoot COMMAND [OPTION…] [ARGUMENT…]


            """
        for command in Command.all {
            text += "  " + padded(command.name, to: 10) + command.summary + "\n"
        }
        text += "\nsurefoot help COMMAND tells its options, with examples.\n"
        return text
    }

    static func page(_ command: Command) -> String {
        let options = command.options.isEmpty ? "" : " [OPTION…]"
        let arguments = command.arguments.isEmpty ? "" : " " + command.arguments
        var text = "usage: surefoot \(command.name)\(options)\(arguments)\n\n\(command.summary)\n"
        if !command.options.isEmpty { text += "\n" }
        for option in command.options {
            let value = option.value.map { option.isValueOptional ? "[=\($0)]" : " \($0)" } ?? ""
            text += "  " + padded("--\(option.name)\(value)", to: 24)
            text += wrapped(option.help, indent: 26, width: 79) + "\n"
        }
        if !command.examples.isEmpty {
            text += "\nExamples:\n"
            for example in command.examples { text += "  \(example)\n" }
        }
        return text
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text.count < width
            ? text + String(repeating: " ", count: width - text.count)
            : text + "\n" + String(repeating: " ", count: width + 2)
    }

    private static func wrapped(_ text: String, indent: Int, width: Int) -> String {
        var result = ""
        var column = indent
        for word in text.split(separator: " ") {
            if column + word.count > width {
                result += "\n" + String(repeating: " ", count: indent)
                column = indent
            } else if !result.isEmpty {
                result += " "
                column += 1
            }
            result += word
            column += word.count
        }
        return result
    }
}
