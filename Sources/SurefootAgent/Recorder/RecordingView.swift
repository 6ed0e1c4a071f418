package import GPSD
package import Surefoot

/// What a recording tells whoever watches it, and the keys they press.
package protocol RecordingView: AnyObject {
    /// Where keys come from; `nil` without a keyboard.
    var keys: Int32? { get }
    /// Takes the keys that wait.
    ///
    /// - Returns: whether one of them ends the run.
    func takeKeys() -> Bool
    func begin(folder: String, isLive: Bool)
    func device(_ state: DeviceState, _ path: String, reason: String?)
    func show(_ event: borrowing Event)
    /// Something about gpsd's stream that a person should know.
    func tell(_ note: GPSDNote)
    /// All events of this turn were shown.
    func turn()
    /// Something is wrong; the message names the next step.
    func fail(_ code: FaultCode, _ message: String)
    /// The run is over; `isSaved`: its track and summary are on disk.
    func end(_ summary: Summary, isSaved: Bool)
}

/// What kind of thing is wrong, for programs that read the events.
package enum FaultCode: String, Sendable {
    /// The source cannot be had.
    case source
    /// Something cannot be written.
    case disk
    /// What the source sends is nothing this program reads.
    case unreadable
    /// A library of the system is missing.
    case library
}

/// What is known of the receiver.
package enum DeviceState: String, Sendable {
    case ready, noDevice, restricted
}
