// swift-tools-version:6.0
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "SwiftObserver",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "SwiftObserver", targets: ["SwiftObserver"]),
        .library(name: "SwiftObserverDispatch", targets: ["SwiftObserverDispatch"]),
        .library(name: "SwiftObserverFoundation", targets: ["SwiftObserverFoundation"]),
        .library(name: "SwiftObserverObservation", targets: ["SwiftObserverObservation"]),
    ],
    targets: [
        .target(name: "CPlatform"),
        .target(name: "ObserverEngine", dependencies: ["CPlatform"]),
        .target(name: "SwiftObserver", dependencies: ["CPlatform", "ObserverEngine"]),
        .target(name: "SwiftObserverDispatch", dependencies: ["SwiftObserver"]),
        .target(name: "SwiftObserverFoundation", dependencies: ["SwiftObserver"]),
        .target(name: "SwiftObserverObservation", dependencies: ["SwiftObserver"]),
        .executableTarget(name: "vitals", dependencies: ["SwiftObserver"], path: "Sources/Vitals"),
        .target(
            name: "TestSupport", path: "Tests/TestSupport",
            exclude: ["abi.sh", "abi_tests.sh", "man.sh", "need.sh", "readme.py", "version.sh", "vitals"]),
        .testTarget(name: "ObserverEngineTests", dependencies: ["ObserverEngine", "TestSupport"]),
        .testTarget(name: "SwiftObserverTests", dependencies: ["SwiftObserver", "TestSupport", "vitals"]),
        .testTarget(name: "SwiftObserverDispatchTests", dependencies: ["SwiftObserverDispatch", "TestSupport"]),
        .testTarget(name: "SwiftObserverFoundationTests", dependencies: ["SwiftObserverFoundation", "TestSupport"]),
        .testTarget(name: "SwiftObserverObservationTests", dependencies: ["SwiftObserverObservation", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
