import GPSD
import NMEA0183
import Positioning

/// What a source sends.
package enum CaptureFormat: String, Hashable, Sendable {
    case nmea
    /// Reports of gpsd, one JSON object a line.
    case gpsd
}

/// Bytes in, epochs out, in either format; the format is found from the bytes if it is not known.
struct Decoder: Sendable {
    /// A capture is gpsd's if a line within so many bytes starts as its reports do.
    static let trial = 4096
    /// A live one says so at once, and is not to be held up.
    static let liveTrial = 128

    private(set) var nmea: NMEADecoder?
    private(set) var gpsd: GPSDDecoder?
    /// Why reports of gpsd cannot be read on this host.
    private(set) var fault: LibraryFault?
    /// Bytes that do not yet tell the format.
    private var undecided: [UInt8] = []
    private let settings: LineSettings
    private let blockSize: Int
    private let trial: Int

    init(format: CaptureFormat?, settings: LineSettings, blockSize: Int, isLive: Bool) {
        self.settings = settings
        trial = isLive ? Self.liveTrial : Self.trial
        self.blockSize = max(blockSize, Self.trial)
        if let format { decide(format) }
    }

    var format: CaptureFormat? {
        if nmea != nil { return .nmea }
        return gpsd != nil || fault != nil ? .gpsd : nil
    }

    var isUnderstood: Bool { nmea?.isUnderstood ?? gpsd?.isUnderstood ?? false }

    var total: Int64 {
        nmea?.splitter.total ?? gpsd?.total ?? Int64(undecided.count)
    }

    mutating func takeNotes() -> [GPSDNote] {
        gpsd?.takeNotes() ?? []
    }

    mutating func fill<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        if nmea != nil { return try nmea?.fill(read) ?? 0 }
        if gpsd != nil { return try gpsd?.fill(read) ?? 0 }
        var room = [UInt8](repeating: 0, count: trial - undecided.count)
        var result: Result<Int, Failure> = .success(0)
        room.withUnsafeMutableBytes { raw in
            do throws(Failure) {
                result = .success(try read(raw))
            } catch {
                result = .failure(error)
            }
        }
        let count = try result.get()
        undecided += room.prefix(count)
        if holdsReport(undecided) {
            decide(.gpsd)
        } else if undecided.count == trial {
            decide(.nmea)
        }
        return count
    }

    mutating func drain(_ body: (borrowing Epoch) -> Void) {
        nmea?.drain(body)
        gpsd?.drain(body)
    }

    mutating func finish(_ body: (borrowing Epoch) -> Void) {
        if format == nil { decide(holdsReport(undecided) ? .gpsd : .nmea) }
        nmea?.finish(body)
        gpsd?.finish(body)
    }

    private mutating func decide(_ format: CaptureFormat) {
        switch format {
        case .gpsd:
            do throws(LibraryFault) {
                gpsd = try GPSDDecoder(blockSize: blockSize)
            } catch {
                fault = error
            }
        case .nmea:
            nmea = NMEADecoder(
                dates: DateResolver(floor: settings.notBefore, fallback: settings.dateFallback),
                talliesSatellites: settings.talliesSatellites,
                blockSize: blockSize
            )
        }
        let bytes = undecided
        undecided = []
        guard !bytes.isEmpty else { return }
        let copy = { (room: UnsafeMutableRawBufferPointer) -> Int in
            room.copyBytes(from: bytes)
            return bytes.count
        }
        _ = nmea?.fill(copy)
        _ = gpsd?.fill(copy)
    }

    private func holdsReport(_ bytes: [UInt8]) -> Bool {
        let opening = Array("{\"class\":\"".utf8)
        var start = 0
        while start < bytes.count {
            if bytes[start...].starts(with: opening) { return true }
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return false }
            start = end + 1
        }
        return false
    }
}
