/// A report as libgps wants it: without white space, its class first, ended by NUL.
struct CompactReport {
    private(set) var text: [UInt8] = []

    init() {
        text.reserveCapacity(4096)
    }

    /// Writes the report that `scanner` has just looked through.
    ///
    /// Members that are `null` are left out: libgps takes them for 0.
    mutating func write(
        _ line: Range<Int>,
        _ scanner: JSONScanner,
        in bytes: Span<UInt8>
    ) {
        text.removeAll(keepingCapacity: true)
        let hasNull = scanner.parts.contains { bytes.holds("null", at: $0.value) }
        if !scanner.hasSpace, !hasNull, bytes.starts(with: "{\"class\":", at: line) {
            append(line, in: bytes)
        } else if let name = scanner.member("class", in: bytes) {
            append("{\"class\":")
            append(name, in: bytes)
            for part in scanner.parts where !bytes.holds("class", at: part.name) {
                if bytes.holds("null", at: part.value) { continue }
                append(",\"")
                append(part.name, in: bytes)
                append("\":")
                appendCompact(part.value, in: bytes)
            }
            append("}")
        }
        text.append(0)
    }

    private mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { text.append(contentsOf: $0) }
    }

    private mutating func append(_ range: Range<Int>, in bytes: Span<UInt8>) {
        for i in range { text.append(bytes[i]) }
    }

    private mutating func appendCompact(_ value: Range<Int>, in bytes: Span<UInt8>) {
        var (isInString, isEscaped) = (false, false)
        for i in value {
            let byte = bytes[i]
            if !isInString, byte <= UInt8(ascii: " ") { continue }
            text.append(byte)
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
        }
    }
}
