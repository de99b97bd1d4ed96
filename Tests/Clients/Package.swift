// swift-tools-version:6.0
// SPDX-License-Identifier: MIT

import PackageDescription

// Programs as users write them, in the language mode that the environment asks for. No flags.
let package = Package(
    name: "Clients",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SwiftObserver", path: "../..")],
    targets: [
        .target(
            name: "Library",
            dependencies: [
                "SwiftObserver", .product(name: "SwiftObserverObservation", package: "SwiftObserver"),
            ]),
        .executableTarget(
            name: "OtherVocabularies",
            dependencies: [
                .product(name: "SteinsKit", package: "SwiftObserver"),
                .product(name: "MiniRex", package: "SwiftObserver"),
                .product(name: "Receiver", package: "SwiftObserver"),
            ]),
        .executableTarget(name: "Dropped", dependencies: ["SwiftObserver"]),
        .executableTarget(name: "MainActorOnly", dependencies: ["SwiftObserver"]),
        .executableTarget(
            name: "CrossingThreads",
            dependencies: [
                "SwiftObserver", .product(name: "SwiftObserverDispatch", package: "SwiftObserver"),
            ]),
        .executableTarget(
            name: "VersionFive", dependencies: [.product(name: "SwiftObserver5", package: "SwiftObserver")]),
    ],
    swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
