// SPDX-License-Identifier: MIT

import ObserverRelay
import SwiftObserver
import Synchronization

@_exported import struct ObserverRelay.Counts

/// Observables beyond this process: a connection to a broker, and what goes over it.
///
///     let relay = try Relay(to: "mqtt://localhost", device: "kitchen")
///     try relay.publish(temperature, as: "climate/temperature")
///
///     let light: Var<Bool?> = try relay.mirror("hall/ceiling/light")
///     light <- true                        // asks the program that has the light
///
/// A relay *publishes* observables of this program under the name of its *device*, and *mirrors* those of others: a
/// mirror is an ordinary variable or messenger. What is published and mirrored lasts until the relay dies or is closed,
/// so hold the relay. Any thread may do anything with it at any time, also inside handlers.
///
/// Handlers that observe mirrors or ``state`` run on a thread of the relay's, unless they are formed on an actor or
/// choose another delivery; their author is the relay. They may be slow: of each variable only the latest value waits.
public final class Relay: Sendable {
    /// How many messages went which way since a relay was made.
    public typealias Counts = ObserverRelay.Counts

    /// The state of the connection. It is made again whenever it is lost, after 1 s, then 2 s, and so on up to 60 s,
    /// each by a quarter shorter or longer, by chance.
    public let state: Var<State>

    let engine: ObserverRelay.Relay
    let entries = Mutex(Entries())

    struct Entries {
        /// The observations by which values go out, and by which others are asked to set theirs.
        var published: [String: Published] = [:]
        var mirrored: [String: Mirrored] = [:]
    }

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - address: `mqtt://host:port`, or `mqtts://host:port` for an encrypted connection; without a port 1883, or 8883.
    ///     `dbus:session`, `dbus:system`, or `dbus:` and the address of a bus, as in `dbus:unix:path=/run/bus`.
    ///     `memory:name` is a broker inside this process, for tests: relays of one name meet there.
    ///   - device: the name of this program's device: small letters, digits and hyphens. Without it the relay publishes
    ///     nothing. Two programs have two names.
    ///   - title: what people call the device.
    ///   - user: a name that the broker knows.
    ///   - password: like the user's name, it stands in no message, state, description or graph.
    ///   - caFile: whom to trust, for `mqtts`. Without it: whom the system trusts.
    ///   - certificateFile: of this program, where the broker asks for one.
    ///   - keyFile: of that certificate, without a password.
    ///   - largestPayload: in bytes. What is larger does not cross.
    ///   - firstRetry: how long the first attempt to connect again is waited for.
    ///   - lastRetry: how long at most.
    ///   - keepAlive: after how much silence the connection is lost, about; at least 5 s.
    ///   - requestTimeout: how long the owner may take to answer what a mirror was set to. Then the mirror becomes what it
    ///     was.
    ///   - staleAfter: a mirror becomes `nil` when it has been unconfirmed for so long, until its owner is there again.
    ///     Without it, it keeps the last value, however old. See ``unconfirmed(_:)``.
    ///   - discovery: where Home Assistant looks for devices, which is `homeassistant` unless it was told otherwise: there
    ///     it is told of this one, and which of its entities stand for what is published. Without it: nothing.
    public init(
        to address: String, device: String? = nil, title: String? = nil, user: String? = nil, password: String? = nil,
        caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil, largestPayload: Int = 65536,
        firstRetry: Duration = .seconds(1), lastRetry: Duration = .seconds(60), keepAlive: Duration = .seconds(10),
        requestTimeout: Duration = .seconds(10), staleAfter: Duration? = nil, discovery: String? = nil
    ) throws(Failure) {
        // It is not shown: it may have a password in it.
        if let problem = problem(withAddress: Bytes(address.utf8)) { throw .invalidArgument("\(problem)") }
        guard var settings = Settings(address: Bytes(address.utf8), device: device.map { Bytes($0.utf8) }) else {
            throw .invalidArgument(
                "device must be made of small letters, digits and hyphens, at most 128 of them, not \(device ?? "")")
        }
        settings.title = title.map { Bytes($0.utf8) }
        if let discovery, !settings.discover(by: Bytes(discovery.utf8)) {
            throw .invalidArgument(
                "discovery must be the beginning of a topic, as homeassistant is, and there are none over D-Bus")
        }
        settings.user = try textForC(user, "user")
        settings.password = try textForC(password, "password")
        settings.authorities = try textForC(caFile, "caFile")
        settings.certificate = try textForC(certificateFile, "certificateFile")
        settings.key = try textForC(keyFile, "keyFile")
        let first = try milliseconds(firstRetry, "firstRetry"), last = try milliseconds(lastRetry, "lastRetry")
        settings.firstRetry = max(1, first)
        settings.lastRetry = max(settings.firstRetry, last)
        settings.requestTimeout = max(1, try milliseconds(requestTimeout, "requestTimeout"))
        if let staleAfter { settings.staleAfter = max(1, try milliseconds(staleAfter, "staleAfter")) }
        let silence = try milliseconds(keepAlive, "keepAlive")
        guard (5000...65_535_000).contains(silence) else {
            throw .invalidArgument("keepAlive must be 5 to 65535 seconds, not \(keepAlive)")
        }
        settings.keepAlive = Int32(silence / 1000)
        guard (1...256 << 20).contains(largestPayload) else {
            throw .invalidArgument("largestPayload must be 1 to 268435456 bytes, not \(largestPayload)")
        }
        settings.largestPayload = largestPayload

        let state = Var(State(phase: .connecting))
        guard let engine = ObserverRelay.Relay.begin(settings, stateChanged: { state.value = State($0) }) else {
            throw .noResources
        }
        self.state = state
        self.engine = engine
    }

    deinit { close() }

    /// Sends what waits, says that the device is disconnected, and ends. Mirrors stay what they are, and change no more.
    ///
    /// Waits for the handler of a mirror that is running, but not inside a handler that a relay calls, of this one or
    /// another; later none is called by the relay. The death of a relay does the same.
    public func close() {
        let entries = self.entries.withLock { entries in
            defer { entries = Entries() }
            return entries
        }
        for published in entries.published.values { published.stop() }
        engine.close()
        for mirrored in entries.mirrored.values { mirrored.stop() }
    }

    /// Whether, at this moment, what is retained of all mirrors has come in, also of those that were made last, and all
    /// that is published has been sent.
    public var isReady: Bool { engine.isReadyNow }

    /// How many messages went which way until now.
    public var counts: Counts { engine.countsNow }
}

/// The text as C has it, if it is given.
private func textForC(_ text: String?, _ parameter: String) throws(Relay.Failure) -> Bytes? {
    guard let text else { return nil }
    // A file of that name, or a password, would be another one.
    guard !text.utf8.contains(0) else { throw .invalidArgument("\(parameter) has a zero in it") }
    return Bytes(text.utf8) + [0]
}

private func milliseconds(_ duration: Duration, _ parameter: String) throws(Relay.Failure) -> Int {
    let milliseconds = duration / .milliseconds(1)
    guard (0...Double(Int32.max)).contains(milliseconds) else {
        throw .invalidArgument("\(parameter) is 0 to \(Int32.max) ms")
    }
    return Int(milliseconds)
}
