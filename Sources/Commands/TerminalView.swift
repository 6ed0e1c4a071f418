import GPSD
import Glibc
import Surefoot
import SurefootAgent
import Tracks

/// A recording for people: a line that follows the run on a terminal, or a line for each split.
final class TerminalView: RecordingView {
    private let isLive: Bool
    private let unit: LineSettings.Unit
    private var text = TextBuffer(capacity: 4096)
    private var latest: Live?
    private var hasLiveLine = false
    private var isLost = false
    private var folder = ""
    private var before = termios()
    private var hasKeys: Bool

    /// - Parameters:
    ///   - isLive: standard output is a terminal, and one line of it follows the run.
    ///   - unit: of the splits.
    init(isLive: Bool, unit: LineSettings.Unit) {
        self.isLive = isLive
        self.unit = unit
        // In the background a terminal is not ours to change.
        hasKeys = isatty(0) != 0 && tcgetpgrp(0) == getpgrp() && tcgetattr(0, &before) == 0
        guard hasKeys else { return }
        var single = before
        single.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(0, TCSANOW, &single)
    }

    deinit {
        if hasKeys { tcsetattr(0, TCSANOW, &before) }
    }

    var keys: Int32? { hasKeys ? 0 : nil }

    func takeKeys() -> Bool {
        var key: UInt8 = 0
        let count = read(0, &key, 1)
        // The terminal is gone.
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { hasKeys = false }
        guard count == 1 else { return false }
        return key == UInt8(ascii: "q") || key == UInt8(ascii: "Q")
    }

    func begin(folder: String, isLive: Bool) {
        self.folder = folder
        say("Recording into \(folder)\(hasKeys ? "; q ends the run" : "").")
    }

    func device(_ state: DeviceState, _ path: String, reason: String?) {
        switch (state, reason) {
        case (.ready, _): say("Receiving from \(path).")
        case (_, let reason?): say(reason + " The run goes on when it is back.")
        case (_, nil): say("\(path) is gone. The run goes on when it is back.")
        }
    }

    func tell(_ note: GPSDNote) {
        say(Notes.sentence(note))
    }

    func show(_ event: borrowing Event) {
        switch event.kind {
        case .fix(_, let live): latest = live
        case .signalLost: isLost = true
        case .signalRegained: isLost = false
        case .split(let split, let number, _):
            text.clear()
            text.string("\(unit == .kilometer ? "km" : "mi") \(number)  ")
            text.clock(split.time)
            say(String(decoding: text.bytes, as: UTF8.self))
        default: break
        }
    }

    func turn() {
        guard isLive, let latest else { return }
        text.clear()
        text.text("\r\u{1B}[K")
        text.decimal(latest.distance / 1000, digits: 3)
        text.text(" km  ")
        if isLost {
            text.text("signal lost")
        } else if let pace = latest.pace {
            text.clock(pace)
            text.text(" /km")
        } else {
            text.text(latest.isMoving ? "-:-- /km" : "standing")
        }
        Output.standard.write(text.bytes)
        Output.standard.flush()
        hasLiveLine = true
    }

    func fail(_ code: FaultCode, _ message: String) {
        breakLine()
        Output.error.write("surefoot: \(message)\n")
    }

    func end(_ summary: Summary, isSaved: Bool) {
        breakLine()
        text.clear()
        text.report(summary)
        text.string(
            isSaved
                ? "Saved     \(folder)\n"
                : "Kept      \(folder)\n"
        )
        Output.standard.write(text.bytes)
        Output.standard.flush()
    }

    private func say(_ line: String) {
        breakLine()
        Output.standard.write(line + "\n")
        Output.standard.flush()
    }

    private func breakLine() {
        guard hasLiveLine else { return }
        Output.standard.write("\n")
        hasLiveLine = false
    }
}
