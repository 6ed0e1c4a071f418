/// Where a fake receiver sends: a pty, or the clients of a fake gpsd.
///
/// Every call ends when the descriptor `stop` becomes readable, and then says `false`.
protocol FakeOutlet: AnyObject {
    /// Waits until somebody listens.
    func waitForReader(stop: Int32?) -> Bool
    /// Whether somebody listens.
    func hasReader() -> Bool
    /// Sends to whoever listens; drops what nobody takes.
    ///
    /// Where `isPaced`, a reader too slow loses bytes, as on a real line; else it is waited for.
    func send(_ bytes: [UInt8], isPaced: Bool, stop: Int32?) -> Bool
    /// Waits, while readers come and go. A deadline of `nil` is never reached.
    func wait(until deadline: Int64?, stop: Int32?) -> Bool
    /// Gives readers a last chance to take what was sent, for a few seconds at most.
    func drain(stop: Int32?) -> Bool
    func close()
}
