// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 6: who begins during a delivery receives the next message first") struct Law6 {
    @Test(arguments: [true, false])
    func anObservationBegunDuringADeliveryJoinsWithTheNextMessage(inOrder: Bool) {
        let messenger = Messenger<Int>(), dog = Dog()
        messenger.maintainsMessageOrder = inOrder
        var received: [Int] = []
        dog.observe(messenger) { number in
            if number == 1 { dog.observe(messenger) { received.append($0) } }
        }
        messenger.send(1)
        #expect(received == [])
        messenger.send(2)
        #expect(received == [2])
    }

    @Test func aQueuedMessageIsTheNext() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        dog.observe(messenger) { number in
            guard number == 1 else { return }
            messenger.send(2)
            dog.observe(messenger) { received.append($0) }
        }
        messenger.send(1)
        #expect(received == [2])
    }

    @Test func manyMayJoinDuringOneDelivery() {
        let messenger = Messenger<Int>(), dog = Dog()
        var received: [Int] = []
        dog.observe(messenger) { message in
            guard message == 0 else { return }
            for number in 0..<100 { dog.observe(messenger) { received.append(number * $0) } }
        }
        messenger.send(0)
        messenger.send(1)
        #expect(received == Array(0..<100))
    }
}
