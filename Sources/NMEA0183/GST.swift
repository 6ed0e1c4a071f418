import Positioning

/// GNSS pseudorange error statistics.
struct GST {
    /// Milliseconds of the day.
    var time: Int32?
    /// DRMS in meters, from the standard deviations of latitude and longitude.
    var horizontalAccuracy: Double?

    init(_ fields: inout FieldCursor, in bytes: Span<UInt8>) {
        time = fields.time(in: bytes).value
        fields.skip(4, in: bytes)
        let latitude = fields.decimal(in: bytes).positive(atMost: Plausible.sigma)
        let longitude = fields.decimal(in: bytes).positive(atMost: Plausible.sigma)
        guard let latitude, let longitude else { return }
        horizontalAccuracy = Accuracy.from(sigmaLatitude: latitude, sigmaLongitude: longitude)
    }
}
