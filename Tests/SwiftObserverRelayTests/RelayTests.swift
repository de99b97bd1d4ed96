// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import SwiftObserverRelay
import Testing
import TestSupport

@Suite("Relays") struct RelayTests {
    enum Mode: String, Relayable { case day, night }

    // MARK: - Values

    @Test func aMirrorHoldsWhatTheVariableHoldsAndSettingItSetsTheVariable() throws {
        let level = Var(1)
        let owner = try relay("levels"), other = try relay()
        try owner.publish(level, as: "light/level", settable: true)
        let mirror = try other.mirror("levels/light/level", as: Int.self)
        until(mirror, is: 1)
        ready(owner, other)
        level <- 2
        until(mirror, is: 2)
        mirror <- 3
        until(level, is: 3)
        #expect(owner.counts.connections == 1)
        #expect(owner.isReady)
    }

    @Test func whatAFormatDoesNotAllowDoesNotCross() throws {
        let level = Var(1), mode = Var(Mode.day)
        let owner = try relay("formats"), other = try relay()
        let about = Relay.Property(title: "Level", unit: "%", format: "0:9")
        try owner.publish(level, as: "light/level", settable: true, about: about)
        try owner.publish(mode, as: "light/mode", about: .init(format: "day,night"))
        let mirror = try other.mirror("formats/light/level", as: Int.self)
        until(mirror, is: 1)
        ready(owner, other)
        mirror <- 10
        until(mirror, is: 1)
        mirror <- 9
        until(level, is: 9)
        #expect(throws: Relay.Failure.self) { try owner.publish(Var(1), as: "a/b", about: .init(format: "9:0")) }
        try owner.alert("battery", "low")
        try owner.alert("battery", nil)
        try owner.sleep()
        try owner.sleep(false)
        #expect(throws: Relay.Failure.self) { try owner.alert("Battery", "low") }
        #expect(throws: Relay.Failure.self) { try other.sleep() }
    }

    @Test func aDeviceThatHasLeftIsTakenAway() throws {
        guard !meeting.hasPrefix("dbus:") else { return }
        let other = try relay()
        var owner: Relay? = try relay("left")
        try owner!.publish(Var(1), as: "light/level")
        let mirror = try other.mirror("left/light/level", as: Int.self)
        until(mirror, is: 1)
        owner = nil
        try other.remove(device: "left")
        until(mirror, is: nil)
        #expect(throws: Relay.Failure.self) { try other.remove(device: "#") }
    }

    @Test func valuesOfEveryTypeArriveAsTheyWere() throws {
        let owner = try relay("values"), other = try relay()
        func arrives<Value: Relayable & Equatable>(_ values: [Value]) throws {
            for (index, value) in values.enumerated() {
                let name = "\(Value.self)-\(index)".lowercased()
                try owner.publish(Var(value), as: "all/\(name)")
                until(try other.mirror("values/all/\(name)"), is: value)
            }
        }
        try arrives([true, false])
        try arrives([Int.min, 0, Int.max])
        try arrives([0.1, -1.7976931348623157e308, Double.leastNonzeroMagnitude])
        try arrives(["grüß", "", "a\0b", "two\nlines"])
        try arrives([Mode.night])
        #expect(owner.counts.dropped + other.counts.dropped == 0)
    }

    @Test func nilArrivesAsNilAndSetsAnOptional() throws {
        let owner = try relay("nils"), other = try relay()
        let title = Var<String?>("news")
        try owner.publish(title, as: "tv/title", settable: true)
        let mirror: Var<String?> = try other.mirror("nils/tv/title")
        until(mirror, is: "news")
        ready(owner, other)
        title <- nil
        until(mirror, is: nil)
        title <- "film"
        until(mirror, is: "film")
        mirror <- nil
        until(title, is: nil)
    }

    @Test func nilIsNoValueOfAVariableThatIsNoOptionalWhichIsReported() throws {
        let owner = try relay("numbers"), other = try relay()
        let level = Var(1)
        try owner.publish(level, as: "light/level", settable: true)
        let mirror: Var<Int?> = try other.mirror("numbers/light/level")
        until(mirror, is: 1)
        ready(owner, other)
        mirror <- nil
        until(owner.state) { $0.report?.contains("null cannot be set from outside") ?? false }
        until(mirror, is: 1)
        #expect(level.value == 1)
        #expect(owner.counts.dropped == 1)
    }

    @Test func whatIsNoCaseOfAnEnumIsReportedAndTheMirrorStaysAsItIs() throws {
        let owner = try relay("modes"), other = try relay()
        let mode = Var("day")
        try owner.publish(mode, as: "house/mode")
        let mirror: Var<Mode?> = try other.mirror("modes/house/mode")
        until(mirror, is: .day)
        ready(other)
        mode <- "dusk"
        until(other.state) { $0.report?.contains("it is no value of the mirror's type") ?? false }
        #expect(mirror.value == .day)
        mode <- "night"
        until(mirror, is: .night)
    }

    @Test func whatCannotBeRelayedIsReported() throws {
        let owner = try relay("infinite"), other = try relay()
        let warmth = Var(20.5)
        try owner.publish(warmth, as: "room/warmth")
        let mirror: Var<Double?> = try other.mirror("infinite/room/warmth")
        until(mirror, is: 20.5)
        ready(owner)
        warmth <- .infinity
        until(owner.state) { $0.report?.contains("dropped a value that cannot be relayed") ?? false }
        warmth <- 21
        until(mirror, is: 21)
    }

    // MARK: - What is published

    @Test func whatATransformMakesOfAVariableIsPublished() throws {
        let owner = try relay("derived"), other = try relay()
        let warmth = Var(20.5)
        try owner.publish(warmth.new().map { $0 > 30 }, as: "room/alarm")
        let alarm: Var<Bool?> = try other.mirror("derived/room/alarm")
        until(alarm, is: false)
        warmth <- 35
        until(alarm, is: true)
    }

    @Test func eventsArriveInOrder() throws {
        let owner = try relay("bell"), other = try relay()
        let rings = Messenger<Int>(), received = Recorder<Int>(), isThere = Flag(), done = Gate()
        try owner.publish(rings, as: "door/rings")
        let mirror: Messenger<Int> = try other.mirrorMessenger("bell/door/rings")
        let observer = FreeObserver()
        observer.observe(mirror) { number in
            isThere.raise()
            if number >= 0 { received.record(number) }
            if number == 99 { done.open() }
        }
        ready(owner, other)
        // Ready is said of what was mirrored before: the first that arrives shows that the rest will.
        while !isThere.isRaised { rings.send(-1) }
        for number in 0..<100 { rings.send(number) }
        done.pass()
        #expect(received.entries == Array(0..<100))
    }

    @Test func theAuthorOfWhatComesInIsTheRelayAndItIsNotSentBack() throws {
        let owner = try relay("authors"), other = try relay()
        let level = Var(0), mirror: Var<Int?> = try other.mirror("authors/light/level")
        try owner.publish(level, as: "light/level", settable: true)
        ready(owner, other)
        // What is set while it is being sent may come twice, and then once more after what the mirror sets.
        level <- 1
        until(mirror, is: 1)
        let observer = FreeObserver(), here = Recorder<ObjectIdentifier>(), there = Recorder<ObjectIdentifier>()
        observer.observe(level) { _, author in here.record(ObjectIdentifier(author)) }
        observer.observe(mirror) { _, author in there.record(ObjectIdentifier(author)) }
        mirror <- 2
        until(level, is: 2)
        level <- 3
        until(mirror, is: 3)
        // The thread of a relay may still be delivering, this one's set included.
        while here.count < 2 || there.count < 2 { sched_yield() }
        #expect(here.entries == [ObjectIdentifier(owner), ObjectIdentifier(level)])
        #expect(there.entries.first == ObjectIdentifier(mirror))
        #expect(there.entries.dropFirst().allSatisfy { $0 == ObjectIdentifier(other) })
    }

    @Test func aMirrorOfWhatCannotBeSetBecomesWhatItWas() throws {
        let owner = try relay("fixed"), other = try relay()
        try owner.publish(Var("a"), as: "some/text")
        let mirror: Var<String?> = try other.mirror("fixed/some/text")
        until(mirror, is: "a")
        ready(owner, other)
        mirror <- "b"
        until(mirror, is: "a")
        until(other.state) { $0.report?.contains("it cannot be set") ?? false }
    }

    @Test func whatIsWithdrawnIsNilElsewhereAndCanBePublishedAgain() throws {
        let owner = try relay("fickle"), other = try relay()
        let mirror: Var<Int?> = try other.mirror("fickle/light/level")
        for level in 1...3 {
            try owner.publish(Var(level), as: "light/level")
            until(mirror, is: level)
            try owner.withdraw("light/level")
            until(mirror, is: nil)
        }
    }

    @Test func aForgottenMirrorChangesNoMore() throws {
        let owner = try relay("known"), other = try relay()
        let level = Var(1)
        try owner.publish(level, as: "light/level")
        let mirror: Var<Int?> = try other.mirror("known/light/level")
        until(mirror, is: 1)
        try other.forget("known/light/level")
        level <- 2
        let again: Var<Int?> = try other.mirror("known/light/level")
        #expect(again !== mirror)
        until(again, is: 2)
        #expect(mirror.value == 1)
    }

    // MARK: - Devices

    @Test func devicesAreWatchedWhileSomethingObserves() throws {
        let watcher = try relay(), seen = Gate(), observer = FreeObserver()
        let states = try watcher.watch("homie/5/+/$state")
        observer.observe(states) {
            if $0.topic == "homie/5/watched/$state" && $0.payload == "disconnected" { seen.open() }
        }
        let state: Var<String?> = try watcher.mirror("watched/$state")
        do {
            let device = try relay("watched")
            until(state, is: "ready")
            device.close()
        }
        seen.pass()
        observer.stopObserving()
        // What is watched again begins with what is retained.
        let again = Gate()
        observer.observe(states) { if $0.topic == "homie/5/watched/$state" { again.open() } }
        again.pass()
    }

    // MARK: - Ends

    @Test func aRelayThatDiesLeavesNothingBehind() throws {
        let track = Tracker()
        try shareForAWhile(track)
        // A delivery in progress keeps its relay until it has ended.
        while !track.living.isEmpty { sched_yield() }
    }

    private func shareForAWhile(_ track: Tracker) throws {
        let level = track(Var(1)), rings = track(Messenger<String>())
        let owner = track(try relay("dying")), other = track(try relay())
        try owner.publish(level, as: "light/level", settable: true)
        try owner.publish(rings, as: "door/rings")
        let mirror = track(try other.mirror("dying/light/level", as: Int.self))
        _ = track(try other.mirrorMessenger("dying/door/rings", as: String.self))
        until(mirror, is: 1)
        ready(owner, other)
        mirror <- 2
        until(level, is: 2)
    }

    @Test func aClosedRelaySaysSoAndRefuses() throws {
        let owner = try relay("closing"), other = try relay()
        let level = Var(1)
        try owner.publish(level, as: "light/level")
        let mirror: Var<Int?> = try other.mirror("closing/light/level")
        until(mirror, is: 1)
        other.close()
        other.close()
        #expect(other.state.value.phase == .closed)
        #expect("\(other.state.value)" == "closed")
        level <- 2
        ready(owner)
        #expect(mirror.value == 1)
        #expect(throws: Relay.Failure.notFound("the relay is closed")) { try other.mirror("a/b/c", as: Int.self) }
    }

    @Test func aRelayIsClosedInsideAHandler() throws {
        let owner = try relay("inside"), other = try relay()
        try owner.publish(Var(1), as: "light/level")
        let mirror: Var<Int?> = try other.mirror("inside/light/level")
        let closed = Gate(), observer = FreeObserver()
        observer.observe(mirror, replaying: .latest) {
            guard $0.new == 1 else { return }
            other.close()
            closed.open()
        }
        closed.pass()
    }

    // MARK: - Wrong uses

    @Test(arguments: ["localhost", "mqtt://user:secret@host", "mqtt://host:0", "mqtt://", "mqtt://a b"])
    func whatIsNoAddressIsRefusedAndNotShown(_ address: String) {
        let failure = #expect(throws: Relay.Failure.self) { try Relay(to: address) }
        let sentence = failure.map { "\($0)" } ?? ""
        #expect(sentence.hasPrefix(address.contains("@") ? "address must not name a user" : "address must be mqtt://"))
        #expect(!sentence.contains("secret"))
    }

    @Test func wrongUsesAreTold() throws {
        func said(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return ""
        }
        #expect(said { _ = try Relay(to: "memory:wrong", device: "The Kitchen") }.contains("device must be made of"))
        #expect(said { _ = try Relay(to: "memory:wrong", user: "a", password: "b\0c") } == "password has a zero in it")
        #expect(said { _ = try Relay(to: "memory:wrong", keepAlive: .seconds(1)) }.contains("keepAlive must be"))
        #expect(said { _ = try Relay(to: "memory:wrong", firstRetry: .seconds(-1)) }.contains("firstRetry is"))
        #expect(said { _ = try Relay(to: "memory:wrong", largestPayload: 0) }.contains("largestPayload must be"))
        #expect(said { _ = try Relay(to: "memory:wrong", discovery: "home/#") }.contains("beginning of a topic"))
        let relay = try Relay(to: "memory:wrong", device: "wrong"), guest = try Relay(to: "memory:wrong")
        #expect(said { try relay.publish(Var(1), as: "b") } == "b is not node/property")
        #expect(said { try guest.publish(Var(1), as: "a/b") } == "a relay without a device publishes nothing")
        try relay.publish(Var(1), as: "a/b")
        #expect(said { try relay.publish(Var(1), as: "a/b") }.contains("published already"))
        try relay.withdraw("a/b")
        #expect(said { try relay.withdraw("a/b") } == "nothing is published as a/b")
        #expect(said { _ = try relay.mirror("a/b", as: Int.self) } == "a/b is not device/node/property")
        let mirror: Var<Int?> = try relay.mirror("a/b/c")
        #expect(try relay.mirror("a/b/c", as: Int.self) === mirror)
        #expect(said { _ = try relay.mirror("a/b/c", as: String.self) } == "a/b/c is mirrored as something else")
        try relay.forget("a/b/c")
        #expect(said { try relay.forget("a/b/c") } == "nothing is mirrored as a/b/c")
        #expect(said { _ = try relay.watch("a#") } == "a# is no topic filter of MQTT")
    }
}
