/// Chooses one of the devices that report through one gpsd, and keeps to it.
///
/// The first with a fix is chosen, until gpsd closes it or starts anew. Before one has a fix, the
/// first that is heard of stands in for it.
struct DeviceChoice {
    enum Judgement {
        /// It is the one in use.
        case same
        /// It is in use from here on: forget what the one before said.
        case another
        case ignore
    }

    /// Most notes and most names of ignored devices kept.
    static let most = 256
    /// Protocol versions that were read before: 3, that of 3.27 to 3.27.2, and 16 of later ones.
    static let knownProtocols = [0, 3, 16]

    private(set) var chosen: String?
    /// Reports to it until one is chosen.
    private var heard: String?
    /// The stream that `chosen` was chosen in has ended.
    private var isOpenAnew = false
    /// In use before gpsd forgot it.
    private var previous: String?
    private var ignored: [String] = []
    private var notes: [GPSDNote] = []

    mutating func judge(_ device: String?, hasFix: Bool) -> Judgement {
        // Reports that name no device belong to the one in use.
        guard let device else { return .same }
        if let chosen, !isOpenAnew {
            if device == chosen { return .same }
            if !ignored.contains(device), ignored.count < Self.most {
                ignored.append(device)
                note(.deviceIgnored(device))
            }
            return .ignore
        }
        let before = heard ?? chosen ?? previous
        let isAnother = before != nil && before != device
        if hasFix {
            if chosen != device { note(.deviceChosen(device)) }
            chosen = device
            isOpenAnew = false
            heard = nil
            ignored.removeAll()
            return isAnother ? .another : .same
        }
        if let heard, heard != device { return .ignore }
        heard = device
        return isAnother ? .another : .same
    }

    mutating func daemonStarted(release: String, major: Int?) {
        forget()
        if let major, !Self.knownProtocols.contains(major) {
            note(.unknownProtocol(release: release, major: major))
        }
    }

    /// Leaves the device in use if it is gone.
    ///
    /// - Returns: whether it was.
    mutating func leave(_ isGone: (String) -> Bool) -> Bool {
        guard let device = chosen ?? heard, isGone(device) else { return false }
        if chosen != nil { note(.deviceGone(device)) }
        forget()
        return true
    }

    /// The stream ended: another may bring another device, and ``chosen`` stays to be told.
    mutating func streamEnded() {
        heard = nil
        isOpenAnew = true
        ignored.removeAll()
    }

    mutating func note(_ note: GPSDNote) {
        if notes.count < Self.most { notes.append(note) }
    }

    mutating func takeNotes() -> [GPSDNote] {
        defer { notes.removeAll() }
        return notes
    }

    private mutating func forget() {
        previous = chosen ?? previous
        chosen = nil
        heard = nil
        isOpenAnew = false
        ignored.removeAll()
    }
}
