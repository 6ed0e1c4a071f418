import Glibc

/// A program that holds a device open.
package struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
    package var name: String
    package var pid: Int32

    package init(name: String, pid: Int32) {
        self.name = name
        self.pid = pid
    }

    package var description: String { "\(name) (pid \(pid))" }

    /// Looks through the open files of all processes that may be looked at, but this one.
    ///
    /// Links are followed to the device.
    static func find(of path: String) -> DeviceHolder? {
        let target = resolved(path)
        let own = getpid()
        for name in Folder.names(in: "/proc") {
            guard let pid = Int32(name), pid != own else { continue }
            let folder = "/proc/\(name)/fd"
            for entry in Folder.names(in: folder) where link("\(folder)/\(entry)") == target {
                return DeviceHolder(name: program(pid), pid: pid)
            }
        }
        return nil
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func link(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { raw in
            guard let start = raw.baseAddress else { return nil }
            let length = readlink(path, start, raw.count)
            guard length > 0 else { return nil }
            return String(decoding: raw[..<length], as: UTF8.self)
        }
    }

    private static func program(_ pid: Int32) -> String {
        let descriptor = open("/proc/\(pid)/comm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "a program" }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { raw in
            let length = read(descriptor, raw.baseAddress, raw.count)
            guard length > 0 else { return "a program" }
            let text = raw[..<length].prefix { $0 != UInt8(ascii: "\n") }
            return String(decoding: text, as: UTF8.self)
        }
    }
}
