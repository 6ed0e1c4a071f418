/// One option of a command, as parsed, helped and completed.
struct Option: Sendable {
    /// Without the dashes.
    var name: String
    /// What its value is called; `nil` for a switch.
    var value: String?
    var help: String
    /// The value may be left out, and is then given behind `=` only.
    var isValueOptional = false
}

/// One command, from which parsing, help and completions are made.
struct Command: Sendable {
    var name: String
    /// Arguments as shown in the usage line.
    var arguments: String
    /// Fewest and most positional arguments.
    var argumentCount: ClosedRange<Int>
    var summary: String
    var options: [Option]
    var examples: [String]
    var run: @Sendable (Arguments) -> Int32
}

/// What a command line came down to.
struct Arguments: Sendable {
    var positional: [String] = []
    fileprivate(set) var values: [String: String] = [:]
    fileprivate(set) var switches: Set<String> = []

    func has(_ name: String) -> Bool {
        switches.contains(name) || values[name] != nil
    }

    subscript(_ name: String) -> String? { values[name] }
}

/// A command line that cannot be understood: exit status 2.
struct UsageFault: Error {
    var message: String
}

extension Command {
    static let all: [Command] = [.record, .replay, .fake, .version, .help]

    static func named(_ name: String) -> Command? {
        all.first { $0.name == name }
    }

    /// Sorts words into options and arguments.
    ///
    /// `--` ends the options; the last of two wins.
    func parse(_ words: [String]) throws(UsageFault) -> Arguments {
        var result = Arguments()
        var rest = words[...]
        var areOptionsOver = false
        while let word = rest.popFirst() {
            guard !areOptionsOver, word.hasPrefix("-"), word != "-" else {
                result.positional.append(word)
                continue
            }
            if word == "--" {
                areOptionsOver = true
                continue
            }
            guard word.hasPrefix("--") else {
                if word == "-h" {
                    result.switches.insert("help")
                    continue
                }
                throw UsageFault(message: "There is no option \(word).")
            }
            let parts = word.dropFirst(2).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let name = String(parts[0])
            if name == "help" {
                result.switches.insert(name)
                continue
            }
            guard let option = options.first(where: { $0.name == name }) else {
                throw UsageFault(message: "There is no option --\(name).")
            }
            let attached = parts.count > 1 ? String(parts[1]) : nil
            guard let value = option.value else {
                guard attached == nil else {
                    throw UsageFault(message: "--\(name) takes no value.")
                }
                result.switches.insert(name)
                continue
            }
            if option.isValueOptional {
                if let attached {
                    result.values[name] = attached
                } else {
                    result.switches.insert(name)
                }
                continue
            }
            guard let given = attached ?? rest.popFirst() else {
                throw UsageFault(message: "--\(name) needs a value: --\(name) \(value).")
            }
            result.values[name] = given
        }
        if !result.switches.contains("help"), !argumentCount.contains(result.positional.count) {
            let wanted = argumentCount.upperBound == 0 ? "takes no arguments" : "needs \(arguments)"
            throw UsageFault(
                message: "surefoot \(name) \(wanted); \(result.positional.count) given."
            )
        }
        return result
    }
}
