import GPSD
import Surefoot
import SurefootAgent
import Tracks

/// A recording as JSON lines on standard output: `record --json`.
final class JSONLinesView: RecordingView {
    private var text = TextBuffer(capacity: 16 * 1024)

    private var hasBegun = false
    private var isFile = false
    private var folder: String?

    var keys: Int32? { nil }

    func takeKeys() -> Bool { false }

    func begin(folder: String, isLive: Bool) {
        self.folder = folder
        isFile = !isLive
        tellState()
        turn()
    }

    /// The first line, before whatever is told first.
    private func tellState() {
        guard !hasBegun else { return }
        hasBegun = true
        host("state")
        text.member("device", isFile ? "file" : DeviceState.noDevice.rawValue)
        text.member("recording", folder != nil)
        if let folder { text.member("folder", folder) }
        endLine()
    }

    func device(_ state: DeviceState, _ path: String, reason: String?) {
        tellState()
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

    func fail(_ code: FaultCode, _ message: String) {
        tellState()
        host("error")
        text.member("code", code.rawValue)
        text.member("message", message)
        endLine()
        turn()
        Output.error.write("surefoot: \(message)\n")
    }

    func end(_ summary: Summary, isSaved: Bool) {
        tellState()
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
