// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 6: who begins during a delivery receives the next message first") struct Law6 {
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
