// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Observing for an object that is held weakly: how long") struct WeaklyLifetimeTests {
    typealias Label = WeaklyTests.Label
    typealias Counter = WeaklyTests.Counter

    let messenger = Messenger<Int>(), queue = ManualQueue()

    enum Way: CaseIterable {
        case plain, authored, adHoc, merged, delivered

        @discardableResult
        func begin(
            _ messenger: Messenger<Int>, _ label: Counter, _ queue: ManualQueue, _ held: Sealed
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

    @Test(arguments: Way.allCases) func theNextMessageLetsGoOfWhatTheClosureHolds(_ way: Way) {
        let track = Tracker()
        func live() -> ObservationHandle {
            way.begin(messenger, track(Counter()), queue, Sealed(content: track(Mortal())))
        }
        let observation = live()
        #expect(track.living == ["Mortal"] && messenger.isObserved)
        messenger.send(1)
        queue.runAll()
        #expect(track.living.isEmpty && !messenger.isObserved && !observation.isLiving)
    }

    @Test(arguments: Way.allCases) func stoppingLetsGoOfWhatTheClosureHolds(_ way: Way) {
        let label = Counter()
        let leaked = leaks { track in
            let observation = way.begin(messenger, label, queue, Sealed(content: track(Mortal())))
            messenger.send(1)
            #expect(observation.isLiving && observation.stop())
            #expect(!observation.stopAndWait() && !observation.isLiving)
        }
        #expect(leaked.isEmpty && !messenger.isObserved)
    }

    @Test(arguments: Way.allCases, [false, true])
    func theObservableDoesNotOutliveItsHoldersAndNothingIsLeft(_ way: Way, isUsed: Bool) {
        let label = Counter()
        var observation: ObservationHandle?
        let leaked = leaks { track in
            let messenger = track(Messenger<Int>())
            observation = way.begin(
                messenger, isUsed ? track(Counter()) : label, queue, Sealed(content: track(Mortal())))
            guard isUsed else { return }
            messenger.send(1)
            queue.runAll()
        }
        #expect(leaked.isEmpty && observation?.isLiving == false)
    }

    /// Nothing is ever sent, so nothing tells that objects have died.
    @Test func theDeadDoNotPileUp() {
        let label = Label(), observation = messenger.observe(weakly: label) { _, _ in }
        let living = leaks { track in
            for _ in 0..<1_000 {
                let captured = track(Mortal())
                messenger.observe(weakly: Label()) { _, _ in withExtendedLifetime(captured) {} }
            }
        }
        #expect(living.count <= 32 && messenger.observationCount <= 33 && observation.isLiving)
    }

    @Test func aSweepLeavesTheLivingAndThoseWithObserversOfTheirOwn() {
        let dog = Dog(), labels = (0..<10).map { _ in Label() }
        for label in labels { messenger.observe(weakly: label) { label, number in label.texts.append("\(number)") } }
        for _ in 0..<10 { dog.listen(to: messenger) }
        for _ in 0..<100 { messenger.observe(weakly: Label()) { _, _ in } }
        #expect(messenger.observationCount < 60)
        messenger.send(1)
        #expect(messenger.observationCount == 20)
        #expect(labels.allSatisfy { $0.texts == ["1"] } && dog.heard.count == 10)
    }

    @Test func theClosureMayBeTheLastToHoldItsObject() {
        nonisolated(unsafe) var label: Label? = Label(), seen: [Int] = []
        messenger.observe(weakly: label!) { object, number in
            label = nil
            object.texts.append("\(number)")
            seen.append(number)
        }
        messenger.send(1)
        messenger.send(2)
        #expect(seen == [1])
    }

    @Test func anObjectInItsDeinitIsDead() {
        final class Dying: @unchecked Sendable {
            private let body: (Dying) -> Void
            init(_ body: @escaping (Dying) -> Void) { self.body = body }
            deinit { body(self) }
        }
        let dog = Dog()
        _ = Dying { [messenger] in messenger.observe(weakly: $0) { dog.hear($1) } }
        messenger.send(1)
        #expect(dog.heard == [] && !messenger.isObserved)
    }

    @Test func whatWaitsOnAQueueDoesNotReachADeadObject() {
        let seen = Recorder<Int>()
        do {
            let label = Counter()
            messenger.observe(weakly: label, on: .async(queue)) { _, number in seen.record(number) }
            messenger.send(1)
        }
        queue.runAll()
        #expect(seen.entries == [] && !messenger.isObserved)
    }

    @Test func noCallBeginsAfterDeathWhicheverThreadIsFaster() {
        final class Bearer: Sendable {
            private let flag: Flag
            init(onDeath flag: Flag) { self.flag = flag }
            deinit { flag.raise() }
        }
        let over = Flag(), late = Recorder<Int>(), deaths = Recorder<Void>(), rounds = 300
        let sending = (0..<2).map { _ in
            onOtherThread { [messenger] in while !over.isRaised { messenger.send(1) } }
        }
        for round in 0..<rounds {
            let isDead = Flag(), held = Mortal { deaths.record() }
            messenger.observe(weakly: Bearer(onDeath: isDead)) { _, _ in
                if isDead.isRaised { late.record(round) }
                withExtendedLifetime(held) {}
            }
        }
        over.raise()
        for sender in sending { sender.pass() }
        messenger.send(1)
        #expect(late.entries == [])
        #expect(deaths.count == rounds && !messenger.isObserved)
    }
}
