/// Plays a script as a receiver, paced by the script's own times.
///
///     let fake = try FakeReceiver.onPTY()
///     say(fake.address)
///     try fake.play(script: { try CaptureScript(path: path) }, stop: stopDescriptor)
package final class FakeReceiver {
    package struct Options: Hashable, Sendable {
        /// Starts again at the end, one second after the last moment.
        package var isLooping = false
        /// 1 is the receiver's own pace, 10 ten times as fast, infinity as fast as it is read.
        package var speed = 1.0
        /// Hangs up at the end; else the receiver stays, silent, until it is stopped.
        package var hangsUp = false

        package init(isLooping: Bool = false, speed: Double = 1, hangsUp: Bool = false) {
            precondition(speed > 0, "time must go on")
            self.isLooping = isLooping
            self.speed = speed
            self.hangsUp = hangsUp
        }
    }

    /// How play ended.
    package enum End: Hashable, Sendable {
        case hungUp
        case stopped
    }

    /// The path of the pty, or `HOST:PORT` of the fake gpsd.
    package let address: String
    /// The port of the fake gpsd; `nil` for a pty.
    package let port: UInt16?
    private let outlet: any FakeOutlet

    private init(address: String, port: UInt16?, outlet: any FakeOutlet) {
        self.address = address
        self.port = port
        self.outlet = outlet
    }

    deinit { outlet.close() }

    package static func onPTY() throws(SourceFault) -> FakeReceiver {
        let pty = try FakePTY()
        return FakeReceiver(address: pty.path, port: nil, outlet: pty)
    }

    /// A gpsd on loopback; port 0 takes a free one, and ``port`` tells which.
    package static func onGPSD(
        port: UInt16 = 0,
        handshake: FakeHandshake = FakeHandshake()
    ) throws(SourceFault) -> FakeReceiver {
        let gpsd = try FakeGPSD(port: port, handshake: handshake)
        let endpoint = Endpoint(host: ReceiverSpec.gpsdHost, port: gpsd.port)
        return FakeReceiver(address: "\(endpoint)", port: gpsd.port, outlet: gpsd)
    }

    /// Waits for the first reader, plays, and stays until stopped unless it hangs up.
    ///
    /// It ends early when the descriptor `stop` becomes readable. `script` makes the script, and is
    /// called once a round.
    package func play(
        options: Options = Options(),
        stop: Int32?,
        script: () throws(SourceFault) -> any FakeScript
    ) throws(SourceFault) -> End {
        defer { outlet.close() }
        var round = try script()
        guard outlet.waitForReader(stop: stop) else { return .stopped }
        var start = Monotonic.now
        let isPaced = options.speed.isFinite
        rounds: while true {
            var last: Int64?
            while let moment = try round.next() {
                let due = start + Self.scaled(moment.milliseconds, by: options.speed)
                guard outlet.wait(until: due, stop: stop) else { return .stopped }
                guard outlet.send(moment.bytes, isPaced: isPaced, stop: stop) else {
                    return .stopped
                }
                last = moment.milliseconds
            }
            guard options.isLooping, let last else { break rounds }
            start += Self.scaled(last + 1000, by: options.speed)
            // Without a pace there is nothing to keep while nobody listens.
            if !isPaced, !outlet.waitForReader(stop: stop) { return .stopped }
            round = try script()
        }
        if options.hangsUp {
            return outlet.drain(stop: stop) ? .hungUp : .stopped
        }
        _ = outlet.wait(until: nil, stop: stop)
        return .stopped
    }

    private static func scaled(_ milliseconds: Int64, by speed: Double) -> Int64 {
        guard speed.isFinite else { return 0 }
        let nanoseconds = Double(milliseconds) * 1e6 / speed
        // A year is as good as for ever, and fits.
        return Int64(min(nanoseconds, 3.2e16))
    }
}
