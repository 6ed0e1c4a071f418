import CZlib
import Glibc

/// Unpacks a gzip file block by block, members one after another.
///
/// What can be had before a cut or a damage is given, the fault comes with it or after it.
final class Inflater {
    private static let room = 64 * 1024
    /// The largest window, and a gzip header (zlib.h, inflateInit2).
    private static let windowBits = 15 + 16

    private let path: String
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutablePointer<UInt8>
    private var isBetweenMembers = false
    private var isDone = false

    init(path: String) throws(SourceFault) {
        self.path = path
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        input = .allocate(capacity: Self.room)
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, Int32(Self.windowBits), zlibVersion(), size) == Z_OK else {
            throw .failed(call: "inflateInit2", path: path, errno: ENOMEM)
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// - Returns: How many bytes came, and what is wrong behind them; 0 and no fault is the end.
    func read(
        from descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> (count: Int, fault: SourceFault?) {
        guard !isDone, let start = buffer.baseAddress else { return (0, nil) }
        let room = min(buffer.count, Int(Int32.max))
        stream.pointee.next_out = start.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        var fault: SourceFault?
        while !isDone, stream.pointee.avail_out > 0 {
            if stream.pointee.avail_in == 0 {
                let count = Glibc.read(descriptor, input, Self.room)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    isDone = true
                    if count < 0 {
                        fault = .failed(call: "read", path: path, errno: errno)
                    } else if !isBetweenMembers {
                        fault = .gzipDamaged(path: path, isTruncated: true)
                    }
                    break
                }
                stream.pointee.next_in = input
                stream.pointee.avail_in = UInt32(count)
            }
            if isBetweenMembers {
                skipPadding()
                if stream.pointee.avail_in == 0 { continue }
                isBetweenMembers = false
            }
            switch inflate(stream, Z_NO_FLUSH) {
            case Z_OK: break
            case Z_STREAM_END:
                isBetweenMembers = true
                inflateReset(stream)
            default:
                isDone = true
                fault = .gzipDamaged(path: path, isTruncated: false)
            }
        }
        return (room - Int(stream.pointee.avail_out), fault)
    }

    /// Tapes and some tools fill the last block with zeros.
    private func skipPadding() {
        while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
            stream.pointee.next_in += 1
            stream.pointee.avail_in -= 1
        }
    }
}
