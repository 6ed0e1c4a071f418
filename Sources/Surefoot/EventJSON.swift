import Positioning
import Running
package import Tracks

extension TextBuffer {
    /// An event as one line of `--json-lines`; a point of the track is none.
    package mutating func line(_ event: borrowing Event) {
        switch event.kind {
        case .fix(let fix, let live):
            begin("fix", fix.time, event.offset)
            members(of: live.coordinate)
            member("alt_m", fix.altitude, digits: 2)
            member("speed_mps", live.speed, digits: 3)
            member("course_deg", fix.course, digits: 2)
            member("horizontal_accuracy_m", fix.horizontalAccuracy, digits: 2)
            member("distance_m", live.distance, digits: 3)
            member("pace_s_per_km", live.pace, digits: 1)
            member("moving", live.isMoving)
            if let satellites = live.satellites {
                if let used = satellites.used { counts("satellites_used", used) }
                if let inView = satellites.inView { counts("satellites_in_view", inView) }
            }
        case .rejected(let reason, let time, let coordinate):
            begin("rejected", time, event.offset)
            member("reason", reason.rawValue)
            if let coordinate { members(of: coordinate) }
        case .signalLost(let time):
            begin("signal", time, event.offset)
            member("state", "lost")
        case .signalRegained(let time):
            begin("signal", time, event.offset)
            member("state", "regained")
        case .gap(let cause, let from):
            begin("gap", from, event.offset)
            member("cause", cause.rawValue)
            member("from", from)
        case .gapEnd(let gap):
            begin("gap_end", gap.to, event.offset)
            member("cause", gap.cause.rawValue)
            member("to", gap.to)
            member("bridged_m", gap.bridged, digits: 3)
        case .split(let split, let number, let time):
            begin("split", time, event.offset)
            member("n", number)
            member("distance_m", split.distance, digits: 3)
            member("time_s", split.time, digits: 3)
            member("moving_s", split.movingTime, digits: 3)
        case .paused(let time): begin("paused", time, event.offset)
        case .resumed(let time): begin("resumed", time, event.offset)
        case .point: return
        }
        text("}\n")
    }

    /// An entry of `--samples`.
    package mutating func sample(_ fix: Fix, _ live: Live) {
        open("{")
        key("t")
        fixed(fix.time.milliseconds, digits: 3)
        members(of: live.coordinate)
        key("speed_mps")
        if let speed = live.speed { decimal(speed, digits: 3) } else { text("null") }
        member("pace_s_per_km", live.pace, digits: 1)
        member("distance_m", live.distance, digits: 3)
        member("moving", live.isMoving)
        member("horizontal_accuracy_m", fix.horizontalAccuracy, digits: 2)
        close("}")
    }

    private mutating func begin(_ event: StaticString, _ time: UTC?, _ offset: Int64) {
        text("{\"event\": \"")
        text(event)
        text("\"")
        if let time { member("time", time) }
        member("offset", offset)
    }

    private mutating func counts(_ name: StaticString, _ counts: SatelliteCounts) {
        key(name)
        open("{")
        member("gps", counts.gps)
        member("glonass", counts.glonass)
        member("galileo", counts.galileo)
        member("beidou", counts.beidou)
        member("qzss", counts.qzss)
        member("navic", counts.navic)
        member("sbas", counts.sbas)
        close("}")
    }
}
