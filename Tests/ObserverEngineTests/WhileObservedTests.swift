// SPDX-License-Identifier: MIT

import ObserverEngine
import TestSupport
import Testing

@Suite("What is done while an observable is observed") struct WhileObservedTests {
    /// An observable with one observation of its own, which does something on demand.
    private final class Source {
        let core = Core<MessageClosure<Int>>()
        let whileObserved: WhileObserved
        private let calls = Recorder<String>()
        var log: [String] { calls.entries }

        init() {
            whileObserved = WhileObserved(of: core, hiding: 1)
            whileObserved.follow()
            _ = core.observe(MessageClosure { _ in })
        }

        deinit {
            core.close()
            whileObserved.set(nil, for: nil)
        }

        func act(_ name: String = "", atBegin: @escaping () -> Void = {}) {
            let calls = calls
            whileObserved.set(
                WhileObserved.Work(
                    begin: {
                        calls.record("begin" + name)
                        atBegin()
                    },
                    end: { calls.record("end" + name) }),
                for: self)
        }

        func observe() -> ObservationID {
            let id = core.observe(MessageClosure { _ in })
            whileObserved.settle(self)
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
        source.whileObserved.set(nil, for: source)
        #expect(source.log == ["begin one", "end one", "begin other", "end other"])
    }

    @Test func itEndsWithTheObservable() {
        let ended = Recorder<Bool>()
        do {
            let source = Source()
            source.whileObserved.set(WhileObserved.Work(begin: {}, end: { ended.record(true) }), for: source)
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
