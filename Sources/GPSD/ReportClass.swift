/// The classes of reports that gpsd sends.
enum ReportClass {
    case tpv, sky, gst, version, devices, device, error
    /// Known, and without anything for a fix.
    case other

    init?(_ text: Span<UInt8>, _ name: Range<Int>) {
        func `is`(_ other: StaticString) -> Bool { text.holds(other, at: name) }
        if `is`("TPV") {
            self = .tpv
        } else if `is`("SKY") {
            self = .sky
        } else if `is`("GST") {
            self = .gst
        } else if `is`("VERSION") {
            self = .version
        } else if `is`("DEVICES") {
            self = .devices
        } else if `is`("DEVICE") {
            self = .device
        } else if `is`("ERROR") {
            self = .error
        } else if Self.others.contains(where: { text.holds($0, at: name) }) {
            self = .other
        } else {
            return nil
        }
    }

    private static let others: [StaticString] = [
        "WATCH", "ATT", "IMU", "POLL", "TOFF", "PPS", "OSC", "RAW", "SUBFRAME", "AIS", "RTCM2",
        "RTCM3",
    ]
}
