// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Delivery on the main actor") @MainActor struct MainActorTests {
    /// What belongs to the main actor and to nobody else.
    @MainActor final class View: Observer {
        let receiver = Receiver()
        private(set) var lines: [Int] = []
        private var awaited: (count: Int, reader: CheckedContinuation<[Int], Never>)?

        func write(_ line: Int) {
            lines.append(line)
            if let awaited, lines.count >= awaited.count {
                self.awaited = nil
                awaited.reader.resume(returning: lines)
            }
        }

        func read(_ count: Int) async -> [Int] {
            if lines.count >= count { return lines }
            return await withCheckedContinuation { awaited = (count, $0) }
        }
    }

    /// A message that is not Sendable.
    final class Letter {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    let view = View()

    @Test func messagesOfTheMainActorArriveAtOnce() {
        let messenger = Messenger<Letter>()
        view.observe(messenger) { [view] in view.write($0.number) }
        messenger.send(Letter(1))
        view.observe(messenger).map { $0.number * 10 }.receive { [view] in view.write($0) }
        messenger.send(Letter(2))
        #expect(view.lines == [1, 2, 20])
    }

    @Test func aHandlerFormedOnTheMainActorNeverRunsElsewhere() async {
        let messenger = Messenger<Int>()
        view.observe(messenger) { [view] number in
            MainActor.assertIsolated()
            view.write(number)
        }
        await offTheMainActor { messenger.send(1) }
        #expect(await view.read(1) == [1])
        messenger.send(2)
        #expect(view.lines == [1, 2])
    }

    @Test func whatIsMergedAdHocComesToTheMainActorTooWhoeverSends() async {
        let one = Messenger<Int>(), other = Messenger<Int>()
        view.observe(one).merge(view.observe(other)).receive { [view] number in
            MainActor.assertIsolated()
            view.write(number)
        }
        await offTheMainActor { other.send(1) }
        #expect(await view.read(1) == [1])
        await offTheMainActor { one.send(2) }
        #expect(await view.read(2) == [1, 2])
    }

    @Test func noStepOfItsChainRunsElsewhere() async {
        let number = Var(1)
        view.observe(number).new()
            .map { [view] new in
                MainActor.assertIsolated()
                return new + view.lines.count
            }
            .receive { [view] in view.write($0) }
        await offTheMainActor { number <- 5 }
        #expect(await view.read(1) == [5])
    }

    @Test func aCombinedObservationStaysOnTheMainActor() async {
        let number = Var(1), other = Var(10)
        let observation = view.observe(number, other) { [view] number, other in
            MainActor.assertIsolated()
            view.write(number.new + other.new)
        }
        number <- 2
        #expect(view.lines == [12])
        await offTheMainActor { other <- 20 }
        #expect(await view.read(2) == [12, 22])
        onOtherThread { number <- 3 }.pass()
        #expect(observation.stop())
        number <- 4
        await offTheMainActor {}
        #expect(view.lines == [12, 22])
    }

    @Test func anObservationThatIsHeldStaysOnTheMainActor() async {
        let messenger = Messenger<Int>()
        let held = [
            messenger.observe { [view] in view.write($0) },
            messenger.observe(adHoc: { $0.map { $0 * 10 }.receive { [view] in view.write($0) } }),
        ]
        await offTheMainActor { messenger.send(1) }
        #expect(await view.read(2) == [1, 10])
        withExtendedLifetime(held) {}
    }

    @Test func aReplayArrivesAtOnce() {
        let number = Var(1)
        view.observe(number, replaying: .latest) { [view] in view.write($0.new) }
        #expect(view.lines == [1])
    }

    @Test func aHandlerFormedElsewhereCanBeCalledOnTheMainActor() async {
        let messenger = Messenger<Int>(), bell = Messenger<Void>()
        let cat = await begin(messenger, bell, view)
        await offTheMainActor {
            messenger.send(1)
            bell.send(())
        }
        #expect(await view.read(3) == [1, 10, 0])
        withExtendedLifetime(cat) {}
    }

    nonisolated private func begin(_ messenger: Messenger<Int>, _ bell: Messenger<Void>, _ view: View) async -> Cat {
        let cat = Cat()
        cat.observe(messenger, on: MainActor.shared) { view.write($0) }
        cat.observe(messenger).map { $0 * 10 }.receive(on: MainActor.shared) { view.write($0) }
        cat.observe(bell, on: MainActor.shared) { view.write(0) }
        return cat
    }

    @Test func messagesKeepTheirOrderWhereverTheyAreSent() async {
        let messenger = Messenger<Int>()
        view.observe(messenger) { [view] in view.write($0) }
        for round in 0..<20 {
            onOtherThread {
                messenger.send(round * 3)
                messenger.send(round * 3 + 1)
            }.pass()
            messenger.send(round * 3 + 2)
        }
        #expect(view.lines == Array(0..<60))
        // The jobs that have nothing left to do run at some time, and do nothing.
        await offTheMainActor {}
        #expect(view.lines == Array(0..<60))
    }

    @Test func nothingThatWaitsForTheMainActorArrivesAfterStop() async {
        let messenger = Messenger<Int>(), end = Messenger<Int>()
        let observation = view.observe(messenger) { [view] in view.write($0) }
        view.observe(end) { [view] in view.write($0) }
        onOtherThread { messenger.send(1) }.pass()
        #expect(observation.stopAndWait())
        onOtherThread { end.send(9) }.pass()
        #expect(await view.read(1) == [9])
    }

    @Test func anObserverOfTheMainActorIsNotKept() {
        let messenger = Messenger<Int>()
        let leaked = leaks { track in
            let view = track(View())
            view.observe(messenger) { [weak view] in view?.write($0) }
            messenger.send(1)
            onOtherThread { messenger.send(2) }.pass()
        }
        #expect(leaked.isEmpty)
    }

    nonisolated private func offTheMainActor(_ body: @Sendable () -> Void) async { body() }
}
