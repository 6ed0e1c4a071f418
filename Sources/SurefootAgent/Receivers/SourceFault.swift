import Glibc

/// Why a source of bytes cannot be had, one case an obstacle.
package enum SourceFault: Error, Hashable {
    case noSuchDevice(path: String)
    case notASerialDevice(path: String)
    /// `group` owns the node and may read it; `nil` where no group helps.
    case deviceDenied(path: String, group: String?)
    /// `holder` is `nil` where it cannot be seen.
    case deviceHeld(path: String, holder: DeviceHolder?)
    case missingFile(path: String)
    case fileDenied(path: String)
    case isDirectory(path: String)
    /// A terminal line was given as a file.
    case isSerialDevice(path: String)
    case emptyFile(path: String)
    /// `isTruncated`: it ends too early; else its bytes are wrong.
    case gzipDamaged(path: String, isTruncated: Bool)
    case hostNotFound(host: String)
    case refused(Endpoint, isGPSD: Bool)
    /// No answer to the connect, in so many seconds.
    case noAnswer(Endpoint, seconds: Int)
    case unreachable(Endpoint, errno: Int32)
    case portInUse(port: UInt16)
    case portDenied(port: UInt16)
    /// A live receiver hung up; `errno` is 0 where it just ended.
    case disconnected(source: String, errno: Int32)
    case severalDevices(paths: [String])
    /// Nothing to record from; a gpsd without a device may be there.
    case noReceiver(gpsdAnswers: Bool)
    /// Any other call that failed.
    case failed(call: String, path: String, errno: Int32)

    package var exitStatus: Int32 {
        switch self {
        case .deviceDenied, .portDenied: 5
        case .noSuchDevice, .notASerialDevice, .deviceHeld, .hostNotFound, .refused, .noAnswer,
            .unreachable, .portInUse, .disconnected, .severalDevices, .noReceiver:
            6
        case .missingFile, .fileDenied, .isDirectory, .isSerialDevice, .emptyFile, .gzipDamaged,
            .failed:
            1
        }
    }

    /// What stands in the way, and the next step.
    package var message: String {
        switch self {
        case .noSuchDevice(let path):
            "Cannot open \(path): there is no such device. Plug the receiver in, then try again."
        case .notASerialDevice(let path):
            "Cannot open \(path): it is not a serial device. Name one such as /dev/ttyACM0; "
                + "a capture is given as a plain file name."
        case .deviceDenied(let path, let group?):
            "Cannot open \(path): permission denied. Add yourself to group \(group) "
                + "(sudo usermod -aG \(group) $USER), then log in again."
        case .deviceDenied(let path, nil):
            "Cannot open \(path): permission denied. Let your user read it "
                + "(sudo chmod a+r \(path)), or add a udev rule for it."
        case .deviceHeld(let path, let holder?):
            "Cannot open \(path): \(holder) holds it. "
                + (holder.name == "gpsd"
                    ? "Record with --from gpsd, or stop gpsd first."
                    : "End that program first, then try again.")
        case .deviceHeld(let path, nil):
            "Cannot open \(path): another program holds it. Find it with “sudo fuser -v \(path)” "
                + "and end it, then try again."
        case .disconnected(let source, let code):
            "Lost \(source)\(Self.reason(code)). Check its cable or its host, then try again."
        case .severalDevices(let paths):
            "Several receivers are there: \(paths.joined(separator: ", ")). "
                + "Choose one with --from serial:\(paths.first ?? "PATH")."
        case .noReceiver(let gpsdAnswers):
            (gpsdAnswers
                ? "No receiver found: gpsd answers but has no device, "
                : "No receiver found: gpsd does not answer on 127.0.0.1:2947, ")
                + "and there is no /dev/ttyACM* or /dev/ttyUSB*. "
                + "Plug a receiver in, or name one with --from."
        case .failed(let call, let path, let code):
            "Cannot use \(path): \(call) failed\(Self.reason(code)). Check it, then try again."
        case .missingFile, .fileDenied, .isDirectory, .isSerialDevice, .emptyFile, .gzipDamaged:
            fileMessage
        case .hostNotFound, .refused, .noAnswer, .unreachable, .portInUse, .portDenied:
            networkMessage
        }
    }

    private var fileMessage: String {
        switch self {
        case .missingFile(let path):
            "Cannot open \(path): there is no such file. Check the name."
        case .fileDenied(let path):
            "Cannot open \(path): permission denied. Let your user read it (chmod u+r), then "
                + "try again."
        case .isDirectory(let path):
            "Cannot read \(path): it is a directory. Name a capture file in it."
        case .isSerialDevice(let path):
            "Cannot read \(path) as a file: it is a device. Use --from serial:\(path)."
        case .emptyFile(let path):
            "\(path) is empty: there is nothing to read. Record it again, or name another file."
        case .gzipDamaged(let path, true):
            "\(path) ends too early: the gzip data is cut short. What came before the cut was "
                + "read; fetch the file again for the rest."
        case .gzipDamaged(let path, false):
            "\(path) is damaged: the gzip data is not sound. What came before the damage was "
                + "read; fetch the file again for the rest."
        default: ""
        }
    }

    private var networkMessage: String {
        switch self {
        case .hostNotFound(let host):
            "Cannot find the host \(host). Check the name and the network, or give its address."
        case .refused(let endpoint, isGPSD: true):
            "gpsd does not answer on \(endpoint): start it with “sudo systemctl start gpsd”, or "
                + "plug a receiver in and use --from serial:PATH."
        case .refused(let endpoint, isGPSD: false):
            "Nothing listens on \(endpoint). Start the program that sends there, or check the port."
        case .noAnswer(let endpoint, let seconds):
            "\(endpoint) does not answer in \(seconds) s. Check that the host is on and reachable."
        case .unreachable(let endpoint, let code):
            "Cannot reach \(endpoint)\(Self.reason(code)). Check the network, then try again."
        case .portInUse(let port):
            "Cannot listen on UDP port \(port): another program does. End it, or use another port."
        case .portDenied(let port):
            "Cannot listen on UDP port \(port): permission denied. Use a port of 1024 or above."
        default: ""
        }
    }

    private static func reason(_ code: Int32) -> String {
        guard code != 0, let text = strerror(code) else { return "" }
        return ": " + String(cString: text)
    }
}
