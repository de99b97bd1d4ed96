// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization
import Testing
import TestSupport

/// Law 23, below what the vocabularies make of it.
@Suite struct MailboxTests {
    typealias Letters = Mailbox<MessageClosure<Int>>

    private func make(_ receive: @escaping (Int) -> Void = { _ in }) -> Letters {
        Letters(handler: MessageClosure(receive))
    }

    /// What is counted stands for the one reference that keeps a mailbox while something waits.
    @Test func itIsHeldAsLongAsSomethingWaits() {
        let mailbox = make()
        var holds = 0
        func put(_ message: Int, accepted: Bool = true) -> Outcome {
            mailbox.put(message, (), hold: { holds += 1 }, letGo: { holds -= 1 }, schedule: { accepted })
        }
        #expect(put(1) == .sent)
        #expect(put(2) == .sent)
        #expect(holds == 1)
        #expect(put(3, accepted: false) == .handlerFailed)
        #expect(holds == 1)
        #expect(!mailbox.deliverNext().last)
        #expect(mailbox.dropNext().last)
        holds -= 1
        #expect(put(4, accepted: false) == .handlerFailed)
        #expect(holds == 0)
        #expect(!mailbox.deliverNext().any)
    }

    @Test func anExecutorThatDeliversAndRefusesAllTheSameDoesNotLetGoTwice() {
        var received: [Int] = []
        let mailbox = make { received.append($0) }
        var holds = 0
        let outcome = mailbox.put(
            1, (), hold: { holds += 1 }, letGo: { holds -= 1 },
            schedule: {
                if mailbox.deliverNext().last { holds -= 1 }
                return false
            })
        #expect(outcome == .handlerFailed)
        #expect(received == [1])
        #expect(holds == 0)
    }

    @Test func whatAHandlerPutsInWaitsForACallOfItsOwn() {
        nonisolated(unsafe) var received: [Int] = []
        nonisolated(unsafe) var mailbox: Letters!
        mailbox = make { message in
            received.append(message)
            if message < 3 {
                _ = mailbox.put(message + 1, ()) { true }
                received.append(-message)
            }
        }
        _ = mailbox.put(1, ()) { true }
        while mailbox.deliverNext().any {}
        #expect(received == [1, -1, 2, -2, 3])
    }

    /// Senders, deliveries, drops and refusals meet; whoever takes the last message is told so, and nobody else.
    @Test func whateverThreadsDoTheBooksBalance() {
        let calls = Atomic(0), inside = Atomic(0), holds = Atomic(0), waiting = Atomic(0)
        let taken = Atomic(0), refused = Atomic(0)
        let mailbox = make { _ in
            if inside.add(1, ordering: .relaxed).newValue != 1 { Issue.record("two calls at once") }
            calls.add(1, ordering: .relaxed)
            inside.subtract(1, ordering: .relaxed)
        }
        @Sendable func hold() { holds.add(1, ordering: .relaxed) }
        @Sendable func letGo() { holds.subtract(1, ordering: .relaxed) }
        @Sendable func take(dropping: Bool) {
            // A job is taken before its message.
            guard waiting.subtract(1, ordering: .relaxed).newValue >= 0 else {
                waiting.add(1, ordering: .relaxed)
                return
            }
            let one = dropping ? mailbox.dropNext() : mailbox.deliverNext()
            if !one.any { Issue.record("a job without a message") }
            if one.last { letGo() }
            taken.add(1, ordering: .relaxed)
        }
        onThreads(4) { thread in
            for turn in 0..<5000 {
                if thread < 2 {
                    let accepts = turn % 7 != 0
                    let outcome = mailbox.put(turn, (), hold: hold, letGo: letGo) {
                        if accepts { waiting.add(1, ordering: .relaxed) }
                        return accepts
                    }
                    if outcome != .sent { refused.add(1, ordering: .relaxed) }
                } else {
                    take(dropping: turn % 5 == 0)
                }
            }
        }
        while waiting.load(ordering: .relaxed) > 0 { take(dropping: false) }
        #expect(taken.load(ordering: .relaxed) + refused.load(ordering: .relaxed) == 10_000)
        #expect(holds.load(ordering: .relaxed) == 0)
        #expect(!mailbox.deliverNext().any)
        #expect(calls.load(ordering: .relaxed) > 0)
    }
}
