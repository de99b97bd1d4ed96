// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 2: observers are offered a message in the order in which they began") struct Law2 {
    /// Fault 4 of the published code: the order was random.
    @Test func observersReceiveInTheOrderOfTheirBeginning() {
        let messenger = Messenger<Void>()
        let dogs = (0..<200).map { _ in Dog() }
        var received: [Int] = []
        for (number, dog) in dogs.enumerated() {
            dog.observe(messenger) { received.append(number) }
        }
        withExtendedLifetime(dogs) { messenger.send(()) }
        #expect(received == Array(0..<200))
    }

    @Test func theOrderOutlastsThoseWhoLeave() {
        let messenger = Messenger<Void>(), dog = Dog()
        var received: [Int] = []
        let observations = (0..<200).map { number in dog.observe(messenger) { received.append(number) } }
        for (number, observation) in observations.enumerated() where number % 3 != 0 { observation.stop() }
        for number in 200..<210 { dog.observe(messenger) { received.append(number) } }
        messenger.send(())
        #expect(received == (0..<200).filter { $0 % 3 == 0 } + Array(200..<210))
    }

    @Test func oneWhoBeginsAgainComesLast() {
        let messenger = Messenger<Void>(), dog = Dog()
        var received: [String] = []
        let first = dog.observe(messenger) { received.append("first") }
        dog.observe(messenger) { received.append("second") }
        first.stop()
        dog.observe(messenger) { received.append("first, again") }
        messenger.send(())
        #expect(received == ["second", "first, again"])
    }
}
