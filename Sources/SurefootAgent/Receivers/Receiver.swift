package import Surefoot

/// What one read gave.
package enum Reading: Hashable, Sendable {
    /// So many bytes, 1 or more.
    case bytes(Int)
    /// Nothing right now.
    case nothing
    /// The end of a file or of standard input; a live receiver never ends, it is lost.
    case ended
}

/// A source of bytes that is only listened to, never written to.
///
/// No call blocks; but ``open()`` of a host by name may wait for the resolver.
///
///     try receiver.open()
///     poll receiver.descriptor for receiver.events, at most until receiver.deadline
///     switch try receiver.read(into: buffer) { … }
///
/// After a fault: ``close()``, and ``open()`` again to retry. One thread owns it.
package protocol Receiver: AnyObject {
    /// `nil`: known from the first bytes only.
    var format: CaptureFormat? { get }
    /// What to poll; `nil` while closed, and for a regular file, which is always ready.
    var descriptor: Int32? { get }
    /// What to poll for, before ``read(into:)``: `POLLIN`, or `POLLOUT` while connecting.
    var events: Int16 { get }
    /// When to call ``read(into:)`` even if nothing happened, on `CLOCK_MONOTONIC` in nanoseconds.
    var deadline: Int64? { get }
    /// Whether it needs permission.
    var isLive: Bool { get }
    /// Whether it is on this host, so that it may be retried often.
    var isLocal: Bool { get }
    /// The full `--from` form.
    var spec: ReceiverSpec { get }

    func open() throws(SourceFault)
    /// Takes what is there.
    ///
    /// The buffer has room for 1 byte or more; 64 KiB holds any datagram.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Reading
    /// Gives everything back; may be called twice.
    func close()
}

extension Receiver {
    /// Whether a connect is under way: it may still be refused, by ``read(into:)``.
    package var isConnecting: Bool { deadline != nil }
}
