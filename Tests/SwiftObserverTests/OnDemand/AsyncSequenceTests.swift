// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("An asynchronous sequence as an observable") struct AsyncSequenceTests {
    struct Broken: Error {}

    @Test func allObserversReceiveEachElement() async {
        let (stream, input) = AsyncStream<Int>.makeStream()
        let numbers = stream.asObservable()
        var one = numbers.messages().makeAsyncIterator(), other = numbers.map { -$0 }.messages().makeAsyncIterator()
        for number in 1...3 {
            input.yield(number)
            #expect(await one.next() == number)
            #expect(await other.next() == -number)
        }
    }

    @Test func itIsIteratedOnlyWhileItIsObserved() async {
        let (stream, input) = AsyncStream<Int>.makeStream(), ended = Gate()
        input.onTermination = { _ in ended.open() }
        let numbers = stream.asObservable(), dog = Dog()
        #expect(!ended.isOpen)
        dog.observe(numbers) { _ in }
        dog.stopObserving()
        // The task that iterates has been cancelled.
        await ended.opened()
    }

    @Test func theNextObserverHasItIterateAgain() async {
        let numbers = Countdown(from: 2).asObservable()
        for _ in 0..<2 {
            var iterator = numbers.messages().makeAsyncIterator()
            #expect(await iterator.next() == 2)
            #expect(await iterator.next() == 1)
        }
    }

    @Test func whatFailsSendsTheErrorAtLast() async throws {
        let numbers = AsyncThrowingStream<Int, any Error> { input in
            input.yield(1)
            input.finish(throwing: Broken())
        }.asObservable()
        var iterator = numbers.messages().makeAsyncIterator()
        #expect(try await iterator.next()?.get() == 1)
        let last = await iterator.next()
        #expect(throws: Broken.self) { try last?.get() }
    }

    private struct Countdown: AsyncSequence, Sendable {
        let from: Int

        struct Iterator: AsyncIteratorProtocol {
            var next: Int
            mutating func next() async -> Int? {
                defer { next -= 1 }
                return next > 0 ? next : nil
            }
            mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Int? {
                defer { next -= 1 }
                return next > 0 ? next : nil
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(next: from) }
    }
}
