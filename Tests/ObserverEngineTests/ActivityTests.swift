// SPDX-License-Identifier: MIT

import ObserverEngine
import TestSupport
import Testing

@Suite("What is active while an observable is observed") struct ActivityTests {
    /// An observable with one observation of its own, which does something on demand.
    private final class Source {
        let core = Core<MessageClosure<Int>>()
        let activity: Activity<Source>
        private let calls = Recorder<String>()
        var log: [String] { calls.entries }

        init() {
            activity = Activity(of: core, hiding: 1)
            activity.follow()
            _ = core.observe(MessageClosure { _ in })
        }

        deinit {
            core.close()
            activity.set(nil, for: nil)
        }

        func act(_ name: String = "", atBegin: @escaping () -> Void = {}) {
            let calls = calls
            activity.set(
                .init { begins in
                    calls.record((begins ? "begin" : "end") + name)
                    if begins { atBegin() }
                },
                for: self)
        }

        func observe() -> ObservationID {
            let id = core.observe(MessageClosure { _ in })
            activity.settle(self)
            return id
        }
    }

    @Test func itBeginsWithTheFirstObservationAndEndsWithTheLast() {
        let source = Source()
        source.act()
        #expect(source.log == [])
        let first = source.observe(), second = source.observe()
        first.stop()
        #expect(source.log == ["begin"])
        second.stop()
        #expect(source.log == ["begin", "end"])
        _ = source.observe()
        #expect(source.log == ["begin", "end", "begin"])
    }

    @Test func whatHasBegunEndsBeforeSomethingElseBegins() {
        let source = Source()
        _ = source.observe()
        source.act(" one")
        source.act(" other")
        source.activity.set(nil, for: source)
        #expect(source.log == ["begin one", "end one", "begin other", "end other"])
    }

    @Test func itEndsWithTheObservable() {
        let ended = Recorder<Bool>()
        do {
            let source = Source()
            source.activity.set(.init { if !$0 { ended.record(true) } }, for: source)
            _ = source.observe()
        }
        #expect(ended.entries == [true])
    }

    @Test func whatPassesDuringACallIsNotNoticed() {
        let source = Source(), other = Recorder<Bool>()
        source.act(atBegin: { [unowned source] in
            source.observe().stop()
            other.record(true)
        })
        source.observe().stop()
        #expect(source.log == ["begin", "end"])
        #expect(other.entries == [true])
    }
}
