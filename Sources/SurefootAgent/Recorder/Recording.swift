import GPSD
import Glibc
import Positioning
package import Surefoot
import Tracks

/// A run being recorded: one thread, one loop that waits, and it owns all there is.
///
/// Bytes go into the capture as they came, then through the line. When the run ends, its track and
/// summary are made from the folder again, as for any run found on disk.
package final class Recording {
    package struct Settings {
        package var line: LineSettings
        /// Folder of runs.
        package var parent: String
        package var name: String?
        /// Seconds after which the run ends by itself.
        package var duration: Double?
        /// A receiver that is not there yet is waited for.
        package var waits: Bool

        package init(
            line: LineSettings,
            parent: String,
            name: String? = nil,
            duration: Double? = nil,
            waits: Bool = false
        ) {
            self.line = line
            self.parent = parent
            self.name = name
            self.duration = duration
            self.waits = waits
        }
    }

    /// How a recording ended.
    package struct Outcome {
        /// Folder of the run; `nil` if nothing was recorded.
        package var folder: String?
        package var summary: Summary?
        package var exitStatus: Int32
    }

    /// Shortest and longest time between two tries to open a lost receiver, in nanoseconds: near
    /// ones come back soon, far ones are not to be stormed.
    private static let localRetry: ClosedRange<Int64> = 500_000_000...1_000_000_000
    private static let remoteRetry: ClosedRange<Int64> = 5_000_000_000...30_000_000_000
    /// Bytes kept back until an epoch is whole, at most so long.
    private static let flushDelay: Int64 = 1_000_000_000

    /// Bytes within which a receiver that can be read has said something.
    private static let enough = 4096

    private let receiver: any Receiver
    private let settings: Settings
    private let view: any RecordingView
    private var line: Line
    private var folder: String?
    private var capture: AppendingFile?
    private var log: AppendingFile?
    private var lock: AppendingFile?
    private var pending: [UInt8] = []
    private var flushAt: Int64?
    private var retryAt: Int64?
    private var endAt: Int64?
    private var hasEnded = false
    private var isOpen = false
    private var hasHeard = false
    private var isNamed = false
    private var hasWarned = false
    private var hasFailed = false
    /// Host and receiver time of the latest fix, to tell how long nothing has come.
    private var latest: (arrival: Int64, time: UTC)?
    /// Room for one read: the largest datagram.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    package init(receiver: any Receiver, settings: Settings, view: any RecordingView) {
        self.receiver = receiver
        self.settings = settings
        self.view = view
        let isFile = if case .file = receiver.spec { true } else { false }
        line = Line(settings.line, format: receiver.format, isLive: !isFile)
    }

    deinit {
        buffer.deallocate()
    }

    /// Records until the run ends.
    package func run() -> Outcome {
        let signals = Signals()
        defer { signals.restore() }
        var early = 0
        do throws(SourceFault) {
            try receiver.open()
            early = try connect(signals)
            isOpen = true
        } catch {
            receiver.close()
            guard settings.waits, receiver.isLive else {
                view.fail(.source, error.message)
                return Outcome(exitStatus: error.exitStatus)
            }
            view.device(.noDevice, receiver.spec.description, reason: error.message)
            scheduleRetry()
        }
        guard !hasEnded else {
            receiver.close()
            return Outcome(exitStatus: 0)
        }
        do throws(SinkFault) {
            try begin()
        } catch {
            if let folder { RunFolder.remove(folder) }
            folder = nil
            receiver.close()
            view.fail(.disk, error.message)
            return Outcome(exitStatus: 1)
        }
        if early > 0 { take(UnsafeRawBufferPointer(rebasing: buffer[..<early]), Monotonic.now) }
        if let duration = settings.duration { endAt = Monotonic.now + Int64(duration * 1e9) }
        while !hasEnded { turn(signals) }
        return end()
    }

    /// Waits until a connect has gone through, before there is a run to keep.
    ///
    /// - Returns: bytes that came with it, in the buffer.
    private func connect(_ signals: Signals) throws(SourceFault) -> Int {
        while receiver.isConnecting, !hasEnded {
            var polled = [
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: receiver.descriptor ?? -1, events: receiver.events, revents: 0),
            ]
            poll(&polled, nfds_t(polled.count), milliseconds(until: receiver.deadline))
            if polled[0].revents != 0, signals.take() { hasEnded = true }
            if case .bytes(let count) = try receiver.read(into: buffer) { return count }
        }
        return 0
    }

    // MARK: The loop

    private func turn(_ signals: Signals) {
        var polled = [
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: view.keys ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: -1, events: 0, revents: 0),
            pollfd(fd: Output.standard.waiting ?? -1, events: Int16(POLLOUT), revents: 0),
        ]
        var isAlwaysReady = false
        if isOpen {
            if let descriptor = receiver.descriptor {
                polled[2] = pollfd(fd: descriptor, events: receiver.events, revents: 0)
            } else {
                isAlwaysReady = true
            }
        }
        let wait = isAlwaysReady ? 0 : milliseconds(until: nextDeadline)
        let ready = poll(&polled, nfds_t(polled.count), wait)
        if ready < 0, errno != EINTR {
            hasEnded = true
            return
        }
        let now = Monotonic.now
        if polled[3].revents != 0 { Output.standard.flush() }
        if polled[0].revents != 0, signals.take() { hasEnded = true }
        if polled[1].revents != 0, view.takeKeys() { hasEnded = true }
        if let endAt, now >= endAt { hasEnded = true }
        let isDue = isOpen && receiver.deadline.map { now >= $0 } ?? false
        if isAlwaysReady || polled[2].revents != 0 || isDue { read(now) }
        if !isOpen, let retryAt, now >= retryAt { retry() }
        if let flushAt, now >= flushAt { flush() }
        passTime(now)
        if hasFailed { hasEnded = true }
    }

    private var nextDeadline: Int64? {
        var deadlines = [endAt, flushAt, isOpen ? nil : retryAt, isOpen ? receiver.deadline : nil]
        if let latest, let silence = line.nextSilence {
            deadlines.append(latest.arrival + Int64(silence * 1e9) + 1_000_000)
        }
        return deadlines.compactMap(\.self).min()
    }

    private func milliseconds(until deadline: Int64?) -> Int32 {
        guard let deadline else { return -1 }
        let left = deadline - Monotonic.now
        return left <= 0 ? 0 : Int32(min((left + 999_999) / 1_000_000, 60_000))
    }

    // MARK: Bytes

    private func read(_ now: Int64) {
        do throws(SourceFault) {
            switch try receiver.read(into: buffer) {
            case .nothing: return
            case .ended: hasEnded = true
            case .bytes(let count): take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), now)
            }
        } catch {
            lose(error)
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ now: Int64) {
        if !hasHeard {
            hasHeard = true
            view.device(.ready, receiver.spec.description, reason: nil)
        }
        pending.append(contentsOf: bytes)
        flushAt = flushAt ?? now + Self.flushDelay
        var rest = bytes[...]
        var hasTold = false
        while !rest.isEmpty {
            let taken = line.fill { room in
                let taken = min(room.count, rest.count)
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(taken)))
                return taken
            }
            rest = rest.dropFirst(taken)
            line.drain { event in
                hasTold = true
                if case .fix(let fix, _) = event.kind { latest = (now, fix.time) }
                view.show(event)
            }
        }
        for note in line.takeNotes() { view.tell(note) }
        if let fault = line.fault { fail(.library, fault.description) }
        warnIfUnreadable()
        if hasTold { flush() }
        nameCapture()
        view.turn()
    }

    /// Says once that a receiver is heard and not understood, and what may be the cause.
    private func warnIfUnreadable() {
        guard !hasWarned, receiver.isLive, line.byteCount > Self.enough, !line.isUnderstood else {
            return
        }
        hasWarned = true
        let source = receiver.spec.description
        view.fail(
            .unreadable,
            line.hasFrames
                ? "\(source) speaks UBX, not NMEA: switch NMEA on in the receiver."
                : "\(source) sends nothing readable: try another speed, as in "
                    + "--from serial:PATH@4800."
        )
    }

    /// A file or a pipe tells only by its bytes that it is gpsd's.
    private func nameCapture() {
        guard receiver.format == nil, !isNamed, let format = line.format, let folder else { return }
        isNamed = true
        guard format == .gpsd, let capture else { return }
        rename(capture.path, folder + "/" + RunFolder.captureName(format))
    }

    /// Gives the capture what was kept back.
    private func flush() {
        flushAt = nil
        guard !pending.isEmpty, let capture else { return }
        do throws(SinkFault) {
            try capture.append(pending)
            pending.removeAll(keepingCapacity: true)
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: SinkFault) {
        fail(.disk, error.message)
    }

    /// The work cannot go on: the run ends, and keeps what it has.
    private func fail(_ code: FaultCode, _ message: String) {
        guard !hasFailed else { return }
        hasFailed = true
        view.fail(code, message)
    }

    /// Nothing has come for a while: the line is told how late it is.
    private func passTime(_ now: Int64) {
        guard let latest, let silence = line.nextSilence else { return }
        let waited = (Double(now - latest.arrival) / 1e6).rounded(.down)
        guard waited > silence * 1000 else { return }
        let time = UTC(milliseconds: latest.time.milliseconds + Int64(waited))
        note(.pass(time))
        line.pass(time, view.show)
        view.turn()
    }

    // MARK: The receiver

    private func lose(_ error: SourceFault) {
        receiver.close()
        isOpen = false
        guard receiver.isLive else {
            fail(.source, error.message)
            hasEnded = true
            return
        }
        scheduleRetry()
        // A try that failed is no second loss.
        guard hasHeard else { return }
        hasHeard = false
        flush()
        note(.interrupt(.deviceLost))
        view.device(.noDevice, receiver.spec.description, reason: error.message)
        line.interrupt(.deviceLost, view.show)
        view.turn()
    }

    private func scheduleRetry() {
        let range = receiver.isLocal ? Self.localRetry : Self.remoteRetry
        retryAt = Monotonic.now + Int64.random(in: range)
    }

    private func retry() {
        retryAt = nil
        do throws(SourceFault) {
            try receiver.open()
            isOpen = true
        } catch {
            scheduleRetry()
        }
    }

    // MARK: The folder

    private func begin() throws(SinkFault) {
        let now = HostClock.now
        RunFinisher.finishOthers(in: settings.parent)
        let folder = try RunFolder.make(in: settings.parent, at: now)
        self.folder = folder
        let lock = try AppendingFile(path: folder + "/" + RunFolder.Name.lock)
        _ = lock.lock()
        self.lock = lock
        let format = receiver.format ?? .nmea
        capture = try AppendingFile(path: folder + "/" + RunFolder.captureName(format))
        let log = try AppendingFile(path: folder + "/" + RunFolder.Name.events)
        let inForce = EventLog.Settings(
            line: settings.line,
            format: receiver.format,
            source: receiver.spec.baseName,
            name: settings.name
        )
        try log.append(EventLog.line(inForce, at: now))
        self.log = log
        view.begin(folder: folder, isLive: receiver.isLive)
    }

    private func note(_ entry: EventLog.Entry) {
        flush()
        do throws(SinkFault) {
            try log?.append(EventLog.line(entry, offset: line.byteCount, at: HostClock.now))
        } catch {
            fail(error)
        }
    }

    private func end() -> Outcome {
        receiver.close()
        flush()
        line.finish(view.show)
        do throws(SinkFault) {
            try capture?.synchronize()
            try log?.synchronize()
        } catch {
            fail(error)
        }
        guard let folder else { return Outcome(exitStatus: 1) }
        do {
            let summary = try RunFinisher.finish(folder)
            view.end(summary, isSaved: true)
            return Outcome(folder: folder, summary: summary, exitStatus: hasFailed ? 1 : 0)
        } catch let error as SinkFault {
            view.fail(.disk, error.message)
        } catch let error as SourceFault {
            view.fail(.source, error.message)
        } catch {
            view.fail(.source, "\(error)")
        }
        view.end(line.summary, isSaved: false)
        return Outcome(folder: folder, exitStatus: 1)
    }
}
