internal import CGPS

/// Why libgps cannot be used.
public enum LibraryFault: Error, Hashable, Sendable, CustomStringConvertible {
    case missing
    /// Installed is one whose structs differ from those this program was built for.
    case mismatch

    public var description: String {
        switch self {
        case .missing:
            "Cannot load libgps, which reads what gpsd says: install libgps (Debian 12: apt install libgps28)."
        case .mismatch:
            "The libgps installed is of another gpsd release than the one surefoot was built with: install libgps of that release (Debian 12: apt install libgps28) or build surefoot anew."
        }
    }

    /// Loads libgps; costs nothing after the first time.
    package static func check() throws(LibraryFault) {
        switch surefoot_gps_load() {
        case SUREFOOT_GPS_READY: return
        case SUREFOOT_GPS_MISMATCH: throw .mismatch
        default: throw .missing
        }
    }
}
