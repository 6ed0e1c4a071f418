package import Positioning

/// JSON written straight into text: objects and lists that know when to put a comma.
///
///     text.object { $0.member("lat") { $0.decimal(37.5, digits: 9) } }
extension TextBuffer {
    /// The next member of an object: its comma, its key.
    package mutating func key(_ key: StaticString) {
        separate()
        byte(UInt8(ascii: "\""))
        text(key)
        text("\": ")
    }

    /// The comma between two members or elements, where one is due.
    package mutating func separate() {
        if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
            text(", ")
        }
    }

    package mutating func open(_ bracket: Unicode.Scalar) {
        byte(UInt8(ascii: bracket))
    }

    package mutating func close(_ bracket: Unicode.Scalar) {
        byte(UInt8(ascii: bracket))
    }

    package mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        json(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        text(value ? "true" : "false")
    }

    package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        integer(value)
    }

    /// Absent if the value is not known.
    package mutating func member(_ name: StaticString, _ value: Double?, digits: Int) {
        guard let value else { return }
        key(name)
        decimal(value, digits: digits)
    }

    package mutating func member(_ name: StaticString, _ value: UTC) {
        key(name)
        byte(UInt8(ascii: "\""))
        time(value)
        byte(UInt8(ascii: "\""))
    }

    /// A string in quotes, with what JSON cannot hold escaped.
    package mutating func json(_ string: String) {
        byte(UInt8(ascii: "\""))
        for unit in string.utf8 {
            switch unit {
            case UInt8(ascii: "\""): text("\\\"")
            case UInt8(ascii: "\\"): text("\\\\")
            case 0..<0x20:
                text("\\u00")
                let digits = String(unit, radix: 16)
                self.string(digits.count == 1 ? "0" + digits : digits)
            default: byte(unit)
            }
        }
        byte(UInt8(ascii: "\""))
    }
}
