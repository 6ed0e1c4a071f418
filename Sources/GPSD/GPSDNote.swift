/// Something in a gpsd stream that is worth telling a person.
public enum GPSDNote: Hashable, Sendable {
    /// Reports of this device are used from here on.
    case deviceChosen(String)
    /// Another device reports too; nothing of it is used.
    case deviceIgnored(String)
    /// gpsd has closed the device in use, or knows it no more.
    case deviceGone(String)
    /// The daemon speaks a protocol that was not there when this was written; it is read all the
    /// same.
    case unknownProtocol(release: String, major: Int)
    /// gpsd complains.
    case error(String)
}
