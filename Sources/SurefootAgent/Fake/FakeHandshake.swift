/// What a fake gpsd says before the reports: lines with their ends.
package struct FakeHandshake: Hashable, Sendable {
    /// On connect.
    package var version: [UInt8]
    /// In answer to `?WATCH`.
    package var watch: [UInt8]

    /// - Parameter device: The one device gpsd says it has; `nil` for none.
    package init(device: String? = "/dev/ttyACM0") {
        version = Array(
            #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
                .utf8
        )
        version += [0x0D, 0x0A]
        let entry = device.map {
            #"{"class":"DEVICE","path":"\#($0)","activated":"2026-01-01T00:00:00.000Z"}"#
        }
        watch = Array(#"{"class":"DEVICES","devices":[\#(entry ?? "")]}"#.utf8)
        watch += [0x0D, 0x0A]
        watch += Array(#"{"class":"WATCH","enable":true,"json":true,"nmea":false}"#.utf8)
        watch += [0x0D, 0x0A]
    }
}
