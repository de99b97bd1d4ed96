// swift-tools-version:6.0
// SPDX-License-Identifier: MIT

import PackageDescription

/// The runner says so where the package of OpenCombine cannot be had.
let isWithout = Context.environment["BENCH_WITHOUT_OPENCOMBINE"] != nil
let flags: [SwiftSetting] = isWithout ? [] : [.define("WITH_OPENCOMBINE")]
let openCombine: [Package.Dependency] =
    isWithout ? [] : [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")]
let openCombineProduct: [Target.Dependency] = isWithout ? [] : ["OpenCombine"]

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "SwiftObserver", path: "../../..")] + openCombine,
    targets: [
        .target(name: "CMeasure"),
        .target(name: "CAllocations"),
        .target(
            name: "Contestants",
            dependencies: [
                "CMeasure", "SwiftObserver",
                .product(name: "SwiftObserver5", package: "SwiftObserver"),
                .product(name: "SteinsKit", package: "SwiftObserver"),
                .product(name: "MiniRex", package: "SwiftObserver"),
                .product(name: "Receiver", package: "SwiftObserver"),
            ] + openCombineProduct, swiftSettings: flags),
        .executableTarget(name: "bench", dependencies: ["CMeasure", "Contestants"], swiftSettings: flags),
        .executableTarget(name: "cost", dependencies: ["CMeasure", "Contestants"]),
        .executableTarget(name: "allocations", dependencies: ["CAllocations", "CMeasure", "Contestants"]),
    ],
    swiftLanguageModes: [.v6]
)
