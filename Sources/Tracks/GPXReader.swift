import CXML2
import Glibc

/// Reads GPX 1.1 and 1.0: tracks and waypoints, up to the end or the first damage.
///
/// The file goes through in pieces; apart from the result, memory does not grow with it. Nothing
/// outside the file is ever loaded, and a document type declaration is refused. A point counts once
/// its end tag was read. Planned routes (`<rte>`) are not read. Source: GPX 1.1 Schema,
/// topografix.com/GPX/1/1; Garmin TrackPointExtension v1 and v2 for speed and course.
public struct GPXReader: Sendable {
    private let chunkSize: Int

    /// - Parameter chunkSize: Bytes read at a time.
    /// - Precondition: `chunkSize` is 1 to 16 MiB.
    public init(chunkSize: Int = 65_536) {
        precondition((1...16_777_216).contains(chunkSize), "a chunk is 1 byte to 16 MiB")
        self.chunkSize = chunkSize
    }

    /// Reads the file of this name.
    public func read(path: String) throws(GPXError) -> GPXDocument {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, errno: errno) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, path: path)
    }

    /// Reads from where the descriptor stands to its end; leaves it open.
    public func read(descriptor: Int32) throws(GPXError) -> GPXDocument {
        try read(descriptor: descriptor, path: "")
    }

    /// Reads a file that is in memory.
    public func read(bytes: [UInt8]) throws(GPXError) -> GPXDocument {
        var position = 0
        return try read(from: { buffer in
            let count = min(buffer.count, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return .success(count)
        })
    }

    private func read(descriptor: Int32, path: String) throws(GPXError) -> GPXDocument {
        var isFirst = true
        var failure: GPXError?
        let source: Source = { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count < 0, isFirst {
                    let number = errno
                    failure =
                        number == EISDIR
                        ? .isDirectory(path: path) : .cannotRead(path: path, errno: number)
                }
                isFirst = false
                return count < 0 ? .failure(ReadFailure(errno: errno)) : .success(count)
            }
        }
        do throws(GPXError) {
            return try read(from: source)
        } catch {
            throw failure ?? error
        }
    }

    /// Fills the buffer with the next bytes and says how many: 0 at the end.
    private typealias Source = (UnsafeMutableRawBufferPointer) -> Result<Int, ReadFailure>

    private struct ReadFailure: Error {
        let errno: Int32
    }

    private func read(from source: Source) throws(GPXError) -> GPXDocument {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 1)
        defer { buffer.deallocate() }
        // The first four bytes tell the encoding; a source may give fewer at a time.
        var head: [UInt8] = []
        var readFailure: Int32?
        var isAtEnd = false

        func next(_ room: UnsafeMutableRawBufferPointer) -> Int {
            switch source(room) {
            case .success(let count):
                isAtEnd = count == 0
                return count
            case .failure(let failure):
                (readFailure, isAtEnd) = (failure.errno, true)
                return 0
            }
        }

        while head.count < 4, !isAtEnd {
            let room = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<min(4 - head.count, chunkSize)]
            )
            head.append(contentsOf: room[..<next(room)])
        }
        guard !head.isEmpty else {
            guard let readFailure else { throw .empty }
            throw .cannotRead(path: "", errno: readFailure)
        }

        guard surefoot_xml_load() == 0 else {
            throw .libraryMissing(String(cString: surefoot_xml_load_error()))
        }
        let assembly = GPXAssembly()
        guard let parser = assembly.makeParser(head) else { throw .libraryMissing("no memory") }
        defer { surefoot_xml_destroy(parser) }

        var fault = SUREFOOT_XML_NO_FAULT
        while fault == SUREFOOT_XML_NO_FAULT, !isAtEnd {
            let count = next(buffer)
            guard count > 0 else { break }
            fault = surefoot_xml_push(parser, buffer.baseAddress, Int32(count), 0)
        }
        let wasCut = fault == SUREFOOT_XML_NO_FAULT
        if wasCut { fault = surefoot_xml_push(parser, "", 0, 1) }
        return try withExtendedLifetime(assembly) { () throws(GPXError) in
            try assembly.finish(
                fault,
                line: Int(surefoot_xml_line(parser)),
                message: String(cString: surefoot_xml_message(parser)),
                wasCut: wasCut,
                readFailure: readFailure
            )
        }
    }
}

func systemMessage(_ number: Int32) -> String {
    String(cString: strerror(number))
}
