// SPDX-License-Identifier: MIT

import SwiftObserver5
import TestSupport
import Testing

@Suite("Documentation: Coming From the Published SwiftObserver 5") struct ComingFromSwiftObserver5Tests {
    @Test func theSameNames() {
        var printed: [Int] = []
        func print(_ number: Int) { printed.append(number) }
        let observer = Listener()
        let number = Var<Int?>()
        observer.observe(number).new().unwrap(0).filter { $0 > 9 }.receive { print($0) }
        number.int += 10
        #expect(printed == [10])
    }

    @Test func anAssignmentTakesItsTurn() {
        let observer = Listener(), second = Listener(), number = Var(0)
        var seen: [Change<Int>] = []
        observer.observe(number) { change in
            if change.new == 1 { number <- 2 }  // takes its turn
        }
        second.observe(number) { seen.append($0) }
        number <- 1
        #expect(seen == [Change(0, 1), Change(1, 2)])
    }

    class Dog: Observer {
        deinit { stopObserving() }
    }

    @Test func aDogLetsGo() {
        let number = Var(0)
        let leaked = leaks { track in
            let mortal = track(Mortal())
            Dog().observe(number) { _ in withExtendedLifetime(mortal) {} }
        }
        #expect(leaked.isEmpty)
    }

    @Test func theCodeOfTheArticleIsRun() throws {
        #expect(
            try codeThatIsNotRun(
                of: "Sources/SwiftObserver5/SwiftObserver5.docc/ComingFromSwiftObserver5.md",
                by: "Tests/SwiftObserver5Tests/Documentation/ComingFromSwiftObserver5Tests.swift") == [])
    }
}

private final class Listener: Observer {}
