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
    package static let blockSize = 64 * 1024

    /// What the device in use said last; `nil` until it lists some.
    package private(set) var satellites: Satellites?

    private var splitter: ReportSplitter
    private var compact = CompactReport()
    private var assembler = TPVAssembler()
    private var devices = DeviceChoice()
    /// The daemon or the device in use was lost; the next epoch says so.
    private var hasBroken = false
    private var isBreaking = false

    /// - Parameter blockSize: Most bytes taken by one `fill`, 1 or more.
    /// - Throws: what is wrong with libgps, and what to install.
    package init(blockSize: Int = GPSDDecoder.blockSize) throws(LibraryFault) {
        try LibraryFault.check()
        splitter = ReportSplitter(blockSize: blockSize)
    }

    package var reports: ReportCounts { splitter.reports }
    package var bytes: ByteCounts { splitter.bytes }

    /// Bytes taken in so far.
    package var total: Int64 { splitter.total }

    /// The device whose reports are used; `nil` while none is chosen.
    ///
    /// Stays when the stream ends.
    package var device: String? { devices.chosen }

    /// Whether a report of gpsd was seen.
    package var isUnderstood: Bool { splitter.reports.valid > 0 }

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
        try splitter.fill(read)
    }

    /// Hands over the epochs that the bytes so far complete.
    package mutating func drain(_ body: (borrowing Epoch) -> Void) {
        drain(isLast: false, body)
    }

    /// The stream ends or breaks off: what is open is taken as it stands, and a device chosen anew.
    package mutating func finish(_ body: (borrowing Epoch) -> Void) {
        drain(isLast: true, body)
        assembler.finish()
        handOver(body)
        devices.streamEnded()
    }

    private mutating func drain(isLast: Bool, _ body: (borrowing Epoch) -> Void) {
        // One more owner for the time of the block: the storage is only read until the next `fill`.
        let storage = splitter.storage
        let text = storage.span
        while let report = splitter.next(in: text, isLast: isLast) {
            take(report, in: text)
            handOver(body)
            if isBreaking {
                isBreaking = false
                hasBroken = true
            }
        }
    }

    private mutating func handOver(_ body: (borrowing Epoch) -> Void) {
        while var epoch = assembler.next() {
            epoch.offset = splitter.offset
            epoch.satellites = satellites
            epoch.followsBreak = hasBroken
            hasBroken = false
            body(epoch)
        }
    }

    // MARK: Reports

    /// Sends one report to the reader of its class: a new class is one more case.
    private mutating func take(_ line: Range<Int>, in text: Span<UInt8>) {
        let scanner = splitter.scanner
        guard let name = scanner.member("class", in: text), name.count > 2,
            let kind = ReportClass(text, (name.lowerBound + 1)..<(name.upperBound - 1))
        else {
            splitter.reports.unknownClass += 1
            return
        }
        splitter.reports.valid += 1
        switch kind {
        case .tpv, .sky, .gst: decode(kind, line, in: text)
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
        splitter.scanner.member(name, in: text).flatMap { text.string(at: $0) }
    }

    private func isClosed(in text: Span<UInt8>) -> Bool {
        guard let activated = splitter.scanner.member("activated", in: text) else { return false }
        return text.holds("0", at: activated)
            || text.starts(with: "\"1970-01-01T00:00:00", at: activated)
            || text.starts(with: "0.", at: activated)
    }

    private mutating func takeDevices(in text: Span<UInt8>) {
        guard let list = splitter.scanner.member("devices", in: text) else { return }
        _ = splitter.scanner.scan(list, in: text)
        var paths: [String] = []
        let listed = splitter.scanner.parts
        for device in listed {
            _ = splitter.scanner.scan(device.value, in: text)
            if let path = string("path", in: text), !isClosed(in: text) { paths.append(path) }
        }
        devicesGone { !paths.contains($0) }
    }

    private mutating func devicesGone(_ isGone: (String) -> Bool) {
        if devices.leave(isGone) { breakOff() }
    }

    /// What comes next has nothing to do with what came before.
    private mutating func breakOff() {
        assembler.finish()
        satellites = nil
        isBreaking = true
    }

    private mutating func decode(
        _ kind: ReportClass,
        _ line: Range<Int>,
        in text: Span<UInt8>
    ) {
        compact.write(line, splitter.scanner, in: text)
        var report = surefoot_gps_report()
        let isDecoded = compact.text.withUnsafeBytes { raw in
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
            let stated = splitter.scanner.member("uSat", in: text).flatMap { text.integer(at: $0) }
            assembler.take(hdop: sky.hdop, satellitesUsed: sky.satellites?.used?.total ?? stated)
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
            breakOff()
            return true
        }
    }
}
