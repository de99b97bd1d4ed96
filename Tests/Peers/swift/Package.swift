// swift-tools-version:6.0
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "Peers",
    dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
    targets: [.executableTarget(name: "opencombine", dependencies: ["OpenCombine"])],
    swiftLanguageModes: [.v5]
)
