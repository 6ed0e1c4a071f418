/// Checks that bytes are one whole JSON value, and notes where its parts lie.
///
/// Numbers are taken loosely: letters, digits, signs and points in any order. What matters is that
/// a line was not cut and not garbled, for libgps does not look.
///
/// - Source: RFC 8259.
struct JSONScanner {
    enum Outcome {
        /// One whole value and nothing behind it but white space.
        case whole
        /// The bytes end within it.
        case cut
        case malformed
    }

    /// One member of an object, or with an empty name one element of an array.
    struct Part {
        /// Without the quotes.
        var name: Range<Int>
        var value: Range<Int>
    }

    /// Deepest nesting believed; gpsd needs four.
    static let deepest = 16

    /// The parts of the outermost object or array.
    private(set) var parts: [Part] = []
    /// White space was seen outside strings.
    private(set) var hasSpace = false

    private var at = 0
    private var end = 0
    private var isCut = false

    /// Looks through one value.
    mutating func scan(_ range: Range<Int>, in bytes: Span<UInt8>) -> Outcome {
        parts.removeAll(keepingCapacity: true)
        (at, end) = (range.lowerBound, range.upperBound)
        (hasSpace, isCut) = (false, false)
        skipSpace(in: bytes)
        guard value(depth: 0, in: bytes) else { return isCut ? .cut : .malformed }
        skipSpace(in: bytes)
        return at == end ? .whole : .malformed
    }

    /// Where the value of the first member of this name lies.
    func member(_ name: StaticString, in bytes: Span<UInt8>) -> Range<Int>? {
        parts.first { bytes.holds(name, at: $0.name) }?.value
    }

    private mutating func skipSpace(in bytes: Span<UInt8>) {
        while at < end {
            switch bytes[at] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                hasSpace = true
                at += 1
            default: return
            }
        }
    }

    /// The next byte; notes if there is none.
    private mutating func peek(in bytes: Span<UInt8>) -> UInt8? {
        guard at < end else {
            isCut = true
            return nil
        }
        return bytes[at]
    }

    private mutating func value(depth: Int, in bytes: Span<UInt8>) -> Bool {
        guard depth < Self.deepest, let first = peek(in: bytes) else { return false }
        switch first {
        case UInt8(ascii: "{"):
            return list(upTo: UInt8(ascii: "}"), isObject: true, depth: depth, in: bytes)
        case UInt8(ascii: "["):
            return list(upTo: UInt8(ascii: "]"), isObject: false, depth: depth, in: bytes)
        case UInt8(ascii: "\""): return string(in: bytes)
        default: return word(in: bytes)
        }
    }

    private mutating func list(
        upTo close: UInt8,
        isObject: Bool,
        depth: Int,
        in bytes: Span<UInt8>
    ) -> Bool {
        at += 1
        skipSpace(in: bytes)
        guard let first = peek(in: bytes) else { return false }
        if first == close {
            at += 1
            return true
        }
        while true {
            var name = at..<at
            if isObject {
                guard let quote = peek(in: bytes), quote == UInt8(ascii: "\"") else { return false }
                let start = at + 1
                guard string(in: bytes) else { return false }
                name = start..<(at - 1)
                skipSpace(in: bytes)
                guard let colon = peek(in: bytes), colon == UInt8(ascii: ":") else { return false }
                at += 1
                skipSpace(in: bytes)
            }
            let start = at
            guard value(depth: depth + 1, in: bytes) else { return false }
            if depth == 0 { parts.append(Part(name: name, value: start..<at)) }
            skipSpace(in: bytes)
            guard let next = peek(in: bytes) else { return false }
            at += 1
            if next == close { return true }
            guard next == UInt8(ascii: ",") else { return false }
            skipSpace(in: bytes)
        }
    }

    private mutating func string(in bytes: Span<UInt8>) -> Bool {
        at += 1
        while let byte = peek(in: bytes) {
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard let escaped = peek(in: bytes), escaped >= 0x20 else { return false }
                at += 1
            case ..<0x20: return false
            default: continue
            }
        }
        return false
    }

    private mutating func word(in bytes: Span<UInt8>) -> Bool {
        let start = at
        while let byte = peek(in: bytes) {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                at += 1
            default: return at > start
            }
        }
        return false
    }
}

extension Span<UInt8> {
    /// Whether the bytes there are exactly this text.
    func holds(_ text: StaticString, at range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && starts(with: text, at: range)
    }

    /// Whether the bytes there begin with this text.
    func starts(with text: StaticString, at range: Range<Int>) -> Bool {
        guard range.count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { letters in
            for i in 0..<letters.count where self[range.lowerBound + i] != letters[i] {
                return false
            }
            return true
        }
    }

    /// The text of a JSON string with its quotes; escapes other than `\/`, `\"` and `\\` stay.
    func string(at range: Range<Int>) -> String? {
        guard range.count >= 2, self[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
        var letters: [UInt8] = []
        var at = range.lowerBound + 1
        while at < range.upperBound - 1 {
            let next = self[at + 1]
            let isPlainEscape =
                next == UInt8(ascii: "/") || next == UInt8(ascii: "\"")
                || next == UInt8(ascii: "\\")
            if self[at] == UInt8(ascii: "\\"), isPlainEscape { at += 1 }
            letters.append(self[at])
            at += 1
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// A number without sign, point or exponent.
    func integer(at range: Range<Int>) -> Int? {
        guard (1...9).contains(range.count) else { return nil }
        var number = 0
        for i in range {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[i]) else { return nil }
            number = number * 10 + Int(self[i] - UInt8(ascii: "0"))
        }
        return number
    }
}
