// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserverRelay
import Testing

/// Where the relays of the tests meet: in memory, or, with `SWO_RELAY_ENGINE=mqtt`, at a real broker.
let meeting = isWithBrokers ? shared.address : "memory:SwiftObserverRelayTests"

/// Whether a mosquitto is to be there.
let isWithBrokers = ProcessInfo.processInfo.environment["SWO_RELAY_ENGINE"] == "mqtt"

private let shared = try! Broker()

/// A mosquitto on a free port of the loopback. It ends with this process, whatever becomes of that.
///
/// - Note: `@unchecked Sendable`: each is used by one test.
final class Broker: @unchecked Sendable {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swo-\(UUID().uuidString)")
    let port = freePort()
    var address: String { "mqtt://127.0.0.1:\(port)" }
    private var process: Process?
    private var lifeline = Pipe()

    /// - Parameters:
    ///   - configuration: more lines of it. `%` stands for the broker's folder.
    ///   - command: makes files that these name.
    init(_ configuration: String = "allow_anonymous true", preparedBy command: String = "true") throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lines = "listener \(port) 127.0.0.1\nuser root\n" + configuration + "\n"
        try lines.replacing("%", with: folder.path).write(
            to: folder.appending(path: "broker.conf"), atomically: true, encoding: .utf8)
        let preparing = shell("{ set -e; \(command)\n} 2> %/log", input: FileHandle.nullDevice)
        try preparing.run()
        preparing.waitUntilExit()
        #expect(preparing.terminationStatus == 0, "\(command)")
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    func start() throws {
        lifeline = Pipe()
        // Where this process dies, the folder goes with the broker.
        process = shell(
            "mosquitto -c %/broker.conf 2> %/log & read end; gone=$?; kill -9 $!; [ $gone = 0 ] || rm -r %",
            input: lifeline)
        try process?.run()
    }

    func kill() {
        try? lifeline.fileHandleForWriting.write(contentsOf: Data("kill\n".utf8))
        process?.waitUntilExit()
        process = nil
    }

    private func shell(_ command: String, input: Any) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "PATH=$PATH:/usr/sbin; " + command.replacing("%", with: folder.path)]
        process.standardInput = input
        return process
    }
}

private func freePort() -> UInt16 {
    let unused = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(unused) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            precondition(bind(unused, $0, size) == 0 && getsockname(unused, $0, &size) == 0)
        }
    }
    return UInt16(bigEndian: address.sin_port)
}
