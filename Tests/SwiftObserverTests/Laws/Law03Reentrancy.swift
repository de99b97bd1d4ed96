// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Testing
import TestSupport

@Suite("Law 3: what is sent from inside a handler queues") struct Law3 {
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
