// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Runs the example program on a recording, and compares every byte. `Tests/C/vitals_tests.sh` puts it to the test
/// thoroughly.
@Suite struct VitalsTests {
    @Test func aRecordingIsShownExactlyAsExpected() throws {
        let process = Process(), output = Pipe()
        process.executableURL = products.appending(path: "vitals")
        process.arguments = ["--proc", "Tests/TestSupport/vitals/recording"]
        process.currentDirectoryURL = checkout
        process.standardOutput = output
        try process.run()
        let written = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let expected = checkout.appending(path: "Tests/TestSupport/vitals/expected.txt")
        #expect(try written == String(contentsOf: expected, encoding: .utf8))
        #expect(process.terminationStatus == 0)
    }
}

/// The top of the checkout.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// Where the build put this very program, and the others beside it.
let products = Bundle.main.executableURL!.resolvingSymlinksInPath().deletingLastPathComponent()
