// SPDX-License-Identifier: MIT

@testable import ObserverEngine
import Testing
import TestSupport

@Suite struct SendingTests {
    @Test func sendingToNobodyIsSent() {
        #expect(Observed().send(1) == .sent)
    }

    @Test func anObservationThatIsOverLeavesNobody() {
        let observed = Observed()
        #expect(observed.core.isEmpty)
        let id = observed.observe { _ in }
        #expect(!observed.core.isEmpty)
        id.stop()
        #expect(observed.core.isEmpty)
    }

    @Test func aMessageThatHasToWaitAndCannotBeCopiedIsNotSent() {
        let observed = Observed()
        var received: [Int] = []
        var outcomes: [Outcome] = []
        observed.observe { message in
            received.append(message)
            if message == 1 { outcomes = [observed.send(TestHandler.uncopyable), observed.send(2)] }
        }
        #expect(observed.send(1) == .sent)
        #expect(outcomes == [.noMemory, .sent])
        #expect(received == [1, 2])
        #expect(observed.send(TestHandler.uncopyable) == .sent)
    }

    @Test(arguments: [true, false])
    func aFailureReachesTheSenderAndStopsNobody(inOrder: Bool) {
        let observed = Observed()
        observed.core.maintainsMessageOrder = inOrder
        var received = 0
        observed.observe { if $0 == 1 { observed.core.reportFailure() } }
        observed.observe { _ in received += 1 }
        #expect(observed.send(1) == .handlerFailed)
        #expect(observed.send(2) == .sent)
        #expect(received == 2)
    }

    @Test func aFailureOverAQueuedMessageReachesTheOutermostSender() {
        let observed = Observed()
        var inner: Outcome?
        observed.observe { message in
            if message == 1 { inner = observed.send(2) }
            if message == 2 { observed.core.reportFailure() }
        }
        #expect(observed.send(1) == .handlerFailed)
        #expect(inner == .sent)
    }

    @Test func theAuthorIsHandedOn() {
        let observed = Observed()
        var authors: [String] = []
        _ = observed.core.observe(
            TestHandler { message, author in
                authors.append(author)
                if message == 1 { _ = observed.core.send(2, author: "second") }
            })
        _ = observed.core.send(1, author: "first")
        #expect(authors == ["first", "second"])
    }

    @Test func aMessageDecidedUnderTheLockIsSentInTheOrderOfItsDecision() {
        let observed = Observed()
        var received: [Int] = []
        func decide(_ message: Int) -> Outcome {
            observed.core.lock()
            return observed.core.sendUnlocking(message, author: "test")
        }
        observed.observe { message in
            received.append(message)
            if message == 1 {
                observed.send(2)
                #expect(decide(3) == .sent)
            }
        }
        #expect(decide(1) == .sent)
        #expect(received == [1, 2, 3])
    }
}
