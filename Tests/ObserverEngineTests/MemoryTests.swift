// SPDX-License-Identifier: MIT

import CPlatform
import Testing
import TestSupport

@testable import ObserverEngine

/// Law 14: nothing grows that is not in use.
@Suite struct MemoryTests {
    @Test func theEntriesShrinkWithTheNumberOfObservations() {
        let observed = Observed()
        let ids = (0..<10_000).map { _ in observed.observe { _ in } }
        #expect(observed.core.entries!.capacity < 16_000)
        for id in ids { id.stop() }
        #expect(observed.core.entries!.count == 0)
        #expect(observed.core.entries!.capacity <= 16)
    }

    @Test func observingAndStoppingAmongManyTakesNoRoom() {
        let observed = Observed()
        for _ in 0..<1_000 { observed.observe { _ in } }
        let capacity = observed.core.entries!.capacity
        for _ in 0..<20_000 { observed.observe { _ in }.stop() }
        #expect(observed.core.entries!.capacity == capacity)
    }

    @Test func anObservationCostsAtMostOneHundredBytesOfTheEngine() {
        let perObservation =
            MemoryLayout<TestHandler>.stride + MemoryLayout<SlotPointer?>.stride
            + MemoryLayout<Slot>.stride
        #expect(perObservation <= 100)
    }

    @Test func stoppingInTheMiddleLeavesHalfGapsAtMost() {
        let observed = Observed()
        let ids = (0..<1_000).map { _ in observed.observe { _ in } }
        for (index, id) in ids.enumerated() where index % 10 != 0 { id.stop() }
        #expect(observed.core.entries!.count <= 300)
        var received = 0
        observed.observe { _ in received += 1 }
        observed.send(1)
        #expect(received == 1)
    }

    @Test func retiredArraysAreFreedByTheDeliveryThatReadThem() {
        let observed = Observed()
        observed.observe { message in
            if message == 1 { for _ in 0..<100 { observed.observe { _ in } } }
        }
        observed.send(1)
        #expect(observed.core.backlog?.pointee.retiredArrays.isEmpty == true)
        #expect(observed.core.backlog?.pointee.ended.isEmpty == true)
    }

    @Test func aQueueThatHasEmptiedGivesItsMemoryBack() {
        let queue = MessageQueue<Int, String>()
        for number in 0..<1_000 { queue.append(number, "") }
        for number in 0..<1_000 { #expect(queue.popFirst()?.message == number) }
        #expect(queue.popFirst() == nil)
        #expect(queue.capacity == 0)
    }

    @Test func aQueueIsFirstInFirstOutAcrossItsSeam() {
        let queue = MessageQueue<Int, String>()
        var next = 0, expected = 0
        for round in 1...200 {
            for _ in 0..<(round % 7) {
                queue.append(next, "\(next)")
                next += 1
            }
            for _ in 0..<(round % 5) {
                guard let element = queue.popFirst() else { break }
                #expect(element.message == expected)
                #expect(element.author == "\(expected)")
                expected += 1
            }
        }
        #expect(queue.count == next - expected)
    }

    @Test func whatAQueueStillHoldsIsLetGoWithIt() {
        let leaked = leaks { track in
            let queue = MessageQueue<Mortal, Mortal>()
            for _ in 0..<10 { queue.append(track(Mortal()), track(Mortal())) }
            for _ in 0..<3 { _ = queue.popFirst() }
            for _ in 0..<3 { queue.append(track(Mortal()), track(Mortal())) }
        }
        #expect(leaked.isEmpty)
    }

    @Test func idsAreNeverZeroAndNeverUsedAgain() {
        let observed = Observed()
        var seen: Set<UInt64> = []
        for _ in 0..<200 {
            let ids = (0..<50).map { _ in observed.observe { _ in } }
            for id in ids {
                #expect(id.rawValue != 0)
                #expect(seen.insert(id.rawValue).inserted)
                id.stop()
            }
        }
    }

    @Test func aKeeperForgetsObservationsThatHaveEnded() {
        let observed = Observed(), keeper = Keeper()
        for _ in 0..<10_000 {
            let id = observed.observe { _ in }
            keeper.keep(id)
            id.stop()
        }
        #expect(keeper.idCount <= 8)
    }
}

extension Keeper {
    fileprivate var idCount: Int {
        (Mirror(reflecting: self).descendant("kept", "ids") as? [ObservationID])?.count ?? .max
    }
}
