import Glibc

/// Why something could not be written.
package struct SinkFault: Error, Hashable, Sendable {
    package var path: String
    package var errno: Int32

    package init(path: String, errno: Int32) {
        self.path = path
        self.errno = errno
    }

    /// One sentence that names the next step.
    package var message: String {
        let reason = String(cString: strerror(errno))
        let step =
            switch errno {
            case ENOSPC, EDQUOT: " Free some space, then run it again."
            case EACCES, EPERM, EROFS: " Choose a folder that you may write to."
            case EEXIST: " It is the capture itself: choose another name."
            case ENOENT, ENOTDIR: " Make the folder first."
            default: ""
            }
        return "Cannot write \(path): \(reason).\(step)"
    }
}
