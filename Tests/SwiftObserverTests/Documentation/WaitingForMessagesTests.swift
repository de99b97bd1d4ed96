// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Documentation: Waiting for Messages") struct WaitingForMessagesTests {
    let sky = Messenger<String>(), hunger = Var(0), dog = Dog()

    @Test func aLoopOverMessages() async {
        var seen: [String] = []

        let colors = sky.messages()
        sky.send("blue")
        sky.send("red")
        for await color in colors {
            seen.append(color)
            if color == "red" { break }
        }

        #expect(seen == ["blue", "red"])
    }

    @Test func aLoopInsideATask() async {
        let sky = Messenger<String>(), seen = Recorder<String>()
        @Sendable func print(_ color: String) { seen.record(color) }

        // Do not: what is sent before the task runs is lost.
        Task { for await color in sky.messages() { print(color) } }

        // Do: make the sequence first.
        let colorsFromNowOn = sky.messages()
        Task { for await color in colorsFromNowOn { print(color) } }

        sky.send("blue")
        while seen.entries.isEmpty { await Task.yield() }
        #expect(Set(seen.entries) == ["blue"])
    }

    @Test func eachTaskHasASequenceOfItsOwn() async {
        let first = sky.messages(), second = sky.messages()
        sky.send("blue")
        async let one = first.first { _ in true }
        async let other = second.first { _ in true }
        #expect(await [one, other] == ["blue", "blue"])
    }

    @Test func aLoopThatBeginsWithTheLatestMessage() async {
        var levels: [Int] = []

        for await update in hunger.messages(replaying: .latest) {
            levels.append(update.new)
            if update.new > 7 { break }
            hunger <- update.new + 4
        }

        #expect(levels == [0, 4, 8])
    }

    @Test func whatTheSequenceKeeps() async {
        let barks = hunger.new().filter { $0 > 7 }.map { "\($0) times" }.messages()
        hunger <- 12

        #expect(await barks.first { _ in true } == "12 times")
    }

    @Test func aLoopThatIsSlower() async {
        let newest = sky.messages(buffering: .newest(1))
        for color in ["blue", "grey", "black"] { sky.send(color) }

        #expect(await newest.first { _ in true } == "black")
    }

    @Test func oneMessage() async {
        let sky = Messenger<String>(), hunger = Var(0)

        async let next = sky.next()
        async let alarming = hunger.next { $0.new > 20 }

        while !sky.isObserved || !hunger.isObserved { await Task.yield() }
        sky.send("blue")
        hunger <- 3
        hunger <- 21
        #expect(await next == "blue")
        #expect(await alarming == Update(3, 21))
    }

    @Test func withAnObserver() async {
        let needs = dog.observe(hunger).new().filter { $0 > 7 }.messages()

        hunger <- 8
        #expect(await needs.first { _ in true } == 8)
    }
}
