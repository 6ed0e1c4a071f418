import Positioning
import Surefoot
import SurefootAgent

/// What the figures of a finished run mean for the exit status, and what is said about it.
enum Verdict {
    /// Says what is wrong; `isFile`: the source had an end, and is a wrong one without a sentence.
    static func tell(_ summary: Summary, isFile: Bool) -> Int32 {
        if isFile, summary.byteCount == 0 {
            Output.error.write("surefoot: there was nothing to read.\n")
            return ExitStatus.failed
        }
        if !summary.isUnderstood, summary.byteCount > 0 {
            let what =
                summary.bytes.ubx > 0
                ? "speaks UBX, not NMEA: switch NMEA on in the receiver"
                : "holds neither NMEA sentences nor reports of gpsd"
            Output.error.write("surefoot: \(summary.source) \(what).\n")
            return isFile ? ExitStatus.failed : ExitStatus.done
        }
        if summary.accepted == 0 {
            Output.error.write("surefoot: no fix was accepted; see the counts by reason.\n")
        }
        return ExitStatus.done
    }
}
