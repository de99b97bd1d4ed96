// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Testing
import TestSupport

@Suite("Law 3: what is sent from inside a handler queues") struct Law3 {
    @Test func aSendFromInsideAHandlerReturnsBeforeItsMessageIsDelivered() {
        let messenger = Messenger<Int>(), dog = Dog()
        var log: [String] = []
        dog.observe(messenger) { number in
            log.append("begin \(number)")
            if number == 1 {
                messenger.send(2)
                messenger.send(3)
            }
            log.append("end \(number)")
        }
        messenger.send(1)
        log.append("sent")
        #expect(log == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3", "sent"])
    }

    @Test func theStackDoesNotGrowWithTheNumberOfQueuedMessages() {
        let messenger = Messenger<Int>(), dog = Dog()
        var depths: [Int] = []
        var count = 0
        dog.observe(messenger) { number in
            // The first is called from the send, the others from where the queue is emptied.
            if number == 2 || number == 100_000 { depths.append(Thread.callStackReturnAddresses.count) }
            count += 1
            if number < 100_000 { messenger.send(number + 1) }
        }
        messenger.send(1)
        #expect(count == 100_000)
        #expect(depths.count == 2 && depths[0] > 1 && depths[0] == depths[1])
    }

    @Test func messagesWaitInTheOrderSentWhicheverHandlerSends() {
        let messenger = Messenger<String>(), dog = Dog()
        var received: [String] = []
        dog.observe(messenger) { text in
            if text == "x" { messenger.send("from the first") }
        }
        dog.observe(messenger) { text in
            received.append(text)
            if text == "x" { messenger.send("from the second") }
        }
        messenger.send("x")
        #expect(received == ["x", "from the first", "from the second"])
    }

    @Test func twoMessengersThatAnswerEachOtherDoNotNest() {
        let ping = Messenger<Int>(), pong = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        dog.observe(ping) { number in
            received.append(number)
            if number < 10_000 { pong.send(number + 1) }
        }
        dog.observe(pong) { number in
            received.append(number)
            if number < 10_000 { ping.send(number + 1) }
        }
        ping.send(1)
        #expect(received == Array(1...10_000))
    }
}
