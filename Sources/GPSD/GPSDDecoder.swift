internal import CGPS
package import Positioning

/// Bytes of gpsd's JSON protocol in, epochs out.
///
/// **bytes -> reports -> epochs** -> fixes -> gate -> filter -> distance and pace
///
///     try decoder.fill { … }
///     decoder.drain { epoch in … }
///
/// - Input: blocks of any size. How the bytes were cut into blocks makes no difference.
/// - Output: epochs of one device; faults are counted in ``reports``, what is worth telling comes
///   in ``takeNotes()``.
/// - Memory: one block and the longest line, whatever the stream holds.
/// - Source: gpsd_json(5) of gpsd 3.11 to 3.27.
package struct GPSDDecoder: Sendable {
    /// Longest line, in bytes, without its end.
    package static let longestLine = 64 * 1024 - 1
    package static let blockSize = 64 * 1024

    package private(set) var reports = ReportCounts()
    package private(set) var bytes = ReportByteCounts()
    /// What the device in use said last; `nil` until it lists some.
    package private(set) var satellites: Satellites?

    private var storage: [UInt8]
    private var at = 0
    private var held = 0
    /// Bytes of the line at `at` that are known to hold no line end.
    private var searched = 0
    /// Offset of `storage[0]` in the source.
    private var base: Int64 = 0
    private var overlong: Overlong?

    private var scanner = JSONScanner()
    /// The report at hand as libgps wants it: compact, its class first, ended by NUL.
    private var compact: [UInt8] = []
    private var assembler = TPVAssembler()
    private var devices = DeviceChoice()

    /// What the line is that goes on beyond the longest.
    private enum Overlong { case report, noise, comment }

    /// - Parameter blockSize: Most bytes taken by one `fill`, 1 or more.
    /// - Throws: what is wrong with libgps, and what to install.
    package init(blockSize: Int = GPSDDecoder.blockSize) throws(LibraryFault) {
        precondition(blockSize > 0, "a block holds at least one byte")
        try LibraryFault.check()
        storage = [UInt8](repeating: 0, count: blockSize + Self.longestLine + 1)
        compact.reserveCapacity(4096)
    }

    /// Bytes taken in so far.
    package var total: Int64 { base + Int64(held) }

    /// The device whose reports are used; `nil` while none is chosen.
    package var device: String? { devices.chosen }

    /// Whether a report of gpsd was seen.
    package var isUnderstood: Bool { reports.valid > 0 }

    /// Hands over what has been worth telling since the last call, in order.
    package mutating func takeNotes() -> [GPSDNote] {
        devices.takeNotes()
    }

    /// Lets `read` put the next block into the free room, and takes as many bytes as it says.
    ///
    /// - Precondition: ``drain(_:)`` has been called since the last `fill`.
    package mutating func fill<Failure: Error>(
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

    /// Hands over the epochs that the bytes so far complete.
    package mutating func drain(_ body: (borrowing Epoch) -> Void) {
        // One more owner for the time of the block: the storage is only read until the next `fill`.
        let storage = storage
        let bytes = storage.span
        while let end = lineEnd(in: bytes) {
            take(at..<end, in: bytes)
            at = end + 1
            searched = 0
            handOver(body)
        }
        if held - at > Self.longestLine + 1 { skipOverlong(in: bytes) }
    }

    /// The stream ends or breaks off: what is open is taken as it stands, and a device chosen anew.
    package mutating func finish(_ body: (borrowing Epoch) -> Void) {
        drain(body)
        let storage = storage
        if at < held { take(at..<held, in: storage.span) }
        at = held
        searched = 0
        overlong = nil
        assembler.finish()
        handOver(body)
        devices.streamEnded()
    }

    private mutating func handOver(_ body: (borrowing Epoch) -> Void) {
        while var epoch = assembler.next() {
            epoch.offset = min(base + Int64(at), total)
            body(epoch)
        }
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

    private mutating func take(_ range: Range<Int>, in text: Span<UInt8>) {
        var line = range
        if overlong != nil || line.count > Self.longestLine + 1 {
            if !line.isEmpty { begin(line, in: text) }
            count(line.count)
            overlong = nil
            return
        }
        if let last = line.last, text[last] == UInt8(ascii: "\r") { line.removeLast() }
        guard let first = line.first else { return }
        if text[first] == UInt8(ascii: "#") {
            bytes.comment += Int64(line.count)
        } else if text[first] != UInt8(ascii: "{") {
            // A report may follow on the rest of one whose start was never read.
            if let start = wholeTail(of: line, in: text) {
                bytes.noise += Int64(start - line.lowerBound)
                take(report: start..<line.upperBound, in: text)
            } else {
                bytes.noise += Int64(line.count)
            }
        } else {
            switch scanner.scan(line, in: text) {
            case .whole: take(report: line, in: text)
            case let outcome:
                if let start = wholeTail(of: line, in: text) {
                    reports.cutShort += 1
                    take(report: start..<line.upperBound, in: text)
                } else if outcome == .cut {
                    reports.cutShort += 1
                } else {
                    reports.malformed += 1
                }
            }
        }
    }

    /// Where a report begins within the line that is whole up to the line's end.
    ///
    /// A daemon killed while it writes leaves a line without an end, and the next daemon's first
    /// report goes on in it.
    private mutating func wholeTail(of line: Range<Int>, in text: Span<UInt8>) -> Int? {
        guard text[line.upperBound - 1] == UInt8(ascii: "}") else { return nil }
        var attempts = 0
        for start in line.dropFirst() where text[start] == UInt8(ascii: "{") {
            let tail = start..<line.upperBound
            guard text.starts(with: "{\"class\":\"", at: tail) else { continue }
            if scanner.scan(tail, in: text) == .whole { return start }
            attempts += 1
            if attempts == 256 { return nil }
        }
        return nil
    }

    // MARK: Reports

    /// Takes a whole object, which `scanner` has just looked through.
    private mutating func take(report line: Range<Int>, in text: Span<UInt8>) {
        guard let name = scanner.member("class", in: text), name.count > 2,
            let kind = ReportClass(text, (name.lowerBound + 1)..<(name.upperBound - 1))
        else {
            reports.unknownClass += 1
            return
        }
        reports.valid += 1
        switch kind {
        case .tpv, .sky, .gst: decode(kind, line, name: name, in: text)
        case .version:
            assembler.finish()
            satellites = nil
            devices.daemonStarted(
                release: string("release", in: text) ?? "",
                major: scanner.member("proto_major", in: text).flatMap { text.integer(at: $0) }
            )
        case .device:
            if let path = string("path", in: text), isClosed(in: text) {
                devicesGone { $0 == path }
            }
        case .devices: takeDevices(in: text)
        case .error: devices.note(.error(string("message", in: text) ?? ""))
        case .other: break
        }
    }

    private func string(_ name: StaticString, in text: Span<UInt8>) -> String? {
        scanner.member(name, in: text).flatMap { text.string(at: $0) }
    }

    private func isClosed(in text: Span<UInt8>) -> Bool {
        guard let activated = scanner.member("activated", in: text) else { return false }
        return text.holds("0", at: activated)
            || text.starts(with: "\"1970-01-01T00:00:00", at: activated)
            || text.starts(with: "0.", at: activated)
    }

    private mutating func takeDevices(in text: Span<UInt8>) {
        guard let list = scanner.member("devices", in: text) else { return }
        _ = scanner.scan(list, in: text)
        var paths: [String] = []
        for device in scanner.parts {
            _ = scanner.scan(device.value, in: text)
            if let path = string("path", in: text), !isClosed(in: text) { paths.append(path) }
        }
        devicesGone { !paths.contains($0) }
    }

    private mutating func devicesGone(_ isGone: (String) -> Bool) {
        guard devices.leave(isGone) else { return }
        assembler.finish()
        satellites = nil
    }

    private mutating func decode(
        _ kind: ReportClass,
        _ line: Range<Int>,
        name: Range<Int>,
        in text: Span<UInt8>
    ) {
        write(line, name: name, in: text)
        var report = surefoot_gps_report()
        let isDecoded = compact.withUnsafeBytes { raw in
            surefoot_gps_decode(raw.assumingMemoryBound(to: CChar.self).baseAddress, &report)
        }
        guard isDecoded else { return }
        let device = string("device", in: text)
        switch kind {
        case .tpv:
            let position = PositionReport(report)
            if isUsed(device, hasFix: position.isFix) { assembler.take(position) }
        case .sky where isUsed(device):
            let sky = SkyReport(report)
            satellites = sky.satellites ?? satellites
            let stated = scanner.member("uSat", in: text).flatMap { text.integer(at: $0) }
            assembler.take(hdop: sky.hdop, satellitesUsed: sky.satellites?.used.total ?? stated)
        case .gst where isUsed(device):
            if let statistics = StatisticsReport(report) { assembler.take(statistics) }
        default: break
        }
    }

    private mutating func isUsed(_ device: String?, hasFix: Bool = false) -> Bool {
        switch devices.judge(device, hasFix: hasFix) {
        case .same: return true
        case .ignore: return false
        case .another:
            assembler.finish()
            satellites = nil
            return true
        }
    }

    /// Writes the report as libgps wants it.
    private mutating func write(_ line: Range<Int>, name: Range<Int>, in text: Span<UInt8>) {
        compact.removeAll(keepingCapacity: true)
        if !scanner.hasSpace, text.starts(with: "{\"class\":", at: line) {
            for i in line { compact.append(text[i]) }
        } else {
            append("{\"class\":")
            for i in name { compact.append(text[i]) }
            for part in scanner.parts where !text.holds("class", at: part.name) {
                append(",\"")
                for i in part.name { compact.append(text[i]) }
                append("\":")
                appendCompact(part.value, in: text)
            }
            append("}")
        }
        compact.append(0)
    }

    private mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { compact.append(contentsOf: $0) }
    }

    private mutating func appendCompact(_ value: Range<Int>, in text: Span<UInt8>) {
        var (isInString, isEscaped) = (false, false)
        for i in value {
            let byte = text[i]
            if !isInString, byte <= UInt8(ascii: " ") { continue }
            compact.append(byte)
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
        }
    }
}

/// The classes of reports that gpsd sends.
private enum ReportClass {
    case tpv, sky, gst, version, devices, device, error
    /// Known, and without anything for a fix.
    case other

    init?(_ text: Span<UInt8>, _ name: Range<Int>) {
        func `is`(_ other: StaticString) -> Bool { text.holds(other, at: name) }
        if `is`("TPV") {
            self = .tpv
        } else if `is`("SKY") {
            self = .sky
        } else if `is`("GST") {
            self = .gst
        } else if `is`("VERSION") {
            self = .version
        } else if `is`("DEVICES") {
            self = .devices
        } else if `is`("DEVICE") {
            self = .device
        } else if `is`("ERROR") {
            self = .error
        } else if Self.others.contains(where: { text.holds($0, at: name) }) {
            self = .other
        } else {
            return nil
        }
    }

    private static let others: [StaticString] = [
        "WATCH", "ATT", "IMU", "POLL", "TOFF", "PPS", "OSC", "RAW", "SUBFRAME", "AIS", "RTCM2",
        "RTCM3",
    ]
}
