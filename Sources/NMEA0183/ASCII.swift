enum ASCII {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space = UInt8(ascii: " ")
    static let dollar = UInt8(ascii: "$")
    static let exclamation = UInt8(ascii: "!")
    static let hash = UInt8(ascii: "#")
    static let asterisk = UInt8(ascii: "*")
    static let comma = UInt8(ascii: ",")
    static let point = UInt8(ascii: ".")
    static let minus = UInt8(ascii: "-")
    static let zero = UInt8(ascii: "0")

    @inline(always)
    static func isCapitalOrDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "A") < 26 || byte &- UInt8(ascii: "0") < 10
    }

    /// 0 to 15 for a digit of either case.
    @inline(always)
    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
