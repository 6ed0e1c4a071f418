import GPSD
import Surefoot
import SurefootAgent
import Tracks

/// A recording as JSON lines on standard output: `record --json`.
final class JSONLinesView: RecordingView {
    private var text = TextBuffer(capacity: 16 * 1024)

    var keys: Int32? { nil }

    func takeKeys() -> Bool { false }

    func begin(folder: String, isLive: Bool) {
        host("state")
        text.member("device", isLive ? DeviceState.noDevice.rawValue : "file")
        text.member("recording", true)
        text.member("folder", folder)
        endLine()
        turn()
    }

    func device(_ state: DeviceState, _ path: String, reason: String?) {
        host("device")
        text.member("state", state.rawValue)
        text.member("path", path)
        if let reason { text.member("reason", reason) }
        endLine()
        turn()
    }

    func tell(_ note: GPSDNote) {
        switch note {
        case .deviceChosen(let path): device(.ready, path, reason: nil)
        case .deviceGone(let path): device(.noDevice, path, reason: Notes.sentence(note))
        case .deviceIgnored, .unknownProtocol, .error: Notes.tell([note])
        }
    }

    func show(_ event: borrowing Event) {
        text.line(event)
    }

    func turn() {
        guard text.count > 0 else { return }
        Output.standard.write(text.bytes)
        Output.standard.flush()
        text.clear()
    }

    func fail(_ message: String) {
        host("error")
        text.member("message", message)
        endLine()
        turn()
        Output.error.write("surefoot: \(message)\n")
    }

    func end(_ summary: Summary) {
        text.text("{\"event\": \"summary\"")
        if let last = summary.last {
            text.member("time", last.time)
        } else {
            text.member("time", HostClock.now)
            text.member("clock", "host")
        }
        text.members(of: summary)
        endLine()
        turn()
    }

    /// A line that the host's clock dates.
    private func host(_ event: StaticString) {
        text.text("{\"event\": \"")
        text.text(event)
        text.text("\"")
        text.member("time", HostClock.now)
        text.member("clock", "host")
    }

    private func endLine() {
        text.text("}\n")
    }
}
