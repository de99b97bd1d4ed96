// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Observing for an object that is held weakly: how long") struct WeaklyLifetimeTests {
    typealias Label = WeaklyTests.Label

    let messenger = Messenger<Int>()

    @Test func theObservationEndsWithItsObject() {
        var label: Label? = Label()
        var received: [Int] = []
        let observation = messenger.observe(weakly: label!) { _, number in received.append(number) }
        messenger.send(1)
        label = nil
        messenger.send(2)
        #expect(received == [1])
        #expect(!observation.isLiving && !messenger.isObserved)
    }

    @Test(arguments: Way.allCases) func theNextMessageLetsGoOfWhatTheClosureHolds(_ way: Way) {
        let queue = ManualQueue()
        let track = Tracker()
        func live() {
            let label = track(WeaklyTests.Counter()), held = Sealed(content: track(Mortal()))
            way.begin(messenger, label, queue, held)
        }
        live()
        #expect(track.living == ["Mortal"] && messenger.isObserved)
        messenger.send(1)
        queue.runAll()
        #expect(track.living.isEmpty && !messenger.isObserved)
    }

    @Test(arguments: Way.allCases) func stoppingLetsGoOfWhatTheClosureHolds(_ way: Way) {
        let queue = ManualQueue(), label = WeaklyTests.Counter()
        let leaked = leaks { track in
            let held = Sealed(content: track(Mortal()))
            let observation = way.begin(messenger, label, queue, held)
            messenger.send(1)
            #expect(observation.isLiving)
            #expect(observation.stop())
            #expect(!observation.stopAndWait() && !observation.isLiving)
        }
        #expect(leaked.isEmpty && !messenger.isObserved)
    }

    @Test(arguments: Way.allCases) func whenAllIsReleasedNothingIsLeft(_ way: Way) {
        let queue = ManualQueue()
        let leaked = leaks { track in
            let messenger = track(Messenger<Int>()), label = track(WeaklyTests.Counter())
            let observation = way.begin(messenger, label, queue, Sealed(content: track(Mortal())))
            messenger.send(1)
            queue.runAll()
            #expect(observation.isLiving)
        }
        #expect(leaked.isEmpty)
    }

    @Test(arguments: Way.allCases) func theObservableDoesNotOutliveItsHolders(_ way: Way) {
        let queue = ManualQueue(), label = WeaklyTests.Counter()
        var observation: ObservationHandle?
        let leaked = leaks { track in
            let messenger = track(Messenger<Int>())
            observation = way.begin(messenger, label, queue, Sealed(content: track(Mortal())))
        }
        #expect(leaked.isEmpty && observation?.isLiving == false)
    }

    enum Way: CaseIterable {
        case plain, authored, adHoc, merged, delivered

        @discardableResult
        func begin(
            _ messenger: Messenger<Int>, _ label: WeaklyTests.Counter, _ queue: ManualQueue, _ held: Sealed
        ) -> ObservationHandle {
            switch self {
            case .plain: messenger.observe(weakly: label) { _, _ in _ = held }
            case .authored: messenger.observe(weakly: label) { _, _, _ in _ = held }
            case .adHoc: messenger.observe(weakly: label, adHoc: { $0.map { $0 } }) { _, _ in _ = held }
            case .merged:
                messenger.observe(weakly: label, adHoc: { $0.merge($0.map { $0 + 1 }) }) { _, _ in _ = held }
            case .delivered: messenger.observe(weakly: label, on: .async(queue)) { _, _ in _ = held }
            }
        }
    }

    /// Nothing is ever sent, so nothing tells that objects have died.
    @Test func theDeadDoNotPileUp() {
        let label = Label()
        let observation = messenger.observe(weakly: label) { _, _ in }
        let living = leaks { track in
            for _ in 0..<1_000 {
                let captured = track(Mortal())
                messenger.observe(weakly: Label()) { _, _ in withExtendedLifetime(captured) {} }
            }
        }
        #expect(living.count <= 32 && messenger.observationCount <= 33)
        #expect(observation.isLiving)
    }

    @Test func aSweepLeavesTheLivingAndThoseWithObserversOfTheirOwn() {
        let dog = Dog(), labels = (0..<10).map { _ in Label() }
        var received = 0
        for label in labels { messenger.observe(weakly: label) { label, number in label.number += number } }
        for _ in 0..<10 { dog.observe(messenger) { _ in received += 1 } }
        for _ in 0..<100 { messenger.observe(weakly: Label()) { _, _ in } }
        #expect(messenger.observationCount < 60)
        messenger.send(1)
        #expect(messenger.observationCount == 20)
        #expect(labels.allSatisfy { $0.number == 1 } && received == 10)
    }

    @Test func anObjectThatDiesDuringADeliveryIsSkippedInIt() {
        let first = Label()
        var second: Label? = Label()
        var seen: [Int] = []
        messenger.observe(weakly: first) { _, _ in second = nil }
        messenger.observe(weakly: second!) { _, number in seen.append(number) }
        messenger.send(1)
        #expect(seen == [])
    }

    @Test func theClosureMayBeTheLastToHoldItsObject() {
        var label: Label? = Label()
        var seen: [Int] = []
        messenger.observe(weakly: label!) { object, number in
            label = nil
            object.number = number
            seen.append(object.number)
        }
        messenger.send(1)
        messenger.send(2)
        #expect(seen == [1])
    }

    @Test func anObjectInItsDeinitIsDead() {
        var received = 0
        func live() {
            let dying = Dying { [messenger] in messenger.observe(weakly: $0) { _, _ in received += 1 } }
            withExtendedLifetime(dying) {}
        }
        live()
        messenger.send(1)
        #expect(received == 0 && !messenger.isObserved)
    }

    private final class Dying {
        private let body: (Dying) -> Void
        init(_ body: @escaping (Dying) -> Void) { self.body = body }
        deinit { body(self) }
    }

    @Test func whatWaitsOnAQueueDoesNotReachADeadObject() {
        let queue = ManualQueue(), seen = Recorder<Int>()
        var label: WeaklyTests.Counter? = WeaklyTests.Counter()
        messenger.observe(weakly: label!, on: .async(queue)) { _, number in seen.record(number) }
        messenger.send(1)
        label = nil
        queue.runAll()
        #expect(seen.entries == [] && !messenger.isObserved)
    }

    @Test func whoeverIsFasterNoCallBeginsAfterDeath() {
        let over = Flag(), late = Recorder<Int>(), deaths = Recorder<Void>(), rounds = 300
        let sending = (0..<2).map { _ in
            onOtherThread { [messenger] in while !over.isRaised { messenger.send(1) } }
        }
        for round in 0..<rounds {
            let isDead = Flag(), held = Mortal { deaths.record() }
            var label: Bearer? = Bearer(onDeath: isDead)
            messenger.observe(weakly: label!) { _, _ in
                if isDead.isRaised { late.record(round) }
                withExtendedLifetime(held) {}
            }
            label = nil
        }
        over.raise()
        for sender in sending { sender.pass() }
        messenger.send(1)
        #expect(late.entries == [])
        #expect(deaths.count == rounds && !messenger.isObserved)
    }

    private final class Bearer: Sendable {
        private let flag: Flag
        init(onDeath flag: Flag) { self.flag = flag }
        deinit { flag.raise() }
    }

    /// An object whose only content nobody looks at.
    struct Sealed: @unchecked Sendable {
        let content: Mortal
    }
}
