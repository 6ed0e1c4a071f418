import Glibc

/// A small file that appears whole or not at all.
package enum WholeFile {
    /// Writes beside the name, waits for the disk, then renames.
    package static func write(_ bytes: [UInt8], to path: String) throws(SinkFault) {
        let temporary = path + ".part"
        unlink(temporary)
        let file = try AppendingFile(path: temporary)
        do throws(SinkFault) {
            try file.append(bytes)
            try file.synchronize()
            guard rename(temporary, path) == 0 else { throw SinkFault(path: path, errno: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }
}
