import Geodesy

/// What the smoother has settled, kept so that a scale found at the run's end still applies to all of it.
///
/// A checkpoint at least every 10 m; the spacing doubles when the table is full, so memory is bounded.
struct Ledger {
    struct Entry {
        /// Seconds since the run's first fix.
        var time = 0.0
        /// Meters with scale errors 0, and what a unit of each scale error would add.
        var run = 0.0
        var slow = 0.0
        var fast = 0.0
        /// Seconds.
        var moving = 0.0

        func meters(_ k: Scale) -> Double { run + k.slow * slow + k.fast * fast }
    }

    private(set) var total = Entry()
    private var entries: [Entry] = []
    private var spacing = 10.0
    private static let capacity = 4096

    init() { entries.reserveCapacity(Self.capacity) }

    mutating func begin() { entries.append(total) }

    mutating func add(_ entry: Entry, until time: Double) {
        total.time = time
        total.run += entry.run
        total.slow += entry.slow
        total.fast += entry.fast
        total.moving += entry.moving
        guard let last = entries.last, total.run - last.run >= spacing || entry.run > spacing else {
            return
        }
        if entries.count == Self.capacity {
            spacing *= 2
            var kept = 1
            for index in 1..<entries.count
            where entries[index].run - entries[kept - 1].run >= spacing {
                entries[kept] = entries[index]
                kept += 1
            }
            entries.removeLast(entries.count - kept)
        }
        entries.append(total)
    }

    /// Splits of `unit` meters by interpolated crossings, and the rest.
    func splits(unit: Double, scale: Scale) -> (full: [Split], partial: Split?) {
        var full: [Split] = []
        guard var a = entries.first else { return ([], nil) }
        var began = (time: a.time, moving: a.moving)
        var next = unit
        func visit(_ b: Entry) {
            let from = a.meters(scale), to = b.meters(scale)
            while to >= next, to > from {
                let share = (next - from) / (to - from)
                let time = a.time + share * (b.time - a.time)
                let moving = a.moving + share * (b.moving - a.moving)
                full.append(
                    Split(
                        distance: unit,
                        time: time - began.time,
                        movingTime: moving - began.moving
                    )
                )
                began = (time, moving)
                next += unit
            }
            a = b
        }
        for entry in entries.dropFirst() { visit(entry) }
        visit(total)
        let rest = total.meters(scale) - (next - unit)
        guard rest > 0 else { return (full, nil) }
        return (
            full,
            Split(
                distance: rest,
                time: total.time - began.time,
                movingTime: total.moving - began.moving
            )
        )
    }
}
