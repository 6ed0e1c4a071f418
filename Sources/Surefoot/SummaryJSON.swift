import Geodesy
import NMEA0183
import Positioning
import Running
package import Tracks

extension TextBuffer {
    /// All members of a summary, without the braces around them.
    package mutating func members(of summary: Summary) {
        member("schema", "surefoot.run/1")
        member("software", Version.software)
        member("source", summary.source)
        key("bytes")
        open("{")
        member("total", summary.byteCount)
        member("ubx", summary.bytes.ubx)
        member("noise", summary.bytes.noise)
        member("comment", summary.bytes.comment)
        close("}")
        if let sentences = summary.sentences {
            key("sentences")
            open("{")
            member("valid", sentences.valid)
            member("bad_checksum", sentences.badChecksum)
            member("no_checksum", sentences.noChecksum)
            member("cut_short", sentences.cutShort)
            member("too_long", sentences.tooLong)
            close("}")
        }
        if let reports = summary.reports {
            key("reports")
            open("{")
            member("valid", reports.valid)
            member("unknown_class", reports.unknownClass)
            member("cut_short", reports.cutShort)
            member("malformed", reports.malformed)
            close("}")
        }
        member("epochs", summary.epochs)
        key("fixes")
        open("{")
        member("accepted", summary.accepted)
        key("rejected")
        open("{")
        for reason in Rejection.allCases {
            guard let count = summary.rejected[reason] else { continue }
            separate()
            json(reason.rawValue)
            text(": ")
            integer(count)
        }
        close("}")
        close("}")
        member("outliers", summary.outliers)
        if let first = summary.first { place("first", first) }
        if let last = summary.last { place("last", last) }
        member("path_m", summary.pathLength, digits: 3)
        member("live_distance_m", summary.liveDistance, digits: 3)
        member("distance_m", summary.distance, digits: 3)
        member("bridge", summary.bridgesGaps)
        member("bridged_m", summary.bridged, digits: 3)
        member("elapsed_s", summary.elapsedTime, digits: 3)
        member("moving_s", summary.movingTime, digits: 3)
        member("pace_s_per_km", summary.pace, digits: 1)
        if let ascent = summary.ascent { member("ascent_m", ascent, digits: 1) }
        key("splits")
        open("[")
        for split in summary.splits {
            separate()
            object(split)
        }
        close("]")
        if let partial = summary.lastPartial {
            key("last_partial")
            object(partial)
        }
        key("laps")
        text("[]")
        member("segments", summary.segments)
        key("gaps")
        open("[")
        for gap in summary.gaps {
            separate()
            object(gap)
        }
        close("]")
        if let isTrusted = summary.isSpeedFieldTrusted {
            member("speed_field_trusted", isTrusted)
        }
        member("date_corrected", summary.isDateCorrected)
        key("flags")
        open("[")
        for flag in summary.flags {
            separate()
            json(flag.rawValue)
        }
        close("]")
    }

    private mutating func place(_ name: StaticString, _ fix: Fix) {
        key(name)
        open("{")
        member("time", fix.time)
        members(of: fix.coordinate)
        close("}")
    }

    package mutating func members(of coordinate: Coordinate) {
        key("lat")
        fixed(coordinate.nanodegreesNorth, digits: 9)
        key("lon")
        fixed(coordinate.nanodegreesEast, digits: 9)
    }

    package mutating func object(_ split: Split) {
        open("{")
        member("distance_m", split.distance, digits: 3)
        member("time_s", split.time, digits: 3)
        member("moving_s", split.movingTime, digits: 3)
        close("}")
    }

    private mutating func object(_ gap: Gap) {
        open("{")
        member("cause", gap.cause.rawValue)
        member("from", gap.from)
        member("to", gap.to)
        member("bridged_m", gap.bridged, digits: 3)
        close("}")
    }
}
