package import Positioning
package import Surefoot
import Tracks

/// What the bytes of a run cannot say, each entry with its place among them: `events.jsonl`.
package struct EventLog: Sendable {
    /// The settings in force, from the first line.
    package struct Settings: Sendable {
        package var line: LineSettings
        /// `nil`: found from the bytes.
        package var format: CaptureFormat?
        package var source: String
        package var name: String?

        package init(line: LineSettings, format: CaptureFormat?, source: String, name: String?) {
            self.line = line
            self.format = format
            self.source = source
            self.name = name
        }
    }

    /// One later line that steers the line when it is played again.
    package enum Entry: Hashable, Sendable {
        /// The source broke off.
        case interrupt(Gap.Cause)
        /// A clock told the line that so much receiver time had passed.
        case pass(UTC)
    }

    package var settings: Settings
    /// In the order of their offsets.
    package var entries: [(offset: Int64, entry: Entry)]

    // MARK: Writing

    package static func line(_ settings: Settings, at time: UTC) -> [UInt8] {
        var text = TextBuffer()
        text.text("{\"event\": \"settings\"")
        text.member("time", time)
        text.member("clock", "host")
        text.member("software", Version.software)
        text.member("source", settings.source)
        if let format = settings.format { text.member("format", format.rawValue) }
        if let name = settings.name { text.member("name", name) }
        if let floor = settings.line.notBefore {
            text.member("not_before", UTC(milliseconds: Int64(floor.daysSince1970) * 86_400_000))
        }
        if case .nearHostTime(let time) = settings.line.dateFallback {
            text.member("date_from_host", time)
        }
        if case .nearFileTime(let time) = settings.line.dateFallback {
            text.member("date_from_file", time)
        }
        text.member("unit", settings.line.unit.rawValue)
        text.member("bridge", settings.line.bridgesGaps)
        text.text("}\n")
        return text.bytes
    }

    package static func line(_ entry: Entry, offset: Int64, at time: UTC) -> [UInt8] {
        var text = TextBuffer()
        switch entry {
        case .interrupt(let cause):
            text.text("{\"event\": \"interrupt\"")
            text.member("cause", cause.rawValue)
        case .pass(let receiverTime):
            text.text("{\"event\": \"pass\"")
            text.member("receiver_time", receiverTime)
        }
        text.member("time", time)
        text.member("clock", "host")
        text.member("offset", offset)
        text.text("}\n")
        return text.bytes
    }

    // MARK: Reading

    /// Reads a log; a last line that is torn, and entries that are not known, are passed over.
    ///
    /// - Returns: `nil` if the settings are not there.
    package init?(parsing bytes: [UInt8]) {
        var settings: Settings?
        entries = []
        for row in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let value = JSONValue(parsing: row), let event = value["event"]?.string else {
                continue
            }
            if event == "settings" {
                settings = settings ?? Self.settings(value)
                continue
            }
            guard let offset = value["offset"]?.number, abs(offset) < 1e15 else { continue }
            if event == "interrupt", let text = value["cause"]?.string,
                let cause = Gap.Cause(rawValue: text)
            {
                entries.append((Int64(offset), .interrupt(cause)))
            } else if event == "pass", let text = value["receiver_time"]?.string,
                let time = UTC(rfc3339: text)
            {
                entries.append((Int64(offset), .pass(time)))
            }
        }
        guard let settings else { return nil }
        self.settings = settings
    }

    private static func settings(_ value: JSONValue) -> Settings {
        var line = LineSettings()
        if let floor = value["not_before"]?.string.flatMap(UTC.init(rfc3339:)) {
            line.notBefore = CivilDate(daysSince1970: floor.day)
        }
        if let time = value["date_from_host"]?.string.flatMap(UTC.init(rfc3339:)) {
            line.dateFallback = .nearHostTime(time)
        }
        if let time = value["date_from_file"]?.string.flatMap(UTC.init(rfc3339:)) {
            line.dateFallback = .nearFileTime(time)
        }
        line.unit = value["unit"]?.string.flatMap(LineSettings.Unit.init(rawValue:)) ?? .kilometer
        line.bridgesGaps = value["bridge"]?.bool ?? true
        return Settings(
            line: line,
            format: value["format"]?.string.flatMap(CaptureFormat.init(rawValue:)),
            source: value["source"]?.string ?? "",
            name: value["name"]?.string
        )
    }
}

extension UTC {
    /// Reads `2026-11-14T06:10:03.000Z`, just as this program writes it.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[10] == UInt8(ascii: "T"), bytes[23] == UInt8(ascii: "Z")
        else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                let digit = byte &- UInt8(ascii: "0")
                guard digit <= 9 else { return nil }
                value = value * 10 + Int(digit)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let millisecond = number(20..<23), hour < 24, minute < 60, second < 60,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let ofDay = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
        self.init(milliseconds: Int64(date.daysSince1970) * 86_400_000 + Int64(ofDay))
    }
}
