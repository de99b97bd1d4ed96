// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Standing transforms: state, source") struct StandingTests {
    @Test func theStateOfATransformBelongsToIt() {
        let messenger = Messenger<Int>(), dog = Dog()
        let one = messenger.take(1)
        messenger.send(1)
        let other = messenger.take(1)
        var received: [String] = []
        dog.observe(one) { received.append("one \($0)") }
        dog.observe(one) { received.append("one again \($0)") }
        dog.observe(other) { received.append("other \($0)") }
        messenger.send(2)
        #expect(received == ["other 2"])
    }

    @Test func adHocTheStateBelongsToTheObservation() {
        let messenger = Messenger<Int>(), dog = Dog()
        let skipping = dog.observe(messenger).skip(1)
        var received: [String] = []
        skipping.receive { received.append("first \($0)") }
        messenger.send(1)
        skipping.receive { received.append("second \($0)") }
        messenger.send(2)
        messenger.send(3)
        #expect(received == ["first 2", "first 3", "second 3"])
    }

    @Test func theSourceCanBeSet() {
        let one = Messenger<Int>(), other = Messenger<Int>(), dog = Dog()
        let text = one.map { "\($0)" }
        var received: [String] = []
        dog.observe(text) { received.append($0) }
        #expect(text.source === one)
        one.send(1)
        text.source = other
        #expect(text.source === other)
        one.send(2)
        other.send(3)
        text.source = one
        one.send(4)
        #expect(received == ["1", "3", "4"])
    }

    @Test func settingTheSourceSendsNothingAndChangesWhatIsLatest() {
        let dog = Dog(), doubled = Var(1).map { $0.new * 2 }
        var received = 0
        dog.observe(doubled) { _ in received += 1 }
        doubled.source = Var(5)
        #expect(received == 0)
        #expect(doubled.latestMessage == 10)
    }

    @Test func theStateOutlastsAChangeOfSource() {
        let one = Messenger<Int>(), other = Messenger<Int>(), dog = Dog()
        let changes = one.skipRepeats()
        var received: [Int] = []
        dog.observe(changes) { received.append($0) }
        one.send(1)
        changes.source = other
        other.send(1)
        other.send(2)
        #expect(received == [1, 2])
    }

    @Test func theSourceCanBeSetFromInsideAHandler() {
        let one = Messenger<Int>(), other = Messenger<Int>(), dog = Dog()
        let passed = one.filter { _ in true }
        var received: [Int] = []
        dog.observe(passed) {
            received.append($0)
            passed.source = other
        }
        one.send(1)
        one.send(2)
        other.send(3)
        #expect(received == [1, 3])
    }

    @Test func anOldSourceIsNotKept() {
        let passed = Messenger<Int>().filter { _ in true }
        let leaked = leaks { track in
            passed.source = track(Messenger())
            passed.source = track(Messenger())
            passed.source = Messenger()
        }
        #expect(leaked.isEmpty)
    }

    @Test func manyThreadsMaySetTheSourceWhileOthersSend() {
        let sources = (0..<3).map { _ in Messenger<Int>() }, dog = Dog()
        nonisolated(unsafe) var count = 0
        nonisolated(unsafe) var received = 0
        let counting = sources[0].map { number in
            count += 1
            return number
        }
        dog.observe(counting) { _ in received += 1 }
        onThreads(4) { index in
            for round in 0..<500 {
                if index < 2 { sources[round % 3].send(1) } else { counting.source = sources[(round + index) % 3] }
            }
        }
        #expect(count == received)
        counting.source = sources[0]
        let before = received
        sources[0].send(1)
        sources[1].send(1)
        sources[2].send(1)
        #expect(received == before + 1)
    }
}
