import CZlib
import Glibc
import SurefootAgent
import Testing

@Suite("File receiver", .timeLimit(.minutes(1)))
struct FileReceiverTests {
    private let bytes = Rim.capture(seconds: 2000)

    @Test("A plain file and its gzip, in one member or two, give the same bytes and then end")
    func whole() throws {
        try Rim.withFolder { folder in
            let half = bytes.count / 2
            let two = Self.gzip(Array(bytes[..<half])) + Self.gzip(Array(bytes[half...]))
            for (name, content) in [
                ("plain.gz", bytes), ("one", Self.gzip(bytes)), ("two", two),
                ("padded", two + [0, 0, 0]),
            ] {
                let path = "\(folder)/\(name)"
                Rim.write(content, to: path)
                let receiver = FileReceiver(path: path)
                try receiver.open()
                let heard = Rim.hear(receiver)
                #expect(heard.bytes == bytes, "\(name)")
                #expect(heard.isEnded, "\(name)")
            }
        }
    }

    @Test("Of a gzip cut short or damaged one gets what can be had, and then hears of it")
    func damaged() throws {
        try Rim.withFolder { folder in
            let packed = Self.gzip(bytes)
            var broken = packed
            // The sum over the content stands in front of the last four bytes (RFC 1952).
            broken[broken.count - 6] ^= 0xFF
            let cut = Array(packed[..<(packed.count / 2)])
            for (content, isTruncated) in [(cut, true), (broken, false)] {
                let path = "\(folder)/\(isTruncated).gz"
                Rim.write(content, to: path)
                let receiver = FileReceiver(path: path)
                try receiver.open()
                let heard = Rim.hear(receiver)
                #expect(!heard.bytes.isEmpty)
                #expect(bytes.starts(with: heard.bytes))
                #expect(heard.fault == .gzipDamaged(path: path, isTruncated: isTruncated))
                #expect(heard.fault?.exitStatus == 1)
            }
        }
    }

    @Test("Standard input from a pipe gives its bytes, nothing while nothing comes, and then ends")
    func standardInput() throws {
        var pipe: [Int32] = [-1, -1]
        Glibc.pipe(&pipe)
        defer { close(pipe[0]) }
        let receiver = StandardInputReceiver(input: pipe[0])
        try receiver.open()
        var block = [UInt8](repeating: 0, count: 16)
        let first = try block.withUnsafeMutableBytes { try receiver.read(into: $0) }
        #expect(first == .nothing)
        write(pipe[1], "abc", 3)
        close(pipe[1])
        let heard = Rim.hear(receiver)
        #expect(heard.bytes == Array("abc".utf8))
        #expect(heard.isEnded)
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        deflateInit2_(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, zlibVersion(), size)
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count + 1024)
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                deflate(&stream, Z_FINISH)
                return Int(stream.total_out)
            }
        }
        return Array(output[..<count])
    }
}
