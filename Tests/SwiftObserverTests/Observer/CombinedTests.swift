// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 21: combined observation") struct CombinedTests {
    @Test func whenOneSendsTheOthersAreFetched() {
        let tv = Var("off"), bowl = Var(0), doorbell = Var(false).new(), dog = Dog()
        var received: [String] = []
        dog.observe(tv, bowl, doorbell) { image, food, rings in
            received.append("\(image.old)-\(image.new) \(food.old)-\(food.new) \(rings)")
        }
        tv <- "on"
        bowl <- 5
        doorbell.source <- true
        #expect(received == ["off-on 0-0 false", "on-on 0-5 false", "on-on 5-5 true"])
    }

    @Test func anyNumberCanBeCombined() {
        let vars = (0..<6).map { Var($0).new() }, dog = Dog()
        var sums: [Int] = []
        dog.observe(vars[0], vars[1]) { sums.append($0 + $1) }
        dog.observe(vars[0], vars[1], vars[2], vars[3], vars[4], vars[5]) { a, b, c, d, e, f in
            sums.append(a + b + c + d + e + f)
        }
        withExtendedLifetime(vars) { vars[1].source <- 100 }
        #expect(sums == [100, 114])
    }

    @Test func theAuthorComesLast() {
        let a = Var(1), b = Var(2), c = Var(3), d = Var(4), e = Var(5), dog = Dog(), writer = Dog()
        var received: [[Int]] = []
        dog.observe(a, b) { a, b, author in
            if author === writer { received.append([a.new, b.new]) }
        }
        dog.observe(a, b, c) { a, b, c, author in
            if author === writer { received.append([a.new, b.new, c.new]) }
        }
        dog.observe(a, b, c, d) { a, b, c, d, author in
            if author === writer { received.append([a.new, b.new, c.new, d.new]) }
        }
        dog.observe(a, b, c, d, e) { a, b, c, d, e, author in
            if author === writer { received.append([a.new, b.new, c.new, d.new, e.new]) }
        }
        b.set(9, author: writer)
        #expect(received == [[1, 9], [1, 9, 3], [1, 9, 3, 4], [1, 9, 3, 4, 5]])
    }

    @Test func itFallsSilentWhenOneDies() {
        let number = Var(1), dog = Dog()
        var text: Var<String>? = Var("a")
        var received = 0
        let observation = dog.observe(number, text!) { _, _ in received += 1 }
        number <- 2
        #expect(received == 1)
        #expect(observation.isLiving)
        text = nil
        number <- 3
        #expect(received == 1)
        #expect(!observation.isLiving)
    }

    @Test func itKeepsNoneOfThem() {
        let dog = Dog()
        let leaked = leaks { track in
            dog.observe(track(Var(1)), track(Var(2)), track(Var(3))) { _, _, _ in }
            let mortal = track(Mortal())
            dog.observe(track(Var(1)), track(Var(2))) { _, _ in withExtendedLifetime(mortal) {} }
        }
        #expect(leaked.isEmpty)
    }

    @Test func itsHandleStopsAllOfIt() {
        let a = Var(1), b = Var(1), dog = Dog()
        var received = 0
        let observation = dog.observe(a, b) { _, _ in received += 1 }
        #expect(dog.isObserving(a) && dog.isObserving(b))
        #expect(observation.stop())
        #expect(!observation.stop())
        a <- 2
        b <- 2
        #expect(received == 0)
        #expect(!dog.isObserving(a) && !dog.isObserving(b))
    }

    @Test func stoppingOneObservableLeavesTheOthers() {
        let a = Var(1), b = Var(1), dog = Dog()
        var received: [Int] = []
        dog.observe(a, b) { received.append($0.new * 10 + $1.new) }
        dog.stopObserving(a)
        a <- 2
        b <- 3
        #expect(received == [23])
    }

    @Test func itEndsWithItsObserver() {
        let a = Var(1), b = Var(1)
        var dog: Dog? = Dog()
        var received = 0
        dog!.observe(a, b) { _, _ in received += 1 }
        dog = nil
        a <- 2
        #expect(received == 0)
    }

    @Test func theSameObservableMayStandInItTwice() {
        let number = Var(1), dog = Dog()
        var received: [[Int]] = []
        dog.observe(number, number) { received.append([$0.old, $0.new, $1.old, $1.new]) }
        number <- 2
        #expect(received == [[1, 2, 1, 2], [1, 2, 1, 2]])
    }

    @Test func whatItsHandlerSetsComesAfterTheHandler() {
        let a = Var(0), b = Var(0), dog = Dog()
        var log: [String] = []
        dog.observe(a, b) { first, second in
            log.append("begin \(first.new) \(second.new)")
            if second.new == 0 { b <- 1 }
            log.append("end")
        }
        a <- 1
        #expect(log == ["begin 1 0", "end", "begin 1 1", "end"])
    }

    @Test func itsHandlerRunsOnOneThreadAtATime() {
        let a = Var(0), b = Var(0), dog = Dog()
        nonisolated(unsafe) var received = 0
        let observation = dog.observe(a, b) { _, _ in received += 1 }
        onThreads(2) { index in
            for round in 1...2_000 { (index == 0 ? a : b) <- round }
        }
        #expect(received == 4_000)
        observation.stopAndWait()
    }
}
