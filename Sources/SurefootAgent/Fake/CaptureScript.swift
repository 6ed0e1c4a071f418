package import Surefoot

/// Plays a capture file, NMEA or gpsd JSON lines, by the times that stand in it.
///
/// A line with the next time starts the next moment; everything before it belongs to the present
/// one. Gaps are waited for; a time that goes back counts as one second; over midnight NMEA goes on.
package struct CaptureScript: FakeScript {
    /// Most bytes of one moment, so that a file without times needs no more memory than others.
    private static let most = 16 * 1024
    private static let day: Int64 = 86_400_000

    package let format: CaptureFormat
    /// What stood before the first report, where the script was made for a fake gpsd.
    package private(set) var handshake: FakeHandshake?
    private let file: FileReceiver
    /// Comments and sentences are left out: a gpsd that was asked for JSON sends none.
    private let isForReportsOnly: Bool
    private var held: [UInt8] = []
    private var at = 0
    private var isEnded = false
    private var moment = FakeMoment(milliseconds: 0, bytes: [])
    private var time: Int64?
    private var block = [UInt8](repeating: 0, count: 64 * 1024)

    /// Opens the capture, which must not be empty.
    ///
    /// Where `isForGPSD`, the VERSION, DEVICES and WATCH that open it are not played: they become the
    /// ``handshake``.
    package init(path: String, isForGPSD: Bool = false) throws(SourceFault) {
        file = FileReceiver(path: path)
        try file.open()
        var start: [UInt8] = []
        while !isEnded, start.count < 4096 {
            try Self.fill(&start, from: file, by: &block, isEnded: &isEnded)
        }
        held = start
        // gpsd's own test files have the sentences between the reports.
        let hasReport = held.split(separator: UInt8(ascii: "\n")).contains {
            $0.first == UInt8(ascii: "{")
        }
        format = hasReport ? .gpsd : .nmea
        isForReportsOnly = isForGPSD && hasReport
        if isForGPSD, format == .gpsd { try takeHandshake() }
    }

    private mutating func takeHandshake() throws(SourceFault) {
        var shake = FakeHandshake()
        var watch: [UInt8] = []
        while true {
            guard let line = try nextLine() else { break }
            if line.contains(Self.version) {
                shake.version = Array(line)
            } else if line.contains(Self.devices) || line.contains(Self.watch) {
                watch += line
            } else if line.first != UInt8(ascii: "#") {
                at -= line.count
                break
            }
        }
        if watch.contains(Self.devices) { shake.watch = watch }
        handshake = shake
    }

    private static let foreign = Array("$!#".utf8)
    private static let version = Array("\"class\":\"VERSION\"".utf8)
    private static let devices = Array("\"class\":\"DEVICES\"".utf8)
    private static let watch = Array("\"class\":\"WATCH\"".utf8)

    package mutating func next() throws(SourceFault) -> FakeMoment? {
        while let line = try nextLine() {
            if isForReportsOnly, let first = line.first, Self.foreign.contains(first) { continue }
            let stamp =
                format == .gpsd ? CaptureTime.ofReport(line) : CaptureTime.ofSentence(line)
            if let stamp, let before = time, stamp != before {
                let due = moment
                moment.milliseconds += step(from: before, to: stamp)
                moment.bytes = Array(line)
                time = stamp
                if !due.bytes.isEmpty { return due }
                continue
            }
            time = stamp ?? time
            moment.bytes += line
            if moment.bytes.count >= Self.most { return take() }
        }
        return moment.bytes.isEmpty ? nil : take()
    }

    private mutating func take() -> FakeMoment {
        let due = moment
        moment.bytes = []
        return due
    }

    private func step(from before: Int64, to stamp: Int64) -> Int64 {
        var step = stamp - before
        if format == .nmea, step < -Self.day / 2 { step += Self.day }
        return step > 0 ? step : 1000
    }

    /// The next line with its end, or a piece of one too long to hold.
    private mutating func nextLine() throws(SourceFault) -> ArraySlice<UInt8>? {
        var searched = at
        while true {
            if let end = held[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { at = end + 1 }
                return held[at...end]
            }
            if isEnded || held.count - at >= Self.most {
                defer { at = held.count }
                return at < held.count ? held[at...] : nil
            }
            held.removeFirst(at)
            at = 0
            searched = held.count
            try Self.fill(&held, from: file, by: &block, isEnded: &isEnded)
        }
    }

    private static func fill(
        _ held: inout [UInt8],
        from file: FileReceiver,
        by block: inout [UInt8],
        isEnded: inout Bool
    ) throws(SourceFault) {
        switch try file.read(into: &block) {
        case .bytes(let count): held += block[..<count]
        case .ended: isEnded = true
        case .nothing:
            // A pipe: its writer is waited for.
            guard let descriptor = file.descriptor else { return }
            _ = Monotonic.poll(descriptor, for: 1, until: Monotonic.now + Monotonic.second)
        }
    }
}

extension FileReceiver {
    /// Reads into an array, as ``read(into:)`` does into memory.
    fileprivate func read(into block: inout [UInt8]) throws(SourceFault) -> Reading {
        var result: Result<Reading, SourceFault> = .success(.ended)
        block.withUnsafeMutableBytes { raw in
            do throws(SourceFault) {
                result = .success(try read(into: raw))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }
}
