// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Standing transforms: state, source, buffers") struct StandingTests {
    let one = Messenger<Int>(), other = Messenger<Int>(), dog = Dog()

    @Test func theStateOfATransformBelongsToItAndAdHocToTheObservation() {
        let standing = one.skip(1), adHoc = dog.observe(one).skip(1)
        dog.listen(to: standing, as: "one")
        adHoc.receive { dog.hear("ad hoc \($0)") }
        one.send(1)
        let later = one.skip(1)
        dog.listen(to: standing, as: "again")
        dog.listen(to: later, as: "later")
        adHoc.receive { dog.hear("ad hoc again \($0)") }
        one.send(2)
        #expect(dog.heard == ["one 2", "again 2", "ad hoc 2"])
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

    /// What it replays comes in the turn of the change, too.
    @Test func aSourceThatIsSetAgainWhileItSendsBringsEachMessageOnce() {
        let source = one.replay(.latest), elsewhere = other.replay(.latest), passed = source.filter { _ in true }
        dog.observe(passed) { [dog] number in
            dog.hear(number)
            guard number == 1 else { return }
            source.send(2)
            source.send(3)
            passed.source = elsewhere
            elsewhere.send(100)
            passed.source = source
            source.send(4)
        }
        source.send(1)
        #expect(dog.heard == ["1", "2", "3", "100", "3", "4"])
    }

    @Test func manyThreadsMaySetTheSourceWhileOthersSend() {
        let sources = (0..<3).map { _ in Messenger<Int>() }
        nonisolated(unsafe) var count = 0, received = 0
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
        for source in sources { source.send(1) }
        #expect(received == before + 1)
    }

    /// As another thread could, but at the same place each time: where a source is asked for its messenger.
    @Test func aSourceThatIsSetAgainWhileItIsBeingSetBringsEachMessageOnce() {
        let source = Asked(), elsewhere = Asked(), passed = elsewhere.filter { _ in true }
        dog.listen(to: passed)
        dog.observe(source) { number in
            guard number == 1 else { return }
            source.own.send(2)
            source.whenAsked = {
                guard passed.source === source else { return }
                passed.source = elsewhere
                passed.source = source
            }
            passed.source = source
            source.whenAsked = {}
            source.own.send(3)
        }
        source.own.send(1)
        #expect(dog.heard == ["2", "3"])
    }

    @Test func threadsThatSetTheSourceAtOnceBringNoMessageTwice() {
        let source = Messenger<Int>(), elsewhere = Messenger<Int>(), passed = source.filter { _ in true }
        nonisolated(unsafe) var last = 0, repeated = 0
        dog.observe(passed) { number in
            if number <= last { repeated += 1 }
            last = number
        }
        onThreads(3) { index in
            for round in 1...5000 {
                if index == 0 { source.send(round) } else { passed.source = round % 2 == 0 ? elsewhere : source }
            }
        }
        #expect(repeated == 0)
    }

    @Test func aMapperOfABufferedSourceIsBufferedAndSettingItsSourceSendsNothing() {
        let number = Var(1), text = number.map { "\($0.old) to \($0.new)" }
        dog.listen(to: text)
        #expect(text.latestMessage == "1 to 1")
        number <- 2
        #expect(text.latestMessage == "2 to 2" && number.new().map { $0 * 2 }.latestMessage == 4)
        text.send()
        text.source = Var(5)
        #expect(text.latestMessage == "5 to 5" && dog.heard == ["1 to 2", "2 to 2"])
        #expect(Var<Int?>().new().unwrap(7).latestMessage == 7)
    }
}

/// Does something when it is asked for its messenger, unless it is doing that.
private final class Asked: Observable, @unchecked Sendable {
    var whenAsked: () -> Void = {}
    let own = Messenger<Int>()
    private var isAsked = false

    var messenger: Messenger<Int> {
        guard !isAsked else { return own }
        isAsked = true
        defer { isAsked = false }
        whenAsked()
        return own
    }
}
