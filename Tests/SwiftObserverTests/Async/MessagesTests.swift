// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Messages as an asynchronous sequence") struct MessagesTests {
    @Test(arguments: [(Buffering.unbounded, [1, 2, 3, 4]), (.newest(2), [3, 4]), (.oldest(2), [1, 2])])
    func whatIsSentBeforeTheLoopBeginsWaits(_ buffering: Buffering, _ expected: [Int]) async {
        let messages = sending([1, 2, 3, 4]) { $0.messages(buffering: buffering) }
        #expect(await all(messages) == expected)
    }

    @Test func whatIsSentWhileTheBodyRunsIsNotLost() async {
        var messenger: Messenger<Int>? = Messenger()
        let messages = messenger!.messages()
        messenger!.send(1)
        var received: [Int] = []
        for await number in messages {
            received.append(number)
            guard number == 1 else { continue }
            for number in 2...4 { messenger!.send(number) }
            messenger = nil
        }
        #expect(received == [1, 2, 3, 4])
    }

    @Test func theSenderWaitsWhenTheBufferIsFull() async {
        var messenger: Messenger<Int>? = Messenger()
        let messages = messenger!.messages(buffering: .waiting(2)), sent = Recorder<Int>()
        send(messenger!, sent)
        messenger = nil
        var received = 0
        for await number in messages {
            received += 1
            #expect(number == received)
            // Two wait, one may be on its way here, and this one has been received.
            #expect(sent.count <= received + 3)
        }
        #expect(received == 500)
    }

    private func send(_ messenger: Messenger<Int>, _ sent: Recorder<Int>) {
        onOtherThread {
            for number in 1...500 {
                messenger.send(number)
                sent.record(number)
            }
        }
    }

    @Test func aSenderThatWaitsIsReleasedWhenItsMessagesAreNotWanted() {
        let messenger = Messenger<Int>(), log = Recorder<String>()
        var messages: Messages<Int>? = messenger.messages(buffering: .waiting(1))
        messenger.send(1)
        let begun = Gate()
        let sending = onOtherThread {
            begun.open()
            messenger.send(2)
            log.record("sent")
        }
        begun.pass()
        giveWay(until: sending)
        withExtendedLifetime(messages) { log.record("left") }
        messages = nil
        sending.pass()
        #expect(log.entries == ["left", "sent"])
    }

    @Test func valuesBeginWithThePresentOne() async {
        let number = Var(1), doubled = Derived { number.value * 2 }
        var values = number.values().makeAsyncIterator(), derived = doubled.values().makeAsyncIterator()
        var latest = number.values(buffering: .newest(1)).makeAsyncIterator()
        for new in 2...3 { number <- new }
        for expected in 1...3 {
            #expect(await values.next() == expected)
            #expect(await derived.next() == expected * 2)
        }
        #expect(await latest.next() == 3)
    }

    @Test func eachConsumerOfOneSourceHasItsOwnPolicy() async {
        let messenger = Messenger<Int>()
        let every = messenger.messages(), latest = messenger.messages(buffering: .newest(1))
        var waiting = messenger.messages(buffering: .waiting(1)).makeAsyncIterator()
        let sending = onOtherThread { for number in 1...4 { messenger.send(number) } }
        for number in 1...4 { #expect(await waiting.next() == number) }
        await sending.opened()
        var all = every.makeAsyncIterator(), last = latest.makeAsyncIterator()
        for number in 1...4 { #expect(await all.next() == number) }
        #expect(await last.next() == 4)
    }

    @Test func aReplayDoesNotWait() async {
        let cache = Messenger<Int>().replay(.all), number = Var(7)
        for number in 1...3 { cache.send(number) }
        var iterator = cache.messages(buffering: .waiting(1)).makeAsyncIterator()
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
        #expect(await iterator.next() == 3)
        var latest = number.messages(replaying: .latest, buffering: .waiting(1)).map(\.new).makeAsyncIterator()
        #expect(await latest.next() == 7)
    }

    @Test func aLoopEndsWhenItsTaskIsCancelled() async {
        let messenger = Messenger<Int>(), begun = Messenger<Void>()
        let beginning = begun.messages()
        let task = Task { [messages = messenger.messages()] in
            var received: [Int] = []
            for await number in messages {
                received.append(number)
                begun.send(())
            }
            return received
        }
        #expect(messenger.observationCount == 1)
        messenger.send(1)
        _ = await beginning.first { _ in true }
        task.cancel()
        #expect(messenger.observationCount == 0)
        messenger.send(2)
        #expect(await task.value == [1])
    }

    @Test func aTaskThatIsCancelledBeforeReceivesNothing() async {
        let messenger = Messenger<Int>()
        let task = Task { [messages = messenger.messages()] in
            while !Task.isCancelled { await Task.yield() }
            return await messages.first { _ in true }
        }
        messenger.send(1)
        task.cancel()
        #expect(await task.value == nil)
        #expect(messenger.observationCount == 0)
    }

    @Test func leavingTheLoopEndsTheObservation() async {
        let messenger = Messenger<Int>()
        await leave(messenger)
        #expect(messenger.observationCount == 0)
    }

    private func leave(_ messenger: Messenger<Int>) async {
        let messages = messenger.messages()
        messenger.send(1)
        for await _ in messages { break }
        #expect(messenger.observationCount == 1)
    }

    @Test func aSequenceDoesNotKeepItsObservable() async {
        let tracker = Tracker()
        let messages = tracker(Var(1)).messages()
        #expect(tracker.living.isEmpty)
        #expect(await messages.first { _ in true } == nil)
    }

    @Test func aSequenceKeepsTheTransformThatItComesFrom() async {
        let number = Var(1), tracker = Tracker()
        do {
            let messages = tracker(number.new().filter { $0 > 2 }.map { "\($0)" }).messages()
            #expect(tracker.living.count == 1)
            for new in 2...3 { number <- new }
            #expect(await messages.first { _ in true } == "3")
        }
        #expect(tracker.living.isEmpty && !number.isObserved)
    }

    @Test func soDoesOneThatBeginsWithTheLatestMessage() async {
        let number = Var(1)
        let messages = number.new().map { "\($0)" }.messages(replaying: .latest)
        number <- 2
        var iterator = messages.makeAsyncIterator()
        #expect(await iterator.next() == "1")
        #expect(await iterator.next() == "2")
    }

    @Test func nothingIsLeftOfASequence() async {
        let tracker = Tracker()
        do {
            let messenger = Messenger<Letter>()
            let messages = messenger.messages()
            messenger.send(Letter(tracker))
            messenger.send(Letter(tracker))
            _ = await messages.first { _ in true }
        }
        #expect(tracker.living.isEmpty)
    }

    /// - Note: `@unchecked`: no test looks inside.
    struct Letter: @unchecked Sendable {
        let content: Mortal
        init(_ tracker: Tracker) { content = tracker(Mortal()) }
    }

    @Test func aChainEndsInASequence() async {
        let number = Var(1)
        var dog: Dog? = Dog()
        let messages = dog!.observe(number).new().filter { $0 > 2 }.messages()
        for new in 2...4 { number <- new }
        dog = nil
        number <- 5
        #expect(await all(messages) == [3, 4])
    }

    @Test func whoIteratesTwiceGoesOn() async {
        let messages = sending([1, 2, 3]) { $0.messages() }
        for await number in messages {
            #expect(number == 1)
            break
        }
        #expect(await all(messages) == [2, 3])
    }

    @MainActor @Test func aLoopOnTheMainActorReceivesInOrderFromAnyThread() async {
        var messenger: Messenger<Int>? = Messenger()
        let messages = messenger!.messages()
        send(messenger!, Recorder())
        messenger = nil
        var received: [Int] = []
        for await number in messages {
            MainActor.assertIsolated()
            received.append(number)
        }
        #expect(received == Array(1...500))
    }

    @Test(arguments: [Buffering.unbounded, .waiting(3)])
    func noMessageIsLostOrReorderedBetweenThreads(_ buffering: Buffering) async {
        var messenger: Messenger<Int>? = Messenger()
        let messages = messenger!.messages(buffering: buffering)
        Self.storm(messenger!)
        messenger = nil
        var last = [-1, -1, -1], count = 0
        for await number in messages {
            #expect(last[number / 1000] < number)
            last[number / 1000] = number
            count += 1
        }
        #expect(count == 1500)
    }

    private static func storm(_ messenger: Messenger<Int>) {
        for sender in 0..<3 {
            onOtherThread {
                for number in 0..<500 { messenger.send(sender * 1000 + number) }
            }
        }
    }

    @Test func eachTaskHasASequenceOfItsOwn() async {
        let sky = Messenger<String>(), first = sky.messages(), second = sky.messages()
        sky.send("blue")
        async let one = first.first { _ in true }
        async let other = second.first { _ in true }
        #expect(await [one, other] == ["blue", "blue"])
    }

    /// What comes of a messenger that has sent numbers and died.
    private func sending(_ numbers: [Int], _ begin: (Messenger<Int>) -> Messages<Int>) -> Messages<Int> {
        let messenger = Messenger<Int>()
        let messages = begin(messenger)
        for number in numbers { messenger.send(number) }
        return messages
    }

    private func all(_ messages: Messages<Int>) async -> [Int] {
        var received: [Int] = []
        for await number in messages { received.append(number) }
        return received
    }
}
