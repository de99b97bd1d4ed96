// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("A combination as an observable") struct CombinationTests {
    let a = Messenger<Int>(), b = Messenger<String>(), name = Var("Ann"), age = Var(7), dog = Dog()

    @Test func itSendsTheLatestOfEachOnceAllHaveSent() {
        let both = combine(a, b)
        dog.observe(both) { [dog] in dog.hear("\($0.0)\($0.1)") }
        a.send(1)
        b.send("x")
        a.send(2)
        b.send("y")
        #expect(dog.heard == ["1x", "2x", "2y"])
    }

    @Test func whatIsBufferedNeedNotSendFirst() {
        let both = name.new().combined(with: age.new())
        #expect(both.latestMessage == ("Ann", 7))
        dog.observe(both, replaying: .latest) { [dog] in dog.hear("\($0.0)\($0.1)") }
        age <- 8
        name <- "Bo"
        #expect(dog.heard == ["Ann7", "Ann8", "Bo8"])
    }

    @Test func itCanBeMappedAndIsStillBuffered() {
        let isValid = combine(name.new(), age.new()).map { name, age in !name.isEmpty && age > 17 }
        #expect(!isValid.latestMessage)
        let changes = isValid.skipRepeats()
        dog.observe(changes) { [dog] in dog.hear("\($0)") }
        age <- 18
        age <- 19
        name <- ""
        #expect(dog.heard == ["true", "false"])
    }

    @Test func anyNumberIsCombined() {
        let c = Var(3), d = Constant(4), all = combine(age.new(), age.new(), c.new(), d)
        dog.observe(all) { [dog] in dog.hear("\($0.0)\($0.1)\($0.2)\($0.3)") }
        c <- 5
        age <- 8
        #expect(dog.heard == ["7754", "8854", "8854"])
    }

    @Test func theAuthorIsWhoSentTheMessageThatCameIn() {
        let both = combine(a, b), author = Dog()
        dog.observe(both) { [dog] _, by in dog.hear(by === author ? "author" : "other") }
        a.send(1, author: author)
        b.send("x")
        a.send(2, author: author)
        #expect(dog.heard == ["other", "author"])
    }

    @Test func whatIsSentInAHandlerTakesItsTurn() {
        let both = combine(a, b)
        dog.observe(both) { [dog, b] in
            dog.hear("\($0.0)\($0.1)")
            if $0.1 == "x" { b.send("y") }
        }
        dog.observe(both) { [dog] in dog.hear("then \($0.0)\($0.1)") }
        a.send(1)
        b.send("x")
        #expect(dog.heard == ["1x", "then 1x", "1y", "then 1y"])
    }

    @Test func itHoldsItsSourcesAndNothingIsLeft() {
        #expect(
            leaks { track in
                let a = track(Messenger<Int>()), number = track(Var(1))
                let both = track(combine(track(a.map { -$0 }), number))
                both.observe { _ in }.stop()
                a.send(1)
            } == [])
        var source: Messenger<Int>? = Messenger()
        weak let reference = source
        let both = combine(source!, b)
        source = nil
        #expect(reference != nil)
        withExtendedLifetime(both) {}
    }

    @Test func aChainOfTenThousandTakesNoStack() {
        onSmallStack {
            let number = Var(0)
            var end: any BufferedObservable<Int> = number.new()
            func combined(_ one: some BufferedObservable<Int>) -> any BufferedObservable<Int> {
                Cache(combine(one, Constant(1)).map { one, _ in one }, 0)
            }
            for _ in 0..<500 { end = combined(end) }
            number <- 1
            #expect(end.latestMessage == 1)
        }
    }

    @Test func nothingIsLostAmongThreads() {
        let one = Var(0), other = Var(0), both = combine(one.new(), other.new()), count = Var(0)
        dog.observe(both) { _ in count.update { $0 += 1 } }
        onThreads(2) { thread in
            for number in 1...500 { if thread == 0 { one <- number } else { other <- number } }
        }
        #expect(count.value == 1000 && both.latestMessage == (500, 500))
    }
}

@Suite("Several observables as one") struct JoiningTests {
    let a = Messenger<Int>(), b = Messenger<String>(), dog = Dog()

    @Test func zipPairsTheFirstTheSecondAndSoOn() {
        let pairs = zip(a, b), author = Dog()
        dog.observe(pairs) { [dog] in dog.hear("\($0.0)\($0.1)") }
        dog.observe(pairs) { [dog] _, by in if by === author { dog.hear("by author") } }
        for number in 1...3 { a.send(number) }
        b.send("x", author: author)
        b.send("y")
        #expect(dog.heard == ["1x", "by author", "2y"])
    }

    @Test func zipTakesAnyNumber() {
        let c = Messenger<Bool>(), triples = a.zipped(with: b, c)
        dog.observe(triples) { [dog] in dog.hear("\($0.0)\($0.1)\($0.2)") }
        c.send(true)
        a.send(1)
        b.send("x")
        #expect(dog.heard == ["1xtrue"])
    }

    @Test func withLatestFromSendsOnlyForItsOwn() {
        let pairs = a.withLatestFrom(b), name = Var("Ann"), named = a.withLatestFrom(name.new())
        dog.observe(pairs) { [dog] in dog.hear("\($0.0)\($0.1)") }
        dog.observe(named) { [dog] in dog.hear("\($0.0)\($0.1)") }
        a.send(1)
        b.send("x")
        name <- "Bo"
        a.send(2)
        #expect(dog.heard == ["1Ann", "2x", "2Bo"])
    }

    @Test func aSampleIsSentOnce() {
        let samples = a.sample(by: b), author = Dog()
        dog.observe(samples) { [dog] number, by in dog.hear("\(number)\(by === author)") }
        a.send(1)
        a.send(2, author: author)
        b.send("")
        b.send("")
        a.send(3)
        b.send("")
        #expect(dog.heard == ["2true", "3false"])
    }

    @Test func onlyTheLatestOneIsPassedOn() {
        let one = Messenger<Int>(), other = Messenger<Int>(), sources = Messenger<Messenger<Int>>()
        let latest = sources.switchToLatest()
        dog.observe(latest) { [dog] in dog.hear("\($0)") }
        one.send(0)
        sources.send(one)
        other.send(7)
        one.send(1)
        sources.send(other)
        one.send(2)
        other.send(8)
        sources.send(other)
        other.send(9)
        #expect(dog.heard == ["1", "8", "9"])
        #expect(latest.chosen === other && !one.isObserved)
    }

    @Test func whatIsChosenByAClosureIsKept() {
        let latest = a.flatMapLatest { Var($0 * 10).startWith(Update($0, $0 * 10)) }
        dog.observe(latest) { [dog] in dog.hear("\($0.new)") }
        a.send(1)
        a.send(2)
        #expect(dog.heard == ["10", "20"])
    }

    @Test func nilChoosesNothing() {
        let choices = Messenger<Messenger<Int>?>(), latest = choices.switchToLatest()
        dog.observe(latest) { [dog] in dog.hear("\($0)") }
        choices.send(a)
        a.send(1)
        choices.send(nil)
        a.send(2)
        #expect(dog.heard == ["1"] && !a.isObserved)
    }

    @Test func thoseThatWereChosenLastArePassedOn() {
        let rooms = (0..<3).map { _ in Messenger<String>() }, author = Dog()
        let heard = a.flatMap(atMost: 2) { rooms[$0] }
        dog.observe(heard) { [dog] text, by in dog.hear(by === author ? text : "by another") }
        for number in [0, 1, 1, 2, 0] {
            a.send(number)
            for (index, room) in rooms.enumerated() { room.send("\(index)", author: author) }
            dog.hear(" ")
        }
        #expect(dog.heard.joined() == "0 01 1 12 02 ")
        #expect(heard.chosen === rooms[0] && !rooms[1].isObserved)
    }

    @Test func whatIsPassedOnIsKeptAndNothingElse() {
        #expect(
            leaks { track in
                let heard = track(a.flatMap(atMost: 2) { track(Messenger<Int>(), "\($0)") })
                let listening = heard.observe { _ in }
                for number in 0..<3 { a.send(number) }
                withExtendedLifetime(listening) {}
            } == [])
    }

    @Test func anyNumberIsCombinedAsAList() {
        let names = [Messenger<String>(), b, Messenger<String>()], all = combine(names)
        dog.observe(all) { [dog] in dog.hear($0.joined(separator: " ")) }
        names[2].send("z")
        names[0].send("x")
        #expect(dog.heard == [])
        b.send("y")
        names[2].send("!")
        let ones = (1...3).map { Var($0) }, sum = combine(ones.map { $0.new() }).map { $0.reduce(0, +) }
        dog.observe(sum, replaying: .latest) { [dog] in dog.hear("\($0)") }
        ones[1] <- 5
        #expect(dog.heard == ["x y z", "x y !", "6", "9"])
        #expect(combine([Var<Int>]()).latestMessage.isEmpty)
    }

    @Test func nothingIsLeftOfThem() {
        #expect(
            leaks { track in
                let a = track(Messenger<Int>()), b = track(Messenger<Int>())
                let all = [
                    track(zip(a, b)).observe { _ in }, track(a.withLatestFrom(b)).observe { _ in },
                    track(a.sample(by: b)).observe { _ in },
                    track(combine([a, b])).observe { _ in },
                    track(a.flatMapLatest { track(Messenger<Int>(), "\($0)") }).observe { _ in },
                ]
                a.send(1)
                b.send(2)
                withExtendedLifetime(all) {}
            } == [])
    }
}
