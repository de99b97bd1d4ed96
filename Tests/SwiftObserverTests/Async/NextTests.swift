// SPDX-License-Identifier: MIT

import SwiftObserver
import Synchronization
import Testing
import TestSupport

@Suite("Waiting for the next message") struct NextTests {
    @Test func theNextMessageIsReturned() async {
        let messenger = Messenger<Int>()
        async let next = messenger.next()
        await observed(messenger)
        messenger.send(1)
        messenger.send(2)
        #expect(await next == 1)
        #expect(messenger.observationCount == 0)
    }

    @Test func theNextMessageThatIsWantedIsReturned() async {
        let number = Var(1)
        async let next = number.next { $0.new > 2 }
        await observed(number)
        for new in 2...4 { number <- new }
        #expect(await next == Update(2, 3))
    }

    @Test func aCancelledTaskReceivesNothing() async {
        let messenger = Messenger<Int>()
        let task = Task { await messenger.next() }
        await observed(messenger)
        task.cancel()
        #expect(await task.value == nil)
        #expect(messenger.observationCount == 0)
    }

    @Test func anObservableIsNotKeptByATaskThatWaits() async {
        let box = Box()
        let one = Task { await box.messenger!.next() }
        let other = Task { await box.messenger!.next { $0 > 5 } }
        while box.messenger!.observationCount < 2 { await Task.yield() }
        box.empty()
        #expect(await one.value == nil)
        #expect(await other.value == nil)
    }

    @Test func aTransformIsKeptByATaskThatWaits() async {
        let number = Var(1)
        async let next = number.new().next()
        async let big = number.new().next { $0 > 2 }
        while number.observationCount < 2 { await Task.yield() }
        number <- 2
        number <- 3
        #expect(await next == 2)
        #expect(await big == 3)
        #expect(!number.isObserved)
    }

    @MainActor @Test func onTheMainActorWaitingBeginsAtOnce() async {
        let messenger = Messenger<Int>()
        let task = Task { await messenger.next() }
        await observed(messenger)
        messenger.send(1)
        #expect(await task.value == 1)
    }

    /// Waits until an observable is observed. There is no other event to wait for.
    private func observed(_ observable: some Observable & Sendable) async {
        while observable.observationCount == 0 { await Task.yield() }
    }

    final class Box: Sendable {
        private let mutex = Mutex<Messenger<Int>?>(Messenger())
        var messenger: Messenger<Int>? { mutex.withLock { $0 } }
        func empty() { mutex.withLock { $0 = nil } }
    }
}
