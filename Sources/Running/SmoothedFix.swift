package import Geodesy
package import Positioning

/// An accepted fix after smoothing, in the order the fixes came.
package struct SmoothedFix: Sendable {
    package var time: UTC
    package var coordinate: Coordinate
}
