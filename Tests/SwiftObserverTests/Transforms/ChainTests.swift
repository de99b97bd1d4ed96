// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Long chains take no stack") struct ChainTests {
    /// Its type does not grow with its length.
    private func chain(
        _ length: Int, from source: any BufferedObservable<Int>,
        _ link: (any BufferedObservable<Int>) -> any BufferedObservable<Int>
    ) -> any BufferedObservable<Int> {
        var last = source
        for _ in 0..<length { last = link(last) }
        return last
    }

    private static let links: [@Sendable (any BufferedObservable<Int>) -> any BufferedObservable<Int>] = [
        { source in
            func link<O: BufferedObservable<Int>>(_ source: O) -> any BufferedObservable<Int> { source.map { $0 + 1 } }
            return link(source)
        },
        { source in
            func link<O: BufferedObservable<Int>>(_ source: O) -> any BufferedObservable<Int> {
                source.filter { _ in true }.cache(0)
            }
            return link(source)
        },
        { source in
            func link<O: BufferedObservable<Int>>(_ source: O) -> any BufferedObservable<Int> {
                source.merge().cache(0)
            }
            return link(source)
        },
    ]

    @Test(arguments: links.indices) func aChainIsReleasedInALoop(_ kind: Int) {
        onSmallStack {
            let leaked = leaks { track in
                _ = chain(10_000, from: track(Cache(Messenger<Int>(), 0)), Self.links[kind])
            }
            #expect(leaked.isEmpty)
        }
    }

    @Test(arguments: [1, 2]) func aChainOfWhatWasChosenIsReleasedInALoop(_ most: Int) {
        final class Chosen: SwiftObserver.Observable {
            let messenger: Messenger<Int>
            private let held: AnyObject

            init<O: SwiftObserver.Observable<Int>>(_ observable: O) {
                messenger = observable.messenger
                held = observable
            }
        }
        onSmallStack {
            let leaked = leaks { track in
                var last = Chosen(track(Messenger<Int>()))
                for _ in 0..<10_000 {
                    let choice = Messenger<Void>()
                    nonisolated(unsafe) let chosen = last
                    let next = choice.flatMap(atMost: most) { _ in chosen }
                    for _ in 0..<most { choice.send() }
                    last = Chosen(next)
                }
            }
            #expect(leaked.isEmpty)
        }
    }

    /// Each has a handler that holds the one before.
    private static let owners: [@Sendable (Messenger<Int>, AnyObject) -> AnyObject] = [
        { _, before in
            let messenger = Messenger<Int>(), dog = Dog()
            nonisolated(unsafe) let held = (dog, before)
            dog.observe(messenger) { _ in _ = held }
            return messenger
        },
        { sky, before in
            nonisolated(unsafe) let before = before
            let dog = Dog()
            dog.observe(sky) { _ in _ = before }
            return dog
        },
        { sky, before in
            nonisolated(unsafe) let before = before
            return sky.observe { _ in _ = before }
        },
        { sky, before in
            nonisolated(unsafe) let before = before
            return effect { _ = before }
        },
    ]

    @Test(arguments: owners.indices) func aChainOfHandlersThatHoldTheOneBeforeIsReleasedInALoop(_ kind: Int) {
        onSmallStack {
            let sky = Messenger<Int>()
            let leaked = leaks { track in
                var last: AnyObject = track(Dog())
                for _ in 0..<10_000 { last = Self.owners[kind](sky, last) }
            }
            #expect(leaked.isEmpty)
        }
    }

    @Test func theLatestMessageOfAChainIsFoundInALoop() {
        onSmallStack {
            let end = chain(10_000, from: Cache(Messenger<Int>(), 5), Self.links[0])
            #expect(end.latestMessage == 10_005)
        }
    }

    @Test(arguments: [false, true]) func aChangeGoesThroughVariablesInARowInALoop(_ followEachOther: Bool) {
        onSmallStack {
            let variables = (0..<5000).map { _ in Var(0) }, dog = Dog()
            // From the last on, so that none knows how many it is to follow.
            for (one, other) in zip(variables, variables.dropFirst()).reversed() {
                one.bind(to: other, both: followEachOther)
            }
            dog.observe(variables[2500]).new { dog.hear("middle \($0)") }
            dog.observe(variables[4999]).new { dog.hear("last \($0)") }
            variables[0] <- 1
            #expect(dog.heard == ["middle 1", "last 1"])
            if followEachOther { variables[4999] <- 2 }
            #expect(variables[0].value == (followEachOther ? 2 : 1))
        }
    }

    @Test func aMessageGoesThroughAChainInALoop() {
        onSmallStack {
            let messenger = Messenger<Int>(), dog = Dog()
            let end = chain(10_000, from: Cache(messenger, 0), Self.links[0])
            func listen<O: SwiftObserver.Observable<Int>>(to observable: O) { dog.listen(to: observable) }
            listen(to: end)
            messenger.send(1)
            #expect(dog.heard == ["10001"])
        }
    }

    private static let short: [@Sendable (Messenger<Int>) -> any Observable<Int>] = [
        { $0.merge() }, { Weak($0) }, { $0.throttle(for: .seconds(1), clock: ManualClock()) },
        { zip($0, $0).map { $0.0 } }, { $0.once() },
    ]

    /// A chain that is not long waits for nothing: what a handler at the end of one sends has arrived when that returns.
    @Test(arguments: short.indices) func aHandlerBehindATransformSendsThroughAnotherAtOnce(_ kind: Int) {
        let one = Messenger<Int>(), other = Messenger<Int>(), heard = Recorder<String>()
        let ends = [Self.short[kind](one), Self.short[kind](other)]
        func observe(_ observable: some Observable<Int>, _ hear: @escaping @Sendable (Int) -> Void) -> KeptObservation {
            observable.observe(hear)
        }
        let observations = [
            observe(ends[0]) { number in
                other.send(number)
                heard.record("after the send")
            },
            observe(ends[1]) { heard.record("heard \($0)") },
        ]
        one.send(1)
        #expect(heard.entries == ["heard 1", "after the send"])
        for observation in observations { observation.stop() }
    }
}
