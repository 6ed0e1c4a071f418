import Glibc
package import Tracks

/// A GPX file that appears whole or not at all.
///
/// It grows beside its name and takes it by rename at the end. A name that is no regular file (a
/// pipe, `/dev/stdout`) gets the bytes at the end instead.
package final class GPXFile {
    /// Bytes written at once.
    ///
    /// Every write but the last is just so long, so that all start at a multiple of it: then the
    /// file system keeps them in few large pieces.
    private static let blockSize = 64 * 1024

    private let path: String
    private let temporary: String
    private let isRenamed: Bool
    private let isNameless: Bool
    private var descriptor: Int32
    private var writer: GPXWriter
    private var fault: SinkFault?

    /// Begins the file beside its name.
    ///
    /// `isPrivate`: readable by its owner alone.
    package init(
        path: String,
        name: String?,
        creator: String,
        isPrivate: Bool = false
    ) throws(SinkFault) {
        self.path = Self.resolved(path)
        isRenamed = Self.isRegularOrNew(self.path)
        let folder = isRenamed ? Self.folder(of: self.path) : "/tmp"
        // Without a name, where the file system can: then nothing is left behind even by a kill.
        var opened = Glibc.open(folder, Self.temporaryFlag | O_RDWR | O_CLOEXEC, 0o600)
        isNameless = opened >= 0
        var template = Array("\(folder)/.surefoot-XXXXXX".utf8CString)
        if opened < 0 {
            opened = mkstemp(&template)
            guard opened >= 0 else { throw SinkFault(path: path, errno: errno) }
            _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
        }
        descriptor = opened
        temporary = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        if !isPrivate { fchmod(descriptor, Self.mode(of: self.path)) }
        if !isRenamed, !isNameless { unlink(temporary) }
        writer = GPXWriter(name: name, creator: creator, waypointCount: 2)
        writer.begin()
    }

    deinit {
        abandon()
    }

    package func add(_ point: GPXWriter.Point, opensSegment: Bool) {
        let waiting = writer.add(point, opensSegment: opensSegment)
        if waiting >= Self.blockSize { flushBlock() }
    }

    /// Writes the end, and gives the file its name.
    package func finish(
        isDurable: Bool = false
    ) throws(SinkFault) {
        writer.end()
        flush()
        var waypoints: [(name: String, point: GPXWriter.Point)] = []
        if let first = writer.first { waypoints.append(("Start", first)) }
        if let last = writer.last { waypoints.append(("End", last)) }
        put(writer.prologue(waypoints), at: off_t(writer.roomStart))
        if let fault { throw fault }
        if isRenamed {
            if isDurable, fsync(descriptor) != 0 { throw SinkFault(path: path, errno: errno) }
            let name = try named()
            guard rename(name, path) == 0 else {
                let fault = SinkFault(path: path, errno: errno)
                unlink(name)
                throw fault
            }
            close(descriptor)
            descriptor = -1
        } else {
            try copyOut()
            abandon()
        }
    }

    /// Leaves nothing behind.
    package func abandon() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        if isRenamed, !isNameless { unlink(temporary) }
    }

    // MARK: Bytes

    private func flushBlock() {
        put(writer.text.bytes, count: Self.blockSize, at: nil)
        writer.text.removeFirst(Self.blockSize)
    }

    private func flush() {
        put(writer.text.bytes, at: nil)
        writer.text.clear()
    }

    /// Writes all bytes or the first so many, at a place or at the end; remembers the first fault.
    private func put(_ bytes: [UInt8], count most: Int? = nil, at place: off_t?) {
        guard fault == nil else { return }
        let total = most ?? bytes.count
        var done = 0
        while done < total {
            let count = bytes.withUnsafeBytes { raw -> Int in
                let rest = UnsafeRawBufferPointer(rebasing: raw[done..<total])
                if let place {
                    return pwrite(descriptor, rest.baseAddress, rest.count, place + off_t(done))
                }
                return write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                fault = SinkFault(path: path, errno: count < 0 ? errno : ENOSPC)
                return
            }
            done += count
        }
    }

    private func copyOut() throws(SinkFault) {
        let target = open(path, O_WRONLY | O_CLOEXEC)
        guard target >= 0 else { throw SinkFault(path: path, errno: errno) }
        defer { close(target) }
        lseek(descriptor, 0, SEEK_SET)
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        while true {
            let count = read(descriptor, &block, block.count)
            guard count > 0 else { return }
            var done = 0
            while done < count {
                let written = block.withUnsafeBytes { raw in
                    raw.baseAddress.map { write(target, $0 + done, count - done) } ?? -1
                }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw SinkFault(path: path, errno: errno) }
                done += written
            }
        }
    }

    // MARK: Names

    /// `O_TMPFILE`, which is a macro that Swift does not see.
    private static let temporaryFlag: Int32 = 0o20_000_000 | O_DIRECTORY

    /// The name under which the file grew, or one for the moment if it has none.
    private func named() throws(SinkFault) -> String {
        guard isNameless else { return temporary }
        let name = "\(Self.folder(of: path))/.surefoot-\(getpid())-\(descriptor)"
        unlink(name)
        let own = "/proc/self/fd/\(descriptor)"
        guard linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
            throw SinkFault(path: path, errno: errno)
        }
        return name
    }

    /// That of the file that is replaced, or what the mask leaves of a new one.
    private static func mode(of path: String) -> mode_t {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_mode & 0o777 }
        let mask = umask(0)
        umask(mask)
        return 0o666 & ~mask
    }

    /// Whether two names mean one file.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        var a = stat()
        var b = stat()
        guard stat(one, &a) == 0, stat(other, &b) == 0, a.st_mode & S_IFMT == S_IFREG else {
            return false
        }
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino
    }

    private static func resolved(_ path: String) -> String {
        guard let whole = realpath(path, nil) else { return path }
        defer { free(whole) }
        return String(cString: whole)
    }

    private static func isRegularOrNew(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
