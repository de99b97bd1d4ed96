// SPDX-License-Identifier: MIT

import ObserverEngine
import Testing
import TestSupport

@Suite struct DeferredVariableTests {
    typealias Number = DeferredVariable<Int, KeptClosure<String>>

    private func make(_ value: Int = 1) -> Number {
        Number(core: Core(), value: value, isEqual: ==) { "\($0) \($1)" }
    }

    @Test func comparingMaySetTheVariable() {
        let core = Core<KeptClosure<String>>()
        nonisolated(unsafe) var number: DeferredVariable<Int, KeptClosure<String>>!
        nonisolated(unsafe) var comparisons: [String] = []
        number = DeferredVariable(
            core: core, value: 1,
            isEqual: { old, new in
                comparisons.append("\(old) \(new) \(number.get())")
                if comparisons.count == 1 { _ = number.set(5, author: ()) }
                return old == new
            },
            makeMessage: { "\($0) \($1)" })
        var received: [String] = []
        _ = core.observe(KeptClosure { received.append($0) })
        _ = number.set(2, author: ())
        #expect(comparisons == ["1 2 1", "2 5 2"])
        #expect(received == ["1 2", "2 5"])
        core.close()
    }

    @Test func aResetSendsNothingAndTakesNoTurn() {
        let number = make()
        var received: [String] = []
        _ = number.core.observe(
            KeptClosure {
                received.append($0)
                number.reset(7)
                received.append("\(number.get())")
            })
        number.reset(5)
        _ = number.set(6, author: ())
        #expect(received == ["5 6", "7"])
        number.core.close()
    }

    /// Law 8
    @Test func aClosedVariableHoldsWhatIsSetAndSendsNothing() {
        let number = make()
        var received: [String] = []
        _ = number.core.observe(KeptClosure { received.append($0) })
        number.core.close()
        #expect(number.set(2, author: ()) == .sent)
        number.beginBatch()
        _ = number.set(3, author: ())
        #expect(number.endBatch() == .sent)
        #expect(number.get() == 3)
        #expect(received.isEmpty)
    }

    /// Law 11
    @Test func aValueThatIsLetGoMayReadAndSetTheVariable() {
        final class Value {
            let number: Int
            let atEnd: (Int) -> Void
            init(_ number: Int, _ atEnd: @escaping (Int) -> Void) { (self.number, self.atEnd) = (number, atEnd) }
            deinit { atEnd(number) }
        }
        let core = Core<KeptClosure<Int>>()
        nonisolated(unsafe) var latest: DeferredVariable<Value?, KeptClosure<Int>>!
        var read: [String] = []
        let note = { (number: Int) in read.append("\(number) went, \(latest.get()?.number ?? 0) is there") }
        latest = DeferredVariable(core: core, value: Value(1, note)) { _, new in new?.number ?? 0 }
        _ = latest.set(Value(2, note), author: ())
        latest.reset(Value(3, note))
        let observation = core.observe(KeptClosure { if $0 == 4 { _ = latest.set(Value(5, note), author: ()) } })
        _ = latest.set(Value(4, note), author: ())
        observation.stop()
        _ = latest.set(nil, author: ())
        #expect(
            read == [
                "1 went, 2 is there", "2 went, 3 is there", "3 went, 4 is there", "4 went, 5 is there",
                "5 went, 0 is there",
            ])
        core.close()
    }

    @Test func nothingThatWasAssignedIsLeft() {
        let leaked = leaks { track in
            let core = Core<KeptClosure<Mortal>>()
            let latest = DeferredVariable(core: core, value: track(Mortal())) { _, new in new }
            _ = core.observe(KeptClosure { _ in if latest.get() !== latest.get() { Issue.record("another") } })
            for _ in 0..<3 { _ = latest.send(track(Mortal()), author: ()) }
            core.close()
        }
        #expect(leaked.isEmpty)
    }

    @Test func aResetMeetsAssignmentsOfOtherThreads() {
        let number = makeList()
        nonisolated(unsafe) let variable = number
        nonisolated(unsafe) var count = 0
        _ = number.core.observe(KeptClosure { _ in count += 1 })
        onThreads(4) { thread in
            for value in 0..<1000 {
                if thread < 2 { _ = variable.set([thread, value], author: ()) } else { variable.reset([-thread]) }
            }
        }
        // Nothing assigned equals what a reset leaves.
        #expect(count == 2000)
        number.core.close()
    }

    private func makeList() -> DeferredVariable<[Int], KeptClosure<([Int], [Int])>> {
        DeferredVariable(core: Core(), value: [0], isEqual: ==) { ($0, $1) }
    }
}
