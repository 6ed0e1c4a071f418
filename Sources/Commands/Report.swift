import Positioning
import Surefoot
import Tracks

extension TextBuffer {
    /// A summary for people.
    mutating func report(_ summary: Summary) {
        row("Distance")
        decimal(summary.distance / 1000, digits: 3)
        text(" km\n")
        if let pace = summary.pace {
            row("Pace")
            clock(pace)
            text(" /km\n")
        }
        row("Moving")
        clock(summary.movingTime)
        text(" of ")
        clock(summary.elapsedTime)
        text("\n")
        for (i, split) in summary.splits.enumerated() {
            row(i == 0 ? "Splits" : "")
            integer(i + 1)
            text("  ")
            clock(split.time)
            text("\n")
        }
        row("Fixes")
        integer(summary.accepted)
        text(" accepted")
        for reason in Rejection.allCases {
            guard let count = summary.rejected[reason] else { continue }
            text(", ")
            integer(count)
            text(" ")
            string(reason.rawValue)
        }
        text("\n")
        for (i, gap) in summary.gaps.enumerated() {
            row(i == 0 ? "Gaps" : "")
            string(gap.cause.rawValue)
            text(" from ")
            time(gap.from)
            text(", ")
            clock(gap.to.seconds(since: gap.from))
            text(", ")
            decimal(gap.bridged, digits: 0)
            text(" m credited\n")
        }
    }

    private mutating func row(_ name: String) {
        string(name)
        spaces(max(1, 10 - name.count))
    }

    /// Seconds as `5:33` or `1:02:03`.
    mutating func clock(_ seconds: Double) {
        let total = Int(max(0, seconds).rounded())
        if total >= 3600 {
            integer(total / 3600)
            text(":")
            if total % 3600 / 60 < 10 { text("0") }
        }
        integer(total % 3600 / 60)
        text(":")
        if total % 60 < 10 { text("0") }
        integer(total % 60)
    }
}
