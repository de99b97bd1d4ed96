// SPDX-License-Identifier: MIT

import ObserverEngine
import TestSupport
import Testing

@Suite("What is done on demand") struct DemandTests {
    /// Numbers its runs, and ends them when a test says so.
    private final class Source {
        let core = Core<MessageClosure<Int>>()
        let demand: Demand<MessageClosure<Int>>
        private let runs = Recorder<String>()
        var log: [String] { runs.entries }

        init() {
            demand = Demand(of: core, hiding: 1)
            let demand = demand
            _ = core.observe(MessageClosure { demand.remember($0) })
            demand.begin = { [runs] run in
                runs.record("begin \(run)")
                return { runs.record("cancel \(run)") }
            }
        }

        deinit {
            demand.cancel()
            core.close()
        }

        func observe(_ receive: @escaping (Int) -> Void = { _ in }) -> ObservationID {
            core.observe(replaying: { [demand] in demand.replay(author: ()) }) { _ in MessageClosure(receive) }
        }
    }

    @Test func itBeginsWithTheFirstObservationOnly() {
        let source = Source()
        #expect(source.log == [])
        _ = source.observe()
        _ = source.observe()
        #expect(source.log == ["begin 1"])
    }

    @Test func itIsCancelledWithTheLastAndBegunAnew() {
        let source = Source(), first = source.observe(), second = source.observe()
        first.stop()
        #expect(source.log == ["begin 1"])
        second.stop()
        _ = source.observe()
        #expect(source.log.first == "begin 1" && source.log.contains("cancel 1"))
        #expect(source.log.count == 3)
    }

    @Test func whatComesOfACancelledRunIsNotWanted() {
        let source = Source()
        source.observe().stop()
        #expect(!source.demand.isWanted(1))
        #expect(!source.demand.finish(1, isDone: true))
    }

    @Test func whatIsDoneIsReplayedToLaterObservers() {
        let source = Source(), first = source.observe()
        #expect(source.demand.finish(1, isDone: true))
        source.core.send(7)
        first.stop()
        var received: [Int] = []
        _ = source.observe { received.append($0) }
        #expect(received == [7] && source.log == ["begin 1"])
    }

    @Test func whatWasNotDoneIsBegunAgainForTheNextObserver() {
        let source = Source()
        _ = source.observe()
        #expect(source.demand.finish(1, isDone: false))
        _ = source.observe()
        #expect(source.log == ["begin 1", "begin 2"])
    }
}

@Suite("What begins late") struct LateBeginningTests {
    @Test func itBeginsUnlessItIsOver() {
        let late = LateBeginning<Int>()
        #expect(late.begin { 1 } == nil)
        #expect(late.end() == 1)
        #expect(late.end() == nil)
        var made = false
        let begun = late.begin {
            made = true
            return 2
        }
        #expect(begun == nil && !made)
    }

    @Test func whatIsOverWhileItBeginsIsForTheOneWhoBegan() {
        let late = LateBeginning<Int>()
        let begun = late.begin {
            #expect(late.end() == nil)
            return 1
        }
        #expect(begun == 1)
    }

    @Test func whatBeginsIsEndedOnceWhateverThreadIsFaster() {
        for _ in 0..<500 {
            let late = LateBeginning<Int>(), begun = Recorder<Void>(), ended = Recorder<Int>()
            onThreads(2) { thread in
                func begin() -> Int {
                    begun.record()
                    return 1
                }
                if let one = thread == 0 ? late.begin(begin) : late.end() { ended.record(one) }
            }
            #expect(ended.count == begun.count)
        }
    }
}
