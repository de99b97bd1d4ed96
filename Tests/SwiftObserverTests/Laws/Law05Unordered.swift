// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 5: without order, a send delivers at once on its own thread") struct Law5 {
    @Test func orderIsMaintainedUnlessSaidOtherwise() {
        let messenger = Messenger<Int>()
        #expect(messenger.maintainsMessageOrder)
        messenger.maintainsMessageOrder = false
        #expect(!messenger.maintainsMessageOrder)
        let variable = Var(1)
        variable.maintainsMessageOrder = false
        #expect(!variable.messenger.maintainsMessageOrder)
    }

    @Test func twoThreadsAreInTheSameHandlerAtOnce() {
        let messenger = Messenger<Int>(), dog = Dog()
        messenger.maintainsMessageOrder = false
        let gates = [Gate(), Gate()]
        dog.observe(messenger) { number in
            gates[number].open()
            gates[1 - number].pass()
        }
        onThreads(2) { messenger.send($0) }
    }

    @Test func aStormWithoutOrderLosesNothing() {
        let messenger = Messenger<Int>(), dog = Dog(), received = Recorder<Int>()
        messenger.maintainsMessageOrder = false
        dog.observe(messenger) { received.record($0) }
        onThreads(4) { index in
            for number in 0..<1_000 {
                messenger.send(index * 1_000 + number)
                let guest = Dog()
                guest.observe(messenger) { _ in }.stopAndWait()
            }
        }
        #expect(received.entries.sorted() == Array(0..<4_000))
    }

    @Test func aTransformOfASourceWithoutOrderSeesOneMessageAtATime() {
        let messenger = Messenger<Int>(), dog = Dog()
        messenger.maintainsMessageOrder = false
        nonisolated(unsafe) var count = 0
        let counting = messenger.map { number in
            count += 1
            return number
        }
        nonisolated(unsafe) var received: [Int] = []
        dog.observe(counting) { received.append($0) }
        onThreads(4) { _ in
            for number in 0..<1_000 { messenger.send(number) }
        }
        #expect(count == 4_000)
        #expect(received.count == 4_000)
    }

    @Test func theModeCanChangeBackAndForth() {
        let messenger = Messenger<Int>(), dog = Dog()
        var log: [String] = []
        dog.observe(messenger) { number in
            log.append("begin \(number)")
            if number == 1 { messenger.send(2) }
            log.append("end \(number)")
        }
        messenger.maintainsMessageOrder = false
        messenger.maintainsMessageOrder = true
        messenger.send(1)
        #expect(log == ["begin 1", "end 1", "begin 2", "end 2"])
    }
}
