// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// Laws 36 and 37, in marble diagrams in which a column is a second.
@Suite("Operators over time") struct TimedTests {
    let clock = ManualClock(), messenger = Messenger<Int>(), dog = Dog()

    private func expect<O: SwiftObserver.Observable>(
        _ sent: String, gives received: String, of operation: (Messenger<Int>) -> O,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let transform = operation(messenger), received = Marbles(received)
        nonisolated(unsafe) var marbles = Marbles()
        let start = clock.now
        dog.observe(transform) { [clock] message in
            marbles.add("\(message)", at: Int(start.duration(to: clock.now).components.seconds))
        }
        let sent = Marbles(sent)
        for column in 0...max(sent.marbles.last!.column, received.marbles.last?.column ?? 0) {
            if column > 0 { clock.advance(by: .seconds(1)) }
            for marble in sent.marbles where marble.column == column { messenger.send(Int(marble.text)!) }
        }
        #expect("\(marbles)" == "\(received)", sourceLocation: sourceLocation)
        dog.stopObserving()
        #expect(clock.waitingCount == 0, "something still waits", sourceLocation: sourceLocation)
    }

    @Test func debounceSendsTheLatestWhenNoneHasComeForAWhile() {
        expect("1 2 3       4", gives: "       3       4") { $0.debounce(for: .seconds(3), clock: clock) }
    }

    @Test func throttleSendsTheFirstAndTheLatest() {
        expect("1 2       4", gives: "1  2      4") { $0.throttle(for: .seconds(3), clock: clock) }
        expect("1 2       4", gives: "1         4") { $0.throttle(for: .seconds(3), latest: false, clock: clock) }
    }

    @Test func delaySendsEachLater() {
        expect("1 2     3", gives: "   1 2     3") { $0.delay(for: .seconds(3), clock: clock) }
    }

    @Test func timeoutSendsAnotherWhenNoneComes() {
        expect("1         2", gives: "1   0     2   0") { $0.timeout(after: .seconds(4), sending: 0, clock: clock) }
    }

    @Test func collectSendsThemTogether() {
        expect("1 2   3 4", gives: "    [1,2] [3,4]") {
            $0.collect(for: .seconds(4), clock: clock).map { "[" + $0.map { "\($0)" }.joined(separator: ",") + "]" }
        }
        expect("1 2 3", gives: "  [1,2]   [3]") {
            $0.collect(count: 2, for: .seconds(6), clock: clock)
                .map { "[" + $0.map { "\($0)" }.joined(separator: ",") + "]" }
        }
    }

    @Test func afterStopNothingThatWaitedArrives() {
        let later = messenger.delay(for: .seconds(1), clock: clock)
        let observation = dog.observe(later) { [dog] in dog.hear("\($0)") }
        messenger.send(1)
        #expect(clock.waitingCount == 1)
        observation.stop()
        #expect(clock.waitingCount == 0)
        clock.advance(by: .seconds(2))
        #expect(dog.heard == [])
    }

    @Test func aMillionMessagesWaitOnce() {
        let settled = messenger.debounce(for: .seconds(1), clock: clock)
        dog.observe(settled) { [dog] in dog.hear("\($0)") }
        for number in 1...100_000 { messenger.send(number) }
        #expect(clock.waitingCount == 1)
        clock.advance(by: .seconds(1))
        #expect(dog.heard == ["100000"] && clock.waitingCount == 0)
    }

    @Test func whatIsDueAtTheSameTimeComesInTheOrderInWhichItBeganToWait() {
        let other = Messenger<Int>()
        let late = messenger.delay(for: .seconds(2), clock: clock), later = other.delay(for: .seconds(1), clock: clock)
        dog.observe(late) { [dog] in dog.hear("a\($0)") }
        dog.observe(later) { [dog] in dog.hear("b\($0)") }
        messenger.send(1)
        clock.advance(by: .seconds(1))
        other.send(2)
        clock.advance(by: .seconds(1))
        #expect(dog.heard == ["a1", "b2"])
    }

    @Test func theAuthorIsPassedOn() {
        let settled = messenger.debounce(for: .seconds(1), clock: clock), author = Dog()
        dog.observe(settled) { [dog] _, by in dog.hear("\(by === author)") }
        messenger.send(1, author: author)
        clock.advance(by: .seconds(1))
        #expect(dog.heard == ["true"])
    }

    @MainActor @Test func handlersOfTheMainActorRunThereAtOnce() {
        let settled = messenger.debounce(for: .seconds(1), clock: clock).map { "\($0)" }
        var heard: [String] = []
        dog.observe(settled) { heard.append($0) }
        messenger.send(1)
        clock.advance(by: .seconds(1))
        #expect(heard == ["1"])
    }

    @Test func nothingIsLeft() {
        #expect(
            leaks { track in
                let messenger = track(Messenger<Int>()), clock = track(ManualClock())
                let all = [
                    track(messenger.debounce(for: .seconds(1), clock: clock)).observe { _ in },
                    track(messenger.throttle(for: .seconds(1), clock: clock)).observe { _ in },
                    track(messenger.delay(for: .seconds(1), clock: clock)).observe { _ in },
                    track(messenger.timeout(after: .seconds(1), sending: 0, clock: clock)).observe { _ in },
                ]
                messenger.send(1)
                clock.advance(by: .seconds(5))
                messenger.send(2)
                withExtendedLifetime(all) {}
            } == [])
    }

    @Test func anyClockWillDo() async {
        let clock = SleepClock(), settled = messenger.debounce(for: .seconds(1), clock: clock)
        var messages = settled.messages().makeAsyncIterator()
        messenger.send(1)
        messenger.send(2)
        await clock.sleep(of: 1)
        clock.advance(by: .seconds(1))
        #expect(await messages.next() == 2)
        #expect(clock.sleeperCount == 0)
    }

    @Test func theContinuousClockIsTheDefault() async {
        let settled = messenger.delay(for: .nanoseconds(1))
        var messages = settled.messages().makeAsyncIterator()
        messenger.send(1)
        #expect(await messages.next() == 1)
    }

    @Test func tasksSleepOnAClockThatIsTurnedByHand() async throws {
        let task = Task { [clock] in try await clock.sleep(for: .seconds(3)) }
        while clock.waitingCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(3))
        try await task.value
        let cancelled = Task { [clock] in try await clock.sleep(for: .seconds(3)) }
        while clock.waitingCount == 0 { await Task.yield() }
        cancelled.cancel()
        #expect(clock.waitingCount == 0)
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)])
    func anIntervalThatIsNoneEndsTheProgram(_ interval: Duration) async {
        let said = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [interval] in
            _ = Messenger<Int>().debounce(for: interval, clock: ManualClock())
        }
        withExtendedLifetime(said) {}
    }
}
