// swift-tools-version: 6.2
import PackageDescription

// Read this file as the map: a target may use only the targets listed above it.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "surefoot",
    products: [
        .library(name: "Surefoot", targets: ["Surefoot"]),
        .executable(name: "surefoot", targets: ["Commands"]),
    ],
    targets: [
        // C libraries of the system, and the small shims that make them fit for Swift.
        .target(name: "CGPS", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CXML2", linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),

        // The line, from the Earth to the track: values that compute, no clock, no file, no Foundation.
        .target(name: "Geodesy", swiftSettings: settings),
        .target(name: "Positioning", dependencies: ["Geodesy"], swiftSettings: settings),
        .target(
            name: "NMEA0183",
            dependencies: ["Geodesy", "Positioning"],
            swiftSettings: settings
        ),
        .target(
            name: "GPSD",
            dependencies: ["CGPS", "Geodesy", "Positioning"],
            swiftSettings: settings
        ),
        .target(
            name: "Running",
            dependencies: ["Geodesy", "Positioning"],
            swiftSettings: settings
        ),
        .target(
            name: "Tracks",
            dependencies: ["CXML2", "Geodesy", "Positioning"],
            swiftSettings: settings
        ),
        .target(
            name: "Surefoot",
            dependencies: ["Geodesy", "Positioning", "NMEA0183", "GPSD", "Running", "Tracks"],
            swiftSettings: settings
        ),

        // The rim: what waits, opens, sleeps or writes.
        .target(
            name: "SurefootAgent",
            dependencies: [
                "CZlib", "Geodesy", "Positioning", "GPSD", "Running", "Tracks", "Surefoot",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Commands",
            dependencies: ["Positioning", "GPSD", "Tracks", "Surefoot", "SurefootAgent"],
            swiftSettings: settings
        ),

        // Tests, one folder a target; LineTests replay whole captures.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .systemLibrary(
            name: "CGeodesic",
            path: "Tests/CGeodesic",
            providers: [.apt(["libproj-dev"])]
        ),
        .testTarget(
            name: "GeodesyTests",
            dependencies: ["CGeodesic", "Geodesy", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PositioningTests",
            dependencies: ["Geodesy", "Positioning", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NMEA0183Tests",
            dependencies: ["Geodesy", "Positioning", "NMEA0183", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RunningTests",
            dependencies: ["Geodesy", "Positioning", "Running"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TracksTests",
            dependencies: ["Geodesy", "Positioning", "Tracks", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LineTests",
            dependencies: ["Surefoot", "Tracks"],
            exclude: ["Cases.json"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GPSDTests",
            dependencies: ["GPSD", "Geodesy", "Positioning"],
            swiftSettings: settings
        ),

        .testTarget(
            name: "AgentTests",
            dependencies: ["CZlib", "SurefootAgent", "Commands"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Tests/Fuzz/fuzz.sh alone asks for it: it links with the library of a sanitizer.
if Context.environment["SUREFOOT_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CLibFuzzer", "Surefoot", "Tracks"],
            path: "Tests/Fuzz/Fuzz",
            swiftSettings: settings
        ),
    ]
}
