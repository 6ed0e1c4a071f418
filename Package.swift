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
        .testTarget(
            name: "PositioningTests",
            dependencies: ["Geodesy", "Positioning"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RunningTests",
            dependencies: ["Geodesy", "Positioning", "Running"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TracksTests",
            dependencies: ["Geodesy", "Positioning", "Tracks"],
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
            dependencies: ["CZlib", "SurefootAgent"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
