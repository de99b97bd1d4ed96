// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 2: observers are offered a message in the order in which they began") struct Law2 {
    @Test func theOrderOutlastsThoseWhoLeave() {
        let messenger = Messenger<Void>(), dog = Dog()
        var received: [Int] = []
        let observations = (0..<200).map { number in dog.observe(messenger) { received.append(number) } }
        for (number, observation) in observations.enumerated() where number % 3 != 0 { observation.stop() }
        for number in 200..<210 { dog.observe(messenger) { received.append(number) } }
        messenger.send(())
        #expect(received == (0..<200).filter { $0 % 3 == 0 } + Array(200..<210))
    }
}
