// SPDX-License-Identifier: MIT

import SwiftObserver
import Synchronization
import Testing
import TestSupport

/// How often a function runs.
final class Runs: Sendable {
    private let number = Atomic(0)

    func count() { number.add(1, ordering: .relaxed) }

    var taken: Int { number.exchange(0, ordering: .relaxed) }
}

/// Laws 26 to 31 and 35.
@Suite("Derived variables") struct DerivedTests {
    @Test func aDerivedVariableHasTheValueOfItsFunctionAndRunsWhenItIsRead() {
        let width = Var(2.0), height = Var(3.0), runs = Runs()
        let area = Derived {
            runs.count()
            return width.value * height.value
        }
        #expect(runs.taken == 0)
        #expect(area.value == 6 && area.value == 6 && runs.taken == 1)
        width.value = 4
        #expect(runs.taken == 0 && area.value == 12 && runs.taken == 1)
    }

    @Test func aDiamondIsComputedOnceAndSendsOnce() {
        let source = Var(1), runs = Runs(), dog = Dog()
        let left = Derived { source.value + 1 }, right = Derived { source.value * 10 }
        let both = Derived {
            runs.count()
            return left.value + right.value
        }
        dog.listen(to: both)
        _ = runs.taken
        source.value = 2
        #expect(dog.heard == ["12>23"] && runs.taken == 1)
    }

    @Test func nothingBehindAnEqualValueRuns() {
        let number = Var(1), runs = Runs(), dog = Dog()
        let isOdd = Derived { number.value % 2 == 1 }
        let text = Derived {
            runs.count()
            return isOdd.value ? "odd" : "even"
        }
        dog.listen(to: text)
        _ = runs.taken
        for new in [3, 5, 6] { number.value = new }
        #expect(dog.heard == ["odd>even"] && runs.taken == 1)
    }

    @Test func whatIsNoNumberEqualsItself() {
        let number = Var(1.0), dog = Dog()
        let root = Derived { number.value < 0 ? Double.nan : number.value }
        dog.listen(to: root)
        number.value = -1
        number.value = -2
        #expect(dog.heard == ["1.0>nan"])
    }

    @Test func whatIsReadIsNotedAnewEachTimeAndNothingUntrackedIs() {
        let isFirst = Var(true), one = Var(1), other = Var(2), unnoted = Var(100), runs = Runs()
        let chosen = Derived {
            runs.count()
            return (isFirst.value ? one.value : other.value) + untracked { unnoted.value }
        }
        #expect(chosen.value == 101 && runs.taken == 1)
        other.value = 20
        unnoted.value = 200
        #expect(chosen.value == 101 && runs.taken == 0)
        isFirst.value = false
        #expect(chosen.value == 220 && runs.taken == 1)
        one.value = 10
        #expect(chosen.value == 220 && runs.taken == 0)
    }

    @Test func itIsAVariableForEverythingThatTakesOne() {
        let number = Var(1), dog = Dog()
        let doubled = Derived { number.value * 2 }
        doubled.messenger.name = "doubled"
        #expect(graphDOT(doubled).contains("doubled"))
        dog.observe(doubled, replaying: .latest) { update in dog.hear("replayed \(update.new)") }
        dog.observe(doubled).new().filter { $0 > 5 }.receive { dog.hear("ad hoc \($0)") }
        let text = doubled.new().map { "text \($0)" }
        dog.observe(text) { dog.hear($0) }
        dog.observe(number, text) { update, text in dog.hear("\(update.new) and \(text)") }
        #expect(dog.heard == ["replayed 2"] && text.latestMessage == "text 2")
        number.value = 5
        #expect(dog.heard.contains("replayed 10") && dog.heard.contains("ad hoc 10"))
        #expect(dog.heard.contains("text 10") && dog.heard.contains("5 and text 10"))
    }

    @Test func itsUpdatesAreItsOwnAndCome() async {
        let number = Var(1)
        let doubled = Derived { number.value * 2 }
        let author = FreeObserver()
        let dog = Dog()
        dog.observe(doubled) { _, author in dog.hear(isSame(author, doubled)) }
        let messages = doubled.new().messages()
        number.set(2, author: author)
        number.value = 3
        var received: [Int] = []
        for await new in messages {
            received.append(new)
            if received.count == 2 { break }
        }
        #expect(received == [4, 6] && dog.heard == ["true", "true"])
    }

    @Test func itIsReleasedWithItsLastOwnerAndItsObservationsEnd() {
        let left = leaks { tracker in
            let number = tracker(Var(1))
            let doubled = tracker(Derived { number.value * 2 })
            let next = tracker(Derived { doubled.value + 1 })
            let dog = Dog()
            dog.listen(to: next)
            number.value = 2
            #expect(next.value == 5 && dog.heard == ["3>5"])
        }
        #expect(left == [])
        let number = Var(1), dog = Dog()
        let handle = dog.listen(to: Derived { number.value })
        #expect(!handle.isLiving)
        number.value = 2
        #expect(dog.heard == [])
    }

    @Test func aChainOfAHundredThousandIsMadeReadSetAndReleasedOnASmallStack() {
        onSmallStack {
            let number = Var(0)
            var last = Derived { number.value + 1 }
            for length in 2...100_000 {
                let before = last
                last = Derived { before.value + 1 }
                #expect(last.value == length)
            }
            number.value = 1
            #expect(last.value == 100_001)
            let dog = Dog()
            dog.listen(to: last)
            number.value = 2
            #expect(dog.heard == ["100001>100002"])
        }
    }

    // MARK: Failures

    private struct Negative: Error, Equatable {}

    @Test func whatAFunctionThrowsIsItsValueUntilSomethingChanges() throws {
        let number = Var(-1), runs = Runs()
        let checked = Derived {
            runs.count()
            if number.value < 0 { throw Negative() }
            return number.value
        }
        let next = Derived { try checked.value + 1 }
        let guarded = Derived { (try? checked.value) ?? 0 }
        #expect(throws: Negative.self) { try checked.value }
        #expect(throws: Negative.self) { try next.value }
        #expect(guarded.value == 0 && runs.taken == 1)
        if case .failure(let error) = checked.result { #expect(error is Negative) } else { Issue.record() }
        number.value = 5
        #expect(try checked.value == 5 && next.value == 6 && guarded.value == 5)
    }

    @Test func theUpdateAfterAFailureBeginsWithTheLastValue() {
        let number = Var(1), dog = Dog()
        let checked = Derived { if number.value < 0 { throw Negative() } else { number.value } }
        dog.listen(to: checked)
        number.value = -1
        number.value = 2
        #expect(dog.heard == ["1>2"])
    }

    @Test func oneThatNeedsItsOwnValueThrowsTheNamesOnTheWay() throws {
        let circle = Circle()
        #expect {
            try circle.a.value
        } throws: { error in
            let names = (error as? CycleError)?.names ?? ""
            return names.contains("a -> b -> a") || names.contains("b -> a -> b")
        }
        circle.isClosed.value = false
        #expect(try circle.a.value == 1 && circle.b.value == 2)
    }

    private final class Circle: @unchecked Sendable {
        let isClosed = Var(true)
        private(set) var a: Derived<Int, any Error>!
        private(set) var b: Derived<Int, any Error>!

        init() {
            a = Derived { [unowned self] in if isClosed.value { try b.value } else { 1 } }
            b = Derived { [unowned self] in try a.value + 1 }
            a.messenger.name = "a"
            b.messenger.name = "b"
        }
    }

    private final class OwnValue: @unchecked Sendable {
        private(set) var number: Derived<Int, Never>!

        init() {
            number = Derived { [unowned self] in number.value + 1 }
            number.messenger.name = "number"
        }
    }

    enum Misuse: Codable, CaseIterable {
        case set, update, transaction, effect, cycle, deferred, inTransaction

        func commit() {
            let other = Var(1), deferred = DeferredVar(1)
            switch self {
            case .set: _ = Derived { other.value = 2 }.value
            case .update: _ = Derived { other.update { $0 += 1 } }.value
            case .transaction: _ = Derived { SwiftObserver.transaction { other.value } }.value
            case .effect: _ = Derived { SwiftObserver.effect { _ = other.value } }.value
            case .cycle: withExtendedLifetime(OwnValue()) { _ = $0.number.value }
            case .deferred: _ = Derived { deferred.value = 2 }.value
            case .inTransaction: SwiftObserver.transaction { deferred.value = 2 }
            }
        }

        var sentence: String {
            switch self {
            case .cycle: "a derived variable needs its own value: number -> number"
            case .inTransaction: "a variable that defers its assignments is set in no transaction"
            default: "the function of a derived variable changes nothing"
            }
        }
    }

    @Test(arguments: Misuse.allCases) func aMisuseEndsTheProcessWithASentence(_ misuse: Misuse) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
            misuse.commit()
        }
        #expect(isSaid(misuse.sentence, in: result?.standardErrorContent))
    }

    // MARK: Threads

    @Test func aFunctionSeesOneMomentWhateverTwoThreadsSet() {
        let one = Var(0), other = Var(0)
        let sum = Derived {
            let (first, second) = (one.value, other.value)
            precondition(first + second == 0, "a mixture")
            return first
        }
        let dog = Dog()
        dog.listen(to: sum)
        let ended = Atomic(0)
        onThreads(4) { index in
            if index < 2 {
                for turn in 1...1000 {
                    transaction {
                        one.value = turn
                        other.value = -turn
                    }
                }
                ended.add(1, ordering: .releasing)
            } else {
                while ended.load(ordering: .acquiring) < 2 {
                    _ = sum.value
                    let (first, second) = snapshot { (one.value, other.value) }
                    precondition(first + second == 0, "half of a transaction")
                }
            }
        }
        #expect(sum.value == 1000 && dog.heard.last?.hasSuffix(">1000") == true)
    }

    // MARK: What newcomers write: whether a form can be sent

    final class Form: Sendable {
        let name = Var(""), address = Var(""), age = Var("")
        let years: Derived<Int, any Error>
        let canBeSent: Derived<Bool, Never>

        struct NoNumber: Error {}

        init() {
            let years = Derived { [age] in
                guard let number = Int(age.value) else { throw NoNumber() }
                return number
            }
            let isAdult = Derived { ((try? years.value) ?? 0) >= 18 }
            let isComplete = Derived { [name, address] in !name.value.isEmpty && address.value.contains("@") }
            self.years = years
            canBeSent = Derived { isComplete.value && isAdult.value }
        }
    }

    @Test func aFormSaysWhenItCanBeSent() {
        let form = Form(), dog = Dog()
        dog.effect { dog.hear(form.canBeSent.value) }
        form.name.value = "Ada"
        form.age.value = "36"
        form.address.value = "ada"
        #expect(dog.heard == ["false"])
        form.address.value = "ada@example.org"
        #expect(dog.heard == ["false", "true"])
        transaction {
            form.name.value = "Byron"
            form.age.value = "thirty"
            form.age.value = "35"
        }
        #expect(dog.heard == ["false", "true"])
        form.age.value = "?"
        #expect(dog.heard == ["false", "true", "false"])
        #expect(throws: Form.NoNumber.self) { try form.years.value }
    }

    /// What a screen writes, on the main actor.
    @MainActor final class FormScreen: Observer {
        let receiver = Receiver()
        private(set) var isEnabled = false
        private(set) var hints: [String] = []

        init(_ form: Form) {
            effect { [unowned self] in isEnabled = form.canBeSent.value }
            observe(form.address).new().map { $0.contains("@") ? "" : "no address" }.receive { [unowned self] in
                hints.append($0)
            }
        }
    }

    @MainActor @Test func aScreenFollowsAFormThatIsFilledInElsewhere() async {
        let form = Form(), screen = FormScreen(form)
        #expect(!screen.isEnabled)
        await Task.detached {
            transaction {
                form.name.value = "Ada"
                form.address.value = "ada@example.org"
                form.age.value = "36"
            }
        }.value
        while !screen.isEnabled { await Task.yield() }
        while screen.hints.isEmpty { await Task.yield() }
        #expect(screen.hints == [""])
    }
}
