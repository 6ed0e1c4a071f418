/// Adds up climbing, in meters: a rise counts once it is 5 m above the last valley.
struct Ascent {
    private(set) var total = 0.0
    private var smooth: Double?
    private var low = 0.0
    private var high = 0.0
    private let hysteresis = 5.0

    mutating func step(altitude: Double, after seconds: Double) {
        guard let old = smooth else {
            (smooth, low, high) = (altitude, altitude, altitude)
            return
        }
        let new = old + (altitude - old) * min(1, seconds / 10)
        smooth = new
        if new > high {
            // Within a climb that already counts, every meter counts.
            if high - low >= hysteresis {
                total += new - high
            } else if new - low >= hysteresis {
                total += new - low
            }
            high = new
        } else if new < high - hysteresis || new < low {
            (low, high) = (new, new)
        }
    }
}
