import Glibc

/// A speed that a serial line can be set to.
struct LineSpeed: Hashable {
    /// As termios codes it.
    let code: speed_t

    /// - Parameter baud: Bits a second.
    init?(baud: Int) {
        let code: Int32? =
            switch baud {
            case 1200: B1200
            case 2400: B2400
            case 4800: B4800
            case 9600: B9600
            case 19200: B19200
            case 38400: B38400
            case 57600: B57600
            case 115_200: B115200
            case 230_400: B230400
            case 460_800: B460800
            case 921_600: B921600
            case 1_000_000: B1000000
            case 2_000_000: B2000000
            default: nil
            }
        guard let code else { return nil }
        self.code = speed_t(code)
    }
}
