import CLibFuzzer
import Glibc
import Surefoot

/// `Fuzz nmea|gpsd|gpx [LIBFUZZER-ARGUMENT…]`; Tests/Fuzz/fuzz.sh builds and calls it.
@main
struct Fuzz {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let target = Target(rawValue: arguments[1]) else {
            print("usage: Fuzz nmea|gpsd|gpx [LIBFUZZER-ARGUMENT…]")
            exit(2)
        }
        // libFuzzer keeps the strings for as long as it runs.
        var pointers = ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) }
        var count = Int32(pointers.count)
        pointers.append(nil)
        let status = pointers.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &start, target.function)
        }
        exit(status)
    }
}

/// What is fed.
private enum Target: String {
    case nmea, gpsd, gpx

    var function: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 {
        switch self {
        case .nmea: { data, size in OneInput(data, size).check(as: .nmea) }
        case .gpsd: { data, size in OneInput(data, size).check(as: .gpsd) }
        case .gpx: { data, size in OneInput(data, size).checkAsGPX() }
        }
    }
}
