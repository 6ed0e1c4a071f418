package import Positioning

/// Keeps which satellites are used and in view, from GSA and GSV.
///
/// GSV groups of one constellation are kept by signal and joined by satellite, so that a satellite
/// heard on three signals counts once.
package struct SatelliteTally: Sendable {
    private enum System: Int, CaseIterable {
        case gps, glonass, galileo, beidou, qzss, navic, sbas
    }

    /// A set of satellite numbers within one constellation, 0 to 127.
    private struct Numbers {
        var low: UInt64 = 0
        var high: UInt64 = 0

        var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

        mutating func insert(_ number: Int) {
            if number < 64 { low |= 1 << UInt64(number) } else { high |= 1 << UInt64(number & 63) }
        }

        mutating func formUnion(_ other: Numbers) {
            low |= other.low
            high |= other.high
        }
    }

    private static let signals = 16
    private var used = [Numbers](repeating: Numbers(), count: System.allCases.count)
    private var usedCycle = [Int](repeating: -1, count: System.allCases.count)
    private var inView = [Numbers](repeating: Numbers(), count: System.allCases.count * signals)
    private var hasUsed = false
    private var hasInView = false
    /// Counts epochs, to tell a constellation's second GSA of one cycle from the next cycle's first.
    private var cycle = 0

    package init() {}

    package var satellites: Satellites {
        var result = Satellites()
        var used = SatelliteCounts()
        var inView = SatelliteCounts()
        for system in System.allCases {
            var heard = Numbers()
            for signal in 0..<Self.signals {
                heard.formUnion(self.inView[system.rawValue * Self.signals + signal])
            }
            used[keyPath: Self.path(system)] = UInt8(self.used[system.rawValue].count)
            inView[keyPath: Self.path(system)] = UInt8(heard.count)
        }
        if hasUsed { result.used = used }
        if hasInView { result.inView = inView }
        return result
    }

    mutating func startCycle() {
        cycle += 1
    }

    mutating func take(_ gsa: GSA, talker: UInt16) {
        hasUsed = true
        let system = gsa.system.flatMap(Self.system(id:)) ?? Self.system(talker: talker)
        if let system { openUsed(system) }
        for i in gsa.numbers.indices where gsa.numbers[i] > 0 {
            let (own, number) = Self.place(gsa.numbers[i], in: system)
            openUsed(own)
            used[own.rawValue].insert(number)
        }
    }

    mutating func take(_ gsv: GSV, talker: UInt16) {
        hasInView = true
        let system = Self.system(talker: talker)
        let signal = gsv.signal & (Self.signals - 1)
        if gsv.index == 1 {
            for other in System.allCases where system == nil || system == other || other == .sbas {
                if other == .sbas, system != nil, system != .gps { continue }
                inView[other.rawValue * Self.signals + signal] = Numbers()
            }
        }
        for i in gsv.numbers.indices where gsv.numbers[i] > 0 {
            let (own, number) = Self.place(gsv.numbers[i], in: system)
            inView[own.rawValue * Self.signals + signal].insert(number)
        }
    }

    private mutating func openUsed(_ system: System) {
        guard usedCycle[system.rawValue] != cycle else { return }
        usedCycle[system.rawValue] = cycle
        used[system.rawValue] = Numbers()
    }

    private static func system(id: Int) -> System? {
        switch id {
        case 1: .gps
        case 2: .glonass
        case 3: .galileo
        case 4: .beidou
        case 5: .qzss
        case 6: .navic
        default: nil
        }
    }

    /// `nil` for `GN`, which speaks of all.
    private static func system(talker: UInt16) -> System? {
        switch talker {
        case Talker.gp: .gps
        case Talker.gl: .glonass
        case Talker.ga: .galileo
        case Talker.gb, Talker.bd: .beidou
        case Talker.gq, Talker.qz: .qzss
        case Talker.gi: .navic
        default: nil
        }
    }

    /// Where a number belongs: NMEA 4.11 gives each system its range, and older receivers mix them
    /// under `GP` or `GN`.
    private static func place(_ number: Int, in system: System?) -> (System, Int) {
        switch (system, number) {
        case (.gps, 33...64), (nil, 33...64): (.sbas, number - 33)
        case (.gps, 120...158), (nil, 120...158): (.sbas, number - 87 - 33)
        case (.gps, 65...99), (nil, 65...99): (.glonass, number - 65)
        case (.glonass, 65...128): (.glonass, number - 65)
        case (.gps, 193...202), (nil, 193...202): (.qzss, number - 192)
        case (.qzss, 193...202): (.qzss, number - 192)
        case (.gps, 201...264), (nil, 201...264): (.beidou, number - 200)
        case (.beidou, 201...264): (.beidou, number - 200)
        case (.gps, 301...336), (nil, 301...336): (.galileo, number - 300)
        case (.galileo, 301...336): (.galileo, number - 300)
        case (.beidou, 401...437), (nil, 401...437): (.beidou, number - 400)
        default: (system ?? .gps, number & 127)
        }
    }

    private static func path(_ system: System) -> WritableKeyPath<SatelliteCounts, UInt8> {
        switch system {
        case .gps: \.gps
        case .glonass: \.glonass
        case .galileo: \.galileo
        case .beidou: \.beidou
        case .qzss: \.qzss
        case .navic: \.navic
        case .sbas: \.sbas
        }
    }
}

/// Two letters of a talker, as they stand in memory.
enum Talker {
    static let gp = code("G", "P"), gl = code("G", "L"), ga = code("G", "A")
    static let gb = code("G", "B"), bd = code("B", "D"), gq = code("G", "Q")
    static let qz = code("Q", "Z"), gi = code("G", "I")

    static func code(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt16 {
        UInt16(UInt8(ascii: first)) << 8 | UInt16(UInt8(ascii: second))
    }
}
