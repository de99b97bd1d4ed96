// SPDX-License-Identifier: MIT

import SwiftObserver
import SwiftObserverRelay
import Testing
import TestSupport

/// The code of the module's page, word for word, in a program that has its two ends in one.
@Suite("Documentation of relays") struct SwiftObserverRelayTests {
    let address = meeting
    let observer = FreeObserver()
    let printed = Recorder<String>()

    func print(_ items: Any...) { printed.record(items.map { "\($0)" }.joined(separator: " ")) }

    @Test func theCodeOfThePageIsRunByATest() throws {
        let left = try codeThatIsNotRun(
            of: "Sources/SwiftObserverRelay/SwiftObserverRelay.docc/SwiftObserverRelay.md",
            by: "Tests/SwiftObserverRelayTests/SwiftObserverRelayTests.swift")
        #expect(left == [])
    }

    @Test func theCodeOfThePageDoesWhatItSays() throws {
        let (owner, level, bell) = try publish()
        let relay = try Relay(to: address)
        let temperature: Var<Double?> = try relay.mirror("kitchen/climate/temperature")
        let target: Var<Double?> = try relay.mirror("kitchen/climate/target")
        let rings: Messenger<String> = try relay.mirrorMessenger("kitchen/door/rings")
        observer.observe(temperature, replaying: .latest).new().unwrap().receive { print("it is", $0) }
        observer.observe(rings) { print("rings", $0) }

        let kitchen: Var<String?> = try relay.mirror("kitchen/$state")
        observer.observe(relay.state) { print("this program is", $0.new) }
        observer.observe(kitchen) { print("the kitchen is", $0.new ?? "unknown") }

        until(temperature, is: 20.5)
        until(target, is: 21)
        until(kitchen, is: "ready")
        target <- 19.5
        until(level, is: 19.5)
        while !printed.entries.contains("rings twice") { bell.send("twice") }
        owner.close()
        until(kitchen, is: "disconnected")
        relay.close()
        for line in ["it is 20.5", "the kitchen is disconnected", "this program is closed"] {
            #expect(printed.entries.contains(line))
        }
    }

    private func publish() throws -> (Relay, Var<Double>, Messenger<String>) {
        let relay = try Relay(to: address, device: "kitchen")
        let temperature = Var(20.5), target = Var(21.0), rings = Messenger<String>()
        try relay.publish(temperature, as: "climate/temperature")
        try relay.publish(target, as: "climate/target", settable: true)
        try relay.publish(temperature.new().map { $0 > 30 }, as: "climate/alarm")
        try relay.publish(rings, as: "door/rings")
        return (relay, target, rings)
    }
}
