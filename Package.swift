// swift-tools-version:6.0
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "SwiftObserver",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "SwiftObserver", targets: ["SwiftObserver"])
    ],
    targets: [
        .target(name: "CPlatform"),
        .target(name: "ObserverEngine", dependencies: ["CPlatform"]),
        .target(name: "SwiftObserver", dependencies: ["ObserverEngine"]),
    ],
    swiftLanguageModes: [.v6]
)
