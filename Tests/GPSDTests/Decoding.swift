import Glibc
import Positioning

@testable import GPSD

/// All that a decoder made of a stream.
struct Decoding: Equatable {
    var epochs: [EpochRecord] = []
    var reports = ReportCounts()
    var bytes = ByteCounts()
    var notes: [GPSDNote] = []
    var satellites: Satellites?
    var device: String?
    var total: Int64 = 0

    /// Decodes a stream that comes in blocks of the lengths that `cut` gives.
    init(_ stream: [UInt8], blockSize: Int = 65_536, cut: () -> Int = { .max }) throws {
        var decoder = try GPSDDecoder(blockSize: blockSize)
        var at = 0
        while at < stream.count {
            _ = decoder.fill { (room) throws(Never) -> Int in
                let count = max(1, min(cut(), blockSize, room.count, stream.count - at))
                stream.withUnsafeBytes {
                    room.copyMemory(from: .init(rebasing: $0[at..<at + count]))
                }
                at += count
                return count
            }
            decoder.drain { epochs.append(EpochRecord($0)) }
            notes += decoder.takeNotes()
        }
        decoder.finish { epochs.append(EpochRecord($0)) }
        notes += decoder.takeNotes()
        (reports, bytes, total) = (decoder.reports, decoder.bytes, decoder.total)
        (satellites, device) = (decoder.satellites, decoder.device)
    }

    init(_ lines: [String]) throws {
        try self.init(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    var fixes: [Fix] { epochs.compactMap(\.fix) }
    var rejections: [Rejection] { epochs.compactMap(\.rejection) }
}

/// An epoch to compare with another.
struct EpochRecord: Equatable {
    var time: UTC?
    var fix: Fix?
    var rejection: Rejection?
    var offset: Int64

    init(_ epoch: borrowing Epoch) {
        time = epoch.time
        fix = epoch.fix
        rejection = epoch.rejection
        offset = epoch.offset
    }
}

/// The folder of captures that are not ours to keep here.
enum Corpus {
    static let path: String? = getenv("SUREFOOT_CORPUS").map { String(cString: $0) }

    static func bytes(of name: String) -> [UInt8] {
        guard let path, let file = fopen("\(path)/\(name)", "r") else { return [] }
        defer { fclose(file) }
        var all: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&block, 1, block.count, file)
            if count == 0 { return all }
            all += block[..<count]
        }
    }

    static func lines(of name: String) -> [Substring] {
        String(decoding: bytes(of: name), as: UTF8.self).split(whereSeparator: \.isNewline)
    }
}
