// swift-tools-version:6.0
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "SwiftObserver", path: "../../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    ],
    targets: [
        .target(name: "CMeasure"),
        .target(name: "CAllocations"),
        .target(
            name: "Contestants",
            dependencies: [
                "CMeasure", "SwiftObserver", "OpenCombine",
                .product(name: "SwiftObserver5", package: "SwiftObserver"),
                .product(name: "SteinsKit", package: "SwiftObserver"),
                .product(name: "MiniRex", package: "SwiftObserver"),
                .product(name: "Receiver", package: "SwiftObserver"),
            ]),
        .executableTarget(name: "bench", dependencies: ["CMeasure", "Contestants"]),
        .executableTarget(name: "allocations", dependencies: ["CAllocations", "CMeasure", "Contestants"]),
    ],
    swiftLanguageModes: [.v6]
)
