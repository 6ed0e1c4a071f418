import Foundation
import Surefoot
import Testing

/// What an independent program or a document says of a capture.
///
/// Keys it does not have are not compared.
struct Expected: Decodable, Sendable {
    struct Place: Decodable, Sendable {
        var time: String
        var lat: Double?
        var lon: Double?
    }

    struct Span: Decodable, Sendable {
        var cause: String
        var from: String
        var to: String
    }

    var accepted: Int?
    var epochs: Int?
    var rejected: [String: Int]?
    var path: Double?
    var segments: Int?
    var sentences: [String: Int]?
    var gaps: [Span]?
    var isDateCorrected: Bool?
    var times: [String]?
    var satellitesUsed: [String: Int]?
    var satellitesInView: [String: Int]?
    var first: Place?
    var last: Place?
    var distanceAtMost: Double?
    var bridgedAtMost: Double?
    var reports: [String: Int]?

    enum CodingKeys: String, CodingKey {
        case accepted, epochs, rejected, segments, sentences, gaps, times, first, last, reports
        case path = "path_m"
        case isDateCorrected = "date_corrected"
        case satellitesUsed = "satellites_used"
        case satellitesInView = "satellites_in_view"
        case distanceAtMost = "distance_m_at_most"
        case bridgedAtMost = "bridged_m_at_most"
    }

    init(from decoder: any Swift.Decoder) throws {
        let box = try decoder.container(keyedBy: CodingKeys.self)
        accepted = try box.decodeIfPresent(Int.self, forKey: .accepted)
        epochs = try box.decodeIfPresent(Int.self, forKey: .epochs)
        rejected = try box.decodeIfPresent([String: Int].self, forKey: .rejected)
        path = try box.decodeIfPresent(Double.self, forKey: .path)
        segments = try box.decodeIfPresent(Int.self, forKey: .segments)
        sentences = try box.decodeIfPresent([String: Int].self, forKey: .sentences)
        gaps = try box.decodeIfPresent([Span].self, forKey: .gaps)
        isDateCorrected = try box.decodeIfPresent(Bool.self, forKey: .isDateCorrected)
        times = try box.decodeIfPresent([String].self, forKey: .times)
        satellitesUsed = try box.decodeIfPresent([String: Int].self, forKey: .satellitesUsed)
        satellitesInView = try box.decodeIfPresent([String: Int].self, forKey: .satellitesInView)
        first = try Self.place(in: box, .first)
        last = try Self.place(in: box, .last)
        distanceAtMost = try box.decodeIfPresent(Double.self, forKey: .distanceAtMost)
        bridgedAtMost = try box.decodeIfPresent(Double.self, forKey: .bridgedAtMost)
        reports = try box.decodeIfPresent([String: Int].self, forKey: .reports)
    }

    /// A place, or its time alone.
    private static func place(
        in box: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys
    ) throws -> Place? {
        if let time = try? box.decodeIfPresent(String.self, forKey: key) {
            return Place(time: time)
        }
        return try box.decodeIfPresent(Place.self, forKey: key)
    }
}

extension Expected {
    /// Holds a run against everything that is known of it.
    func compare(with run: Run, _ location: SourceLocation = #_sourceLocation) {
        let summary = run.summary
        if let accepted { #expect(summary.accepted == accepted, sourceLocation: location) }
        if let epochs { #expect(summary.epochs == epochs, sourceLocation: location) }
        if let rejected {
            let found = Dictionary(
                uniqueKeysWithValues: summary.rejected.map { ($0.key.rawValue, $0.value) }
            )
            #expect(found == rejected, sourceLocation: location)
        }
        if let path {
            #expect(abs(summary.pathLength - path) < 0.1, sourceLocation: location)
        }
        if let segments { #expect(summary.segments == segments, sourceLocation: location) }
        if let sentences, let found = summary.sentences {
            let named = [
                "valid": found.valid, "bad_checksum": found.badChecksum,
                "no_checksum": found.noChecksum, "cut_short": found.cutShort,
                "too_long": found.tooLong,
            ]
            #expect(named == sentences, sourceLocation: location)
        }
        if let gaps {
            let found = run.gaps.map { [$0.cause.rawValue, text($0.from), text($0.to)] }
            #expect(found == gaps.map { [$0.cause, $0.from, $0.to] }, sourceLocation: location)
        }
        if let isDateCorrected {
            #expect(summary.isDateCorrected == isDateCorrected, sourceLocation: location)
        }
        if let times {
            #expect(run.fixes.map { text($0.time) } == times, sourceLocation: location)
        }
        compare(first, with: summary.first, location)
        compare(last, with: summary.last, location)
        if let distanceAtMost {
            #expect(run.distance <= distanceAtMost, sourceLocation: location)
        }
        if let bridgedAtMost {
            #expect(summary.bridged <= bridgedAtMost, sourceLocation: location)
        }
        let satellites = run.live.last?.satellites
        if let satellitesUsed, let satellites {
            compare(satellitesUsed, with: satellites.used ?? SatelliteCounts(), location)
        }
        if let satellitesInView, let satellites {
            compare(satellitesInView, with: satellites.inView ?? SatelliteCounts(), location)
        }
    }

    private func compare(_ place: Place?, with fix: Fix?, _ location: SourceLocation) {
        guard let place else { return }
        #expect(fix.map { text($0.time) } == place.time, sourceLocation: location)
        guard let lat = place.lat, let lon = place.lon, let fix else { return }
        #expect(abs(fix.coordinate.latitude - lat) < 1e-7, sourceLocation: location)
        #expect(abs(fix.coordinate.longitude - lon) < 1e-7, sourceLocation: location)
    }

    private func compare(
        _ expected: [String: Int],
        with counts: SatelliteCounts,
        _ location: SourceLocation
    ) {
        let found: [String: Int] = [
            "gps": Int(counts.gps), "glonass": Int(counts.glonass),
            "galileo": Int(counts.galileo), "beidou": Int(counts.beidou),
            "qzss": Int(counts.qzss), "navic": Int(counts.navic), "sbas": Int(counts.sbas),
        ]
        #expect(
            found.filter { $0.value > 0 } == expected.filter { $0.value > 0 },
            sourceLocation: location
        )
    }
}

/// Another way to write a time than the program's own: by the C library.
func text(_ time: UTC) -> String {
    var seconds = time_t(time.milliseconds / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let clock = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
    return String(
        format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
        date[0],
        date[1],
        date[2],
        clock[0],
        clock[1],
        clock[2],
        Int(time.milliseconds % 1000)
    )
}

/// Settings as a command line would give them.
func settings(_ options: [String]) -> LineSettings {
    var settings = LineSettings()
    settings.talliesSatellites = true
    for (option, value) in zip(options, options.dropFirst()) {
        let parts = value.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { continue }
        let date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
        if option == "--not-before" { settings.notBefore = date }
        if option == "--date" { settings.dateFallback = date.map { .on($0) } }
    }
    return settings
}
