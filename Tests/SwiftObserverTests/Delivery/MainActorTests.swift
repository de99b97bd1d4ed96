// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Delivery on the main actor") @MainActor struct MainActorTests {
    /// What belongs to the main actor alone.
    @MainActor final class View: Observer {
        let receiver = Receiver()
        private var written = Lines()

        var lines: [Int] { written.all }
        func write(_ line: Int) {
            MainActor.assertIsolated()
            written.write(line)
        }
        func read(_ count: Int) async -> [Int] { await withCheckedContinuation { written.read(count, $0) } }
    }

    let view = View(), messenger = Messenger<Int>(), number = Var(1)

    @Test func messagesOfTheMainActorArriveAtOnceThoughTheyAreNotSendable() {
        final class Letter {
            let number: Int
            init(_ number: Int) { self.number = number }
        }
        let messenger = Messenger<Letter>()
        view.observe(messenger) { [view] in view.write($0.number) }
        messenger.send(Letter(1))
        view.observe(messenger).map { $0.number * 10 }.receive { [view] in view.write($0) }
        messenger.send(Letter(2))
        #expect(view.lines == [1, 2, 20])
    }

    @Test func stopAndWaitWaitsForAHandlerThatIsCalledAtOnce() {
        let begun = Gate(), log = Recorder<String>()
        let observation = view.observe(messenger) { _ in
            begun.open()
            giveWay()
            log.record("handled")
        }
        let stopping = onOtherThread {
            begun.pass()
            observation.stopAndWait()
            log.record("stopped")
        }
        messenger.send(1)
        stopping.pass()
        #expect(log.entries == ["handled", "stopped"])
    }

    @Test func stopAndWaitInsideOfSuchAHandlerReturns() {
        let observation = Recorder<ObservationHandle>(), log = Recorder<Int>()
        observation.record(
            view.observe(messenger) { number in
                log.record(number)
                #expect(observation.entries[0].stopAndWait())
            })
        for number in 1...2 { messenger.send(number) }
        #expect(log.entries == [1])
    }

    @Test func itTakesOneMessageAtATimeAlsoWithoutOrder() {
        messenger.maintainsMessageOrder = false
        var log: [String] = []
        view.observe(messenger) { [messenger] number in
            log.append("begin \(number)")
            if number == 1 { messenger.send(2) }
            log.append("end \(number)")
        }
        messenger.send(1)
        #expect(log == ["begin 1", "end 1", "begin 2", "end 2"])
    }

    @Test func aHandlerFormedOnTheMainActorNeverRunsElsewhere() async {
        view.observe(messenger) { [view] in view.write($0) }
        await offTheMainActor { [messenger] in messenger.send(1) }
        #expect(await view.read(1) == [1])
        messenger.send(2)
        #expect(view.lines == [1, 2])
    }

    @Test func whatIsMergedAdHocComesToTheMainActorFromEverySender() async {
        let other = Messenger<Int>()
        view.observe(messenger).merge(view.observe(other)).receive { [view] in view.write($0) }
        await offTheMainActor { other.send(1) }
        #expect(await view.read(1) == [1])
        await offTheMainActor { [messenger] in messenger.send(2) }
        #expect(await view.read(2) == [1, 2])
    }

    @Test func noStepOfItsChainRunsElsewhere() async {
        view.observe(number).new()
            .map { [view] new in
                MainActor.assertIsolated()
                return new + view.lines.count
            }
            .receive { [view] in view.write($0) }
        await offTheMainActor { [number] in number <- 5 }
        #expect(await view.read(1) == [5])
    }

    @Test func aCombinedObservationStaysOnTheMainActor() async {
        let other = Var(10)
        let observation = view.observe(number, other) { [view] in view.write($0.new + $1.new) }
        number <- 2
        #expect(view.lines == [12])
        await offTheMainActor { other <- 20 }
        #expect(await view.read(2) == [12, 22])
        onOtherThread { [number] in number <- 3 }.pass()
        #expect(observation.stop())
        number <- 4
        await offTheMainActor {}
        #expect(view.lines == [12, 22])
    }

    @Test func anObservationThatIsHeldStaysOnTheMainActor() async {
        let held = [
            messenger.observe { [view] in view.write($0) },
            messenger.observe(adHoc: { $0.map { $0 * 10 }.receive { [view] in view.write($0) } }),
        ]
        await offTheMainActor { [messenger] in messenger.send(1) }
        #expect(await view.read(2) == [1, 10])
        withExtendedLifetime(held) {}
    }

    @Test func aReplayArrivesAtOnce() {
        view.observe(number, replaying: .latest) { [view] in view.write($0.new) }
        #expect(view.lines == [1])
    }

    @Test func aHandlerFormedElsewhereCanBeCalledOnTheMainActor() async {
        let bell = Messenger<Void>(), cat = Cat()
        await begin(cat, messenger, bell, view)
        await offTheMainActor { [messenger] in
            messenger.send(1)
            bell.send(())
        }
        #expect(await view.read(3) == [1, 10, 0])
    }

    nonisolated private func begin(_ cat: Cat, _ messenger: Messenger<Int>, _ bell: Messenger<Void>, _ view: View) async
    {
        cat.observe(messenger, on: MainActor.shared) { view.write($0) }
        cat.observe(messenger).map { $0 * 10 }.receive(on: MainActor.shared) { view.write($0) }
        cat.observe(bell, on: MainActor.shared) { view.write(0) }
    }

    @Test func messagesKeepTheirOrderWhereverTheyAreSent() async {
        view.observe(messenger) { [view] in view.write($0) }
        for round in 0..<20 {
            onOtherThread { [messenger] in
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
        let end = Messenger<Int>(), observation = view.observe(messenger) { [view] in view.write($0) }
        view.observe(end) { [view] in view.write($0) }
        onOtherThread { [messenger] in messenger.send(1) }.pass()
        #expect(observation.stopAndWait())
        onOtherThread { end.send(9) }.pass()
        #expect(await view.read(1) == [9])
    }

    @Test func anObserverOfTheMainActorIsNotKept() {
        let leaked = leaks { track in
            let view = track(View())
            view.observe(messenger) { [weak view] in view?.write($0) }
            messenger.send(1)
            onOtherThread { [messenger] in messenger.send(2) }.pass()
        }
        #expect(leaked.isEmpty)
    }

    @Test func aHandlerOfTheMainActorThatIsHandedOverElsewhereRunsThere() async {
        let handler: @MainActor @Sendable (Int) -> Void = { [view] in view.write($0) }
        let cat = FreeObserver()
        await offTheMainActor { [messenger] in
            cat.observe(messenger, receive: handler)
            cat.observe(messenger).filter { $0 > 1 }.receive(handler)
            messenger.send(1)
            messenger.send(2)
        }
        #expect(await view.read(3).sorted() == [1, 2, 2])
    }

    @Test func theClosureOfATransformStaysThereToo() async {
        let scaled = messenger.map { [view] in $0 * (view.lines.count + 1) }
        let limited = scaled.filter { [view] in $0 < view.lines.count + 3 }
        view.observe(limited) { [view] in view.write($0) }
        messenger.send(1)
        #expect(view.lines == [1])
        await offTheMainActor { [messenger] in
            messenger.send(1)
            messenger.send(7)
        }
        #expect(await view.read(2) == [1, 2])
    }

    @Test func theSourceOfATransformThatStaysThereCanBeSet() async {
        let kept = messenger.filter { [view] in $0 > view.lines.count }, other = Messenger<Int>()
        view.observe(kept) { [view] in view.write($0) }
        kept.source = other
        await offTheMainActor { [messenger] in
            messenger.send(8)
            other.send(9)
        }
        #expect(await view.read(1) == [9])
    }

    nonisolated private func offTheMainActor(_ body: @Sendable () -> Void) async { body() }
}
