// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 9: an observer may observe the same observable any number of times") struct Law9 {
    /// Fault 3 of the published code: the second replaced the first.
    @Test func aSecondObservationReplacesNothing() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [String] = []
        dog.observe(messenger) { received.append("first \($0)") }
        dog.observe(messenger) { received.append("second \($0)") }
        messenger.send(1)
        #expect(received == ["first 1", "second 1"])
    }

    @Test func stopObservingStopsAllOfThem() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        for _ in 0..<10 { dog.observe(messenger) { received.append($0) } }
        dog.stopObserving(messenger)
        messenger.send(1)
        #expect(received == [])
        #expect(!dog.isObserving(messenger))
    }

    @Test func aHandleStopsOne() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [String] = []
        let first = dog.observe(messenger) { received.append("first \($0)") }
        dog.observe(messenger) { received.append("second \($0)") }
        first.stop()
        messenger.send(1)
        #expect(received == ["second 1"])
        #expect(dog.isObserving(messenger))
    }

    @Test func stoppingLeavesOtherObserversAlone() {
        let messenger = Messenger<Int>(), dog = Dog(), cat = Dog()
        var received: [String] = []
        dog.observe(messenger) { received.append("dog \($0)") }
        cat.observe(messenger) { received.append("cat \($0)") }
        dog.stopObserving(messenger)
        messenger.send(1)
        #expect(received == ["cat 1"])
    }
}
