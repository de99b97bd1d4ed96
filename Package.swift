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
        .library(name: "SwiftObserver5", targets: ["SwiftObserver5"]),
        .library(name: "SteinsKit", targets: ["SteinsKit"]),
        .library(name: "MiniRex", targets: ["MiniRex"]),
        .library(name: "Receiver", targets: ["Receiver"]),
    ],
    targets: [
        .target(name: "CPlatform"),
        .target(name: "ObserverEngine", dependencies: ["CPlatform"]),
        .target(name: "SwiftObserver", dependencies: ["CPlatform", "ObserverEngine"]),
        .target(name: "SwiftObserverDispatch", dependencies: ["SwiftObserver"]),
        .target(name: "SwiftObserverFoundation", dependencies: ["SwiftObserver"]),
        .target(name: "SwiftObserverObservation", dependencies: ["SwiftObserver"]),
        .target(name: "SwiftObserver5", dependencies: ["CPlatform", "ObserverEngine"]),
        .target(name: "SteinsKit", dependencies: ["CPlatform", "ObserverEngine"]),
        .target(name: "MiniRex", dependencies: ["CPlatform", "ObserverEngine"]),
        .target(name: "Receiver", dependencies: ["CPlatform", "ObserverEngine"]),
        .target(
            name: "TestSupport", path: "Tests/TestSupport",
            exclude: [
                "abi.sh", "abi_tests.sh", "add_operator.py", "architecture.sh", "articles.py", "compilers.sh",
                "goals.py", "house.py",
                "laws.py",
                "man",
                "man.sh", "names.py", "need.sh", "part.sh",
                "pythons.sh", "readme.py", "relay_lines.py", "rooms.py", "showing.sh", "showing_tests.sh",
                "spreadsheet.txt", "stores.sh",
                "strict.sh", "symbols.sh",
                "version.sh", "vitals",
                "watchdog.sh",
            ]),
        .testTarget(name: "ObserverEngineTests", dependencies: ["CPlatform", "ObserverEngine", "TestSupport"]),
        .testTarget(name: "SwiftObserverTests", dependencies: ["SwiftObserver", "TestSupport"]),
        .testTarget(name: "SwiftObserverDispatchTests", dependencies: ["SwiftObserverDispatch", "TestSupport"]),
        .testTarget(name: "SwiftObserverFoundationTests", dependencies: ["SwiftObserverFoundation", "TestSupport"]),
        .testTarget(name: "SwiftObserverObservationTests", dependencies: ["SwiftObserverObservation", "TestSupport"]),
        .testTarget(name: "SwiftObserver5Tests", dependencies: ["SwiftObserver5", "TestSupport"]),
        .testTarget(name: "SteinsKitTests", dependencies: ["SteinsKit", "TestSupport"]),
        .testTarget(name: "MiniRexTests", dependencies: ["MiniRex", "TestSupport"]),
        .testTarget(name: "ReceiverTests", dependencies: ["Receiver", "TestSupport"]),
        // One suite of the laws over all five vocabularies.
        .testTarget(
            name: "VocabularyTests",
            dependencies: ["SwiftObserver", "SwiftObserver5", "SteinsKit", "MiniRex", "Receiver", "TestSupport"],
            exclude: ["Laws.md"]),
    ],
    swiftLanguageModes: [.v6]
)

// Relays: made of what Linux has, and of libmosquitto, which is loaded when a relay connects.
#if os(Linux)
    package.products.append(.library(name: "SwiftObserverRelay", targets: ["SwiftObserverRelay"]))
    package.targets += [
        .target(name: "CRelay"),
        .target(name: "ObserverRelay", dependencies: ["CRelay"]),
        .target(name: "SwiftObserverRelay", dependencies: ["ObserverRelay", "SwiftObserver"]),
        .executableTarget(
            name: "machine", dependencies: ["SwiftObserverRelay"], path: "bindings/demo/machine",
            exclude: ["machine.c", "machine.py"]),
        .testTarget(name: "SwiftObserverRelayTests", dependencies: ["SwiftObserverRelay", "TestSupport"]),
    ]
#endif
