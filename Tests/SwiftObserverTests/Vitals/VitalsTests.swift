// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Runs the example program on recordings, and compares every byte.
@Suite struct VitalsTests {
    @Test func aRecordingIsShownExactlyAsExpected() throws {
        let result = try vitals("--proc", recordings + "/recording")
        #expect(result.output == (try text(of: "expected.txt")))
        #expect(result.errors == "")
        #expect(result.status == 0)
    }

    @Test func faultyFilesAreReportedAndTheOthersGoOn() throws {
        let result = try vitals("--proc", recordings + "/faulty")
        #expect(result.output == (try text(of: "faulty-expected.txt")))
        #expect(result.errors == (try text(of: "faulty-errors.txt")))
        #expect(result.status == 2)
    }

    @Test(arguments: [
        (["--interval", "x"], "--interval wants a positive number of milliseconds, not \"x\""),
        (["--interval", "0"], "--interval wants a positive number of milliseconds, not \"0\""),
        (["--seconds", "-1"], "--seconds wants a positive number of seconds, not \"-1\""),
        (["--seconds"], "a value is missing after \"--seconds\""),
        (["--colour"], "unknown option \"--colour\""),
        (["more"], "unexpected argument \"more\""),
    ])
    func aMistakeInTheArgumentsIsOneSentence(_ arguments: [String], _ sentence: String) throws {
        let result = try vitals(arguments)
        #expect(result.errors == "vitals: \(sentence)\n")
        #expect(result.output == "")
        #expect(result.status == 2)
    }

    @Test func helpIsPrintedAndIsNoMistake() throws {
        let result = try vitals("--help")
        #expect(result.output.hasPrefix("usage: vitals [--interval MILLISECONDS] [--seconds SECONDS] [--proc DIR]\n"))
        #expect(result.status == 0)
    }

    @Test func thisMachineIsWatchedForTheTimeAsked() throws {
        let result = try vitals("--interval", "10", "--seconds", "0.02")
        #expect(result.output.hasPrefix("cpu "))
        #expect(result.output.contains("source     sent  delivered  filtered  last\n"))
        #expect(result.status == 0)
    }

    private let recordings = "Tests/TestSupport/vitals"

    private func text(of name: String) throws -> String {
        try String(contentsOf: checkout.appending(path: "\(recordings)/\(name)"), encoding: .utf8)
    }

    private func vitals(_ arguments: String...) throws -> Result { try vitals(arguments) }

    private func vitals(_ arguments: [String]) throws -> Result {
        let process = Process()
        process.executableURL = products.appending(path: "vitals")
        process.arguments = arguments
        process.currentDirectoryURL = checkout
        let output = Pipe(), errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let written = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            output: String(decoding: written, as: UTF8.self), errors: String(decoding: complained, as: UTF8.self),
            status: process.terminationStatus)
    }

    private struct Result {
        let output: String
        let errors: String
        let status: Int32
    }
}

/// The top of the checkout.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// Where the build put this very program, and the others beside it.
let products = Bundle.main.executableURL!.resolvingSymlinksInPath().deletingLastPathComponent()
