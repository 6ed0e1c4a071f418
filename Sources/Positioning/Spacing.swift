/// Learns the usual time between two epochs of a receiver: the median of the latest few.
package struct Spacing: Sendable {
    /// Seconds, above 0; `nil` until two epochs were seen.
    package private(set) var learned: Double?

    private var recent: InlineArray<15, Double> = .init(repeating: 0)
    private var count = 0
    private var next = 0
    private var last: UTC?

    package init() {}

    /// Takes the time of the next epoch.
    ///
    /// Times that do not advance teach nothing.
    package mutating func learn(_ time: UTC) {
        defer { last = max(last ?? time, time) }
        guard let last, time > last else { return }
        let spacing = time.seconds(since: last)
        recent[next] = spacing
        next = next + 1 == recent.count ? 0 : next + 1
        count = min(count + 1, recent.count)
        if learned != spacing { learned = median() }
    }

    /// Receiver time stepped: what was learned stands, the step itself is no spacing.
    package mutating func restart() {
        last = nil
    }

    private func median() -> Double {
        var sorted = recent
        for i in 1..<max(1, count) {
            let value = sorted[i]
            var j = i
            while j > 0, sorted[j - 1] > value {
                sorted[j] = sorted[j - 1]
                j -= 1
            }
            sorted[j] = value
        }
        return sorted[(count - 1) / 2]
    }
}
