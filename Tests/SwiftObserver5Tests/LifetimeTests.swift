// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

@Suite("Lifetimes and threads") struct LifetimeTests {
    @Test func whenEverythingIsReleasedNothingIsLeft() {
        let leaked = leaks { track in
            let number = track(Var(1)), text = track(Messenger("a")), sky = track(Sky()), dog = track(Dog())
            let mapping = track(number.new().filter { $0 > 1 }.map { "\($0)" }), weak = track(Weak(mapping))
            let captured = track(Mortal())
            dog.observe(number, text, weak) { [unowned dog] _, _, _ in
                withExtendedLifetime(captured) { dog.hear("combined") }
            }
            dog.observe(weak).select("2") { [unowned dog] in withExtendedLifetime(captured) { dog.hear("weak") } }
            dog.observe(sky) { _ in withExtendedLifetime(captured) {} }
            number <- 2
            mapping.source = track(Var(3))
            mapping.source <- 4
            sky.send(.blue)
            text.send("b")
            #expect(dog.heard.count == 6)
        }
        #expect(leaked.isEmpty)
    }

    @Test func aMappingThatDiesDuringADeliveryStillDelivers() {
        let dog = Dog(), number = Var(1)
        var mapping: Mapping<Var<Int>, Int>? = number.new()
        dog.observe(mapping!) {
            dog.hear($0)
            mapping = nil
        }
        number <- 2
        number <- 3
        #expect(dog.heard == ["2"])
    }

    @Test func aVariableThatDiesWhileAssignmentsWaitMakesThem() {
        let dog = Dog()
        var number: Var<Int>? = Var(1)
        dog.observe(number!) { change in
            dog.hear("\(change.old) \(change.new)")
            guard let variable = number else { return }
            variable <- 3
            variable <- 4
            number = nil
        }
        number! <- 2
        #expect(number == nil)
        #expect(dog.heard == ["1 2", "2 3", "3 4"])
    }

    @Test func aCombinedObservationHandlesOneMessageAtATime() {
        nonisolated(unsafe) let dog = Dog(), first = Messenger(0), second = Messenger(0)
        nonisolated(unsafe) var running = 0, most = 0, count = 0
        dog.observe(first, second) { _, _ in
            running += 1
            most = max(most, running)
            count += 1
            running -= 1
        }
        onThreads(2) { thread in
            for number in 0..<1000 { (thread == 0 ? first : second).send(number) }
        }
        #expect(most == 1)
        #expect(count == 2000)
    }

    @Test func theSourceOfAMappingCanBeSetOnAnyThread() {
        nonisolated(unsafe) let dog = Dog(), sources = (0..<4).map { Var($0 * 10_000) }, mapping = Var(0).new()
        let received = Recorder<Int>()
        dog.observe(mapping) { received.record($0) }
        onThreads(4) { thread in
            for number in 1...200 {
                mapping.source = sources[(thread + number) % 4]
                sources[thread] <- thread * 10_000 + number
            }
        }
        let count = received.count
        let last = Var(-1)
        mapping.source = last
        for source in sources { source <- -5 }
        last <- -2
        #expect(Array(received.entries.dropFirst(count)) == [-1, -2])
    }
}
