import Positioning

/// Cuts a stream of gpsd's JSON protocol into lines and lets through those that are whole reports.
///
/// **bytes -> reports** -> epochs -> fixes -> gate -> filter -> distance and pace
///
/// - Input: blocks of any size. How the bytes were cut into blocks makes no difference.
/// - Output: whole JSON objects, in order; faults are counted in ``reports``, bytes that belong to
///   none in ``bytes``.
/// - Memory: one block and the longest line, whatever the stream holds.
struct ReportSplitter {
    /// Longest line, in bytes, without its end.
    static let longestLine = 64 * 1024

    /// Classes are not looked at here: whoever does counts `valid` and `unknownClass`.
    var reports = ReportCounts()
    private(set) var bytes = ByteCounts()
    /// Knows the members of the report handed over last.
    var scanner = JSONScanner()
    /// The bytes that reports lie in, until the next `fill`.
    private(set) var storage: [UInt8]

    private var at = 0
    private var held = 0
    /// Bytes of the line at `at` that are known to hold no line end.
    private var searched = 0
    /// Offset of `storage[0]` in the source.
    private var base: Int64 = 0
    private var overlong: Overlong?

    /// What the line is that goes on beyond the longest.
    private enum Overlong { case report, noise, comment }

    init(blockSize: Int) {
        precondition(blockSize > 0, "a block holds at least one byte")
        storage = [UInt8](repeating: 0, count: blockSize + Self.longestLine)
    }

    /// Bytes taken in so far.
    var total: Int64 { base + Int64(held) }

    /// Bytes of the source up to and with the line looked at last.
    var offset: Int64 { base + Int64(at) }

    /// Lets `read` put the next block into the free room, and takes as many bytes as it says.
    ///
    /// - Precondition: ``next(in:isLast:)`` has given `nil` since the last `fill`.
    mutating func fill<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        let keep = held - at
        var result: Result<Int, Failure> = .success(0)
        storage.withUnsafeMutableBytes { raw in
            if at > 0, keep > 0, let start = raw.baseAddress {
                start.copyMemory(from: start + at, byteCount: keep)
            }
            let free = raw[keep...]
            do throws(Failure) {
                result = .success(try read(UnsafeMutableRawBufferPointer(rebasing: free)))
            } catch {
                result = .failure(error)
            }
        }
        base += Int64(at)
        at = 0
        held = keep
        let count = try result.get()
        held += count
        return count
    }

    /// Finds the next whole report.
    ///
    /// - Parameters:
    ///   - text: ``storage``.
    ///   - isLast: no more bytes will come: what is still open is judged as it stands.
    /// - Returns: where it lies, or `nil` when more bytes are needed.
    mutating func next(in text: Span<UInt8>, isLast: Bool) -> Range<Int>? {
        while let end = lineEnd(in: text) {
            let line = at..<end
            at = end + 1
            searched = 0
            if let report = report(inLine: line, in: text) { return report }
        }
        if isLast {
            let line = at..<held
            at = held
            searched = 0
            let report = report(inLine: line, in: text)
            overlong = nil
            return report
        }
        if held - at > Self.longestLine { skipOverlong(in: text) }
        return nil
    }

    // MARK: Lines

    private mutating func lineEnd(in bytes: Span<UInt8>) -> Int? {
        var end = at + searched
        while end < held {
            if bytes[end] == UInt8(ascii: "\n") { return end }
            end += 1
        }
        searched = held - at
        return nil
    }

    /// Lets go of a line that is longer than any report, but for what tells its end.
    private mutating func skipOverlong(in bytes: Span<UInt8>) {
        begin(at..<held, in: bytes)
        count(held - at)
        at = held
        searched = 0
    }

    private mutating func begin(_ line: Range<Int>, in bytes: Span<UInt8>) {
        guard overlong == nil else { return }
        switch bytes[line.lowerBound] {
        case UInt8(ascii: "#"): overlong = .comment
        case UInt8(ascii: "{"):
            overlong = .report
            reports.malformed += 1
        default: overlong = .noise
        }
    }

    private mutating func count(_ length: Int) {
        switch overlong {
        case .noise: bytes.noise += Int64(length)
        case .comment: bytes.comment += Int64(length)
        case .report, nil: break
        }
    }

    /// Judges one line.
    ///
    /// - Returns: where the report in it lies, if there is a whole one.
    private mutating func report(
        inLine range: Range<Int>,
        in text: Span<UInt8>
    ) -> Range<Int>? {
        var line = range
        if overlong != nil || line.count > Self.longestLine {
            if !line.isEmpty { begin(line, in: text) }
            count(line.count)
            overlong = nil
            return nil
        }
        if let last = line.last, text[last] == UInt8(ascii: "\r") { line.removeLast() }
        guard let first = line.first else { return nil }
        if text[first] == UInt8(ascii: "#") {
            bytes.comment += Int64(line.count)
            return nil
        }
        if text[first] != UInt8(ascii: "{") {
            // A report may follow on the rest of one whose start was never read.
            let start = wholeTail(of: line, in: text)
            bytes.noise += Int64((start ?? line.upperBound) - line.lowerBound)
            return start.map { $0..<line.upperBound }
        }
        let outcome = scanner.scan(line, in: text)
        if outcome == .whole { return line }
        let start = wholeTail(of: line, in: text)
        if start != nil || outcome == .cut {
            reports.cutShort += 1
        } else {
            reports.malformed += 1
        }
        return start.map { $0..<line.upperBound }
    }

    /// Where a report begins within the line that is whole up to the line's end.
    ///
    /// A daemon killed while it writes leaves a line without an end, and the next daemon's first
    /// report goes on in it. That is a VERSION; what else is found in a list of reports belongs to it.
    private mutating func wholeTail(of line: Range<Int>, in text: Span<UInt8>) -> Int? {
        guard text[line.upperBound - 1] == UInt8(ascii: "}") else { return nil }
        let isList =
            text.starts(with: "{\"class\":\"DEVICES\"", at: line)
            || text.starts(with: "{\"class\":\"POLL\"", at: line)
        var attempts = 0
        for start in line.dropFirst() where text[start] == UInt8(ascii: "{") {
            let tail = start..<line.upperBound
            guard text.starts(with: isList ? "{\"class\":\"VERSION\"" : "{\"class\":\"", at: tail)
            else { continue }
            if scanner.scan(tail, in: text) == .whole { return start }
            attempts += 1
            if attempts == 256 { return nil }
        }
        return nil
    }
}
