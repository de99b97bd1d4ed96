// SPDX-License-Identifier: MIT

import ObserverEngine
import TestSupport
import Testing

@Suite("What is done on demand") struct ShareTests {
    /// Numbers its runs, and ends them when a test says so.
    private final class Source {
        let core = Core<MessageClosure<Int>>()
        let runs: Share<MessageClosure<Int>>
        private let calls = Recorder<String>()
        var log: [String] { calls.entries }

        init() {
            runs = Share(of: core, hiding: 1)
            let runs = runs
            _ = core.observe(MessageClosure { runs.remember($0) })
            runs.set { [calls] run in
                calls.record("begin \(run)")
                return { calls.record("cancel \(run)") }
            }
        }

        deinit {
            runs.cancel()
            core.close()
        }

        func observe(_ receive: @escaping (Int) -> Void = { _ in }) -> ObservationID {
            core.observe(replaying: { [self] in runs.replay(for: self, author: ()) }) { _ in MessageClosure(receive) }
        }
    }

    @Test func itBeginsWithTheFirstObservationOnly() {
        let source = Source()
        #expect(source.log == [])
        _ = source.observe()
        _ = source.observe()
        #expect(source.log == ["begin 1"])
    }

    @Test func itIsCancelledWithTheLastAndBeginsAgain() {
        let source = Source(), first = source.observe(), second = source.observe()
        first.stop()
        #expect(source.log == ["begin 1"])
        second.stop()
        _ = source.observe()
        #expect(source.log == ["begin 1", "cancel 1", "begin 3"])
    }

    @Test func whatComesOfACancelledRunIsNotWanted() {
        let source = Source()
        source.observe().stop()
        #expect(!source.runs.isWanted(1))
        #expect(!source.runs.finish(1))
    }

    @Test func whatIsDoneIsReplayedToLaterObservers() {
        let source = Source(), first = source.observe()
        #expect(source.runs.finish(1))
        source.core.send(7)
        first.stop()
        var received: [Int] = []
        _ = source.observe { received.append($0) }
        #expect(received == [7] && source.log == ["begin 1"])
    }

    @Test func itIsCancelledWhenTheObservableDiesUnlessItIsDone() {
        let unfinished = Source()
        _ = unfinished.observe()
        unfinished.runs.cancel()
        #expect(unfinished.log == ["begin 1", "cancel 1"])
        let finished = Source()
        _ = finished.observe()
        #expect(finished.runs.finish(1))
        finished.runs.cancel()
        #expect(finished.log == ["begin 1"])
    }

    @Test func aCancelledRunIsForgotten() {
        let source = Source(), first = source.observe()
        source.core.send(7)
        first.stop()
        var received: [Int] = []
        _ = source.observe { received.append($0) }
        #expect(received == [])
    }
}
