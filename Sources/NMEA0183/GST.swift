import Positioning

/// GNSS pseudorange error statistics.
struct GST {
    /// Milliseconds of the day.
    var time: Int32?
    /// DRMS in meters, from the standard deviations of latitude and longitude.
    var horizontalAccuracy: Double?

    init(_ fields: inout FieldCursor, _ repeats: inout Repeats, in bytes: Span<UInt8>) {
        time = repeats.time(&fields, in: bytes).value
        fields.skip(4, in: bytes)
        let latitude = fields.positive(atMost: Plausible.sigma, in: bytes)
        let longitude = fields.positive(atMost: Plausible.sigma, in: bytes)
        guard let latitude, let longitude else { return }
        horizontalAccuracy = Accuracy.from(sigmaLatitude: latitude, sigmaLongitude: longitude)
    }
}
