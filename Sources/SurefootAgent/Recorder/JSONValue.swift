/// A JSON value, read from the event log of a run.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Deepest nesting that is read.
    private static let deepest = 32

    /// `nil` unless the bytes are one whole value.
    package init?(parsing bytes: some Collection<UInt8>) {
        var reader = Reader(bytes: Array(bytes))
        guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
        self = value
    }

    package subscript(_ key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    package var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    package var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    private struct Reader {
        let bytes: [UInt8]
        var at = 0

        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return at == bytes.count
            }
        }

        mutating func value(depth: Int) -> JSONValue? {
            skipSpace()
            guard depth < JSONValue.deepest, at < bytes.count else { return nil }
            switch bytes[at] {
            case UInt8(ascii: "{"): return object(depth: depth)
            case UInt8(ascii: "["): return array(depth: depth)
            case UInt8(ascii: "\""): return string().map(JSONValue.string)
            case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
            case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
            case UInt8(ascii: "n"): return take("null") ? .null : nil
            default: return number()
            }
        }

        private mutating func object(depth: Int) -> JSONValue? {
            var members: [String: JSONValue] = [:]
            at += 1
            skipSpace()
            if take("}") { return .object(members) }
            repeat {
                skipSpace()
                guard at < bytes.count, bytes[at] == UInt8(ascii: "\""), let key = string() else {
                    return nil
                }
                skipSpace()
                guard take(":"), let member = value(depth: depth + 1) else { return nil }
                members[key] = member
                skipSpace()
            } while take(",")
            return take("}") ? .object(members) : nil
        }

        private mutating func array(depth: Int) -> JSONValue? {
            var elements: [JSONValue] = []
            at += 1
            skipSpace()
            if take("]") { return .array(elements) }
            repeat {
                guard let element = value(depth: depth + 1) else { return nil }
                elements.append(element)
                skipSpace()
            } while take(",")
            return take("]") ? .array(elements) : nil
        }

        private mutating func string() -> String? {
            at += 1
            var text: [UInt8] = []
            while at < bytes.count {
                let byte = bytes[at]
                at += 1
                switch byte {
                case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard at < bytes.count else { return nil }
                    let escape = bytes[at]
                    at += 1
                    switch escape {
                    case UInt8(ascii: "n"): text.append(0x0A)
                    case UInt8(ascii: "t"): text.append(0x09)
                    case UInt8(ascii: "r"): text.append(0x0D)
                    case UInt8(ascii: "b"): text.append(0x08)
                    case UInt8(ascii: "f"): text.append(0x0C)
                    case UInt8(ascii: "u"):
                        guard let unit = hex4() else { return nil }
                        let scalar = Unicode.Scalar(unit) ?? "\u{FFFD}"
                        text.append(contentsOf: String(scalar).utf8)
                    default: text.append(escape)
                    }
                case 0..<0x20: return nil
                default: text.append(byte)
                }
            }
            return nil
        }

        private mutating func hex4() -> UInt16? {
            guard at + 4 <= bytes.count else { return nil }
            let digits = String(decoding: bytes[at..<(at + 4)], as: UTF8.self)
            at += 4
            guard digits.allSatisfy(\.isHexDigit) else { return nil }
            return UInt16(digits, radix: 16)
        }

        private mutating func number() -> JSONValue? {
            let start = at
            while at < bytes.count, Self.isOfNumber(bytes[at]) { at += 1 }
            let text = String(decoding: bytes[start..<at], as: UTF8.self)
            return Double(text).map(JSONValue.number)
        }

        private static func isOfNumber(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }

        private mutating func take(_ word: StaticString) -> Bool {
            let length = word.utf8CodeUnitCount
            guard at + length <= bytes.count else { return false }
            for i in 0..<length where bytes[at + i] != word.utf8Start[i] { return false }
            at += length
            return true
        }

        private mutating func skipSpace() {
            while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
        }
    }
}
