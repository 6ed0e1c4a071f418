import GPSD
import SurefootAgent

/// What a person should know of a gpsd stream, on standard error.
enum Notes {
    static func tell(_ notes: [GPSDNote]) {
        for note in notes { Output.error.write("surefoot: \(sentence(note))\n") }
    }

    static func sentence(_ note: GPSDNote) -> String {
        switch note {
        case .deviceChosen(let path): "gpsd: using the receiver on \(path)."
        case .deviceIgnored(let path): "gpsd: another receiver, on \(path), is not used."
        case .deviceGone(let path): "gpsd: the receiver on \(path) is gone."
        case .unknownProtocol(let release, let major):
            "gpsd \(release) speaks protocol \(major), which is newer than this program; going on."
        case .error(let message): "gpsd says: \(message)"
        }
    }
}
