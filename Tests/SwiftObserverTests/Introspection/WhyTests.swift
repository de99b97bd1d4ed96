// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Testing
import TestSupport

/// Each in a process of its own, because answers are kept for a whole process.
@Suite("Why something changed")
struct WhyTests {
    /// Without what differs from run to run.
    private static func told(_ answer: String) -> String {
        answer.split(separator: "\n").map { line in
            line.components(separatedBy: ", on thread")[0] + (line.contains("in handler") ? ", in a handler" : "")
        }.joined(separator: "\n")
    }

    @Test func anAnswerLeadsFromAChangeToWhatCausedIt() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Why.start(values: true)
            let clicks = Messenger<Int>(), width = Var(1), area = Derived { width.value * 2 }
            clicks.name = "clicks"
            width.messenger.name = "width"
            area.messenger.name = "area"
            let dog = Dog(), seen = dog.observe(area) { _ in }
            dog.observe(clicks) { width.value = $0 }
            print(Self.told(width.why()))
            clicks.send(2)
            print(Self.told(width.why()))
            print(Self.told(area.why()))
            print(Self.told(seen.why()))
            print(width.why(.json).contains("\"name\": \"width\""), width.why(.dot).hasPrefix("digraph"))
            Why.stop()
            print(width.why(.json), terminator: "")
            withExtendedLifetime(dog) {}
        }
        #expect(
            result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } == """
                nothing is known
                Var<Int> "width" changed from 1 to 2, in a handler
                  because Messenger<Int> "clicks" sent 2
                Derived<Int, Never> "area" changed from 2 to 4
                  because Var<Int> "width" changed from 1 to 2, in a handler
                  because Messenger<Int> "clicks" sent 2
                Derived<Int, Never> "area" changed from 2 to 4
                  because Var<Int> "width" changed from 1 to 2, in a handler
                  because Messenger<Int> "clicks" sent 2
                true true
                []

                """)
    }

    @Test func anAnswerLeadsThroughTimeCombinationsAndBatches() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Why.start(values: true)
            let clicks = Messenger<Int>(), width = Var(1), height = Var(1), clock = ManualClock(), dog = Dog()
            clicks.name = "clicks"
            width.messenger.name = "width"
            height.messenger.name = "height"
            let calm = clicks.debounce(for: .seconds(1), clock: clock)
            calm.messenger.name = "calm"
            let calmed = dog.observe(calm) { _ in }, both = dog.observe(width, height) { _, _ in }
            clicks.send(1)
            clicks.send(2)
            clock.advance(by: .seconds(1))
            print(Self.told(calmed.why()))
            height.value = 3
            print(Self.told(both.why()))
            let seen = dog.observe(width) { _ in }
            width.batch {
                width.value = 5
            }
            print(Self.told(seen.why()))
            let run = effect { _ = height.value }
            height.value = 4
            print(Self.told(run.observation.why()).replacing(/"0x[0-9a-f]+"/, with: "here"))
            withExtendedLifetime((dog, calm, run)) {}
        }
        #expect(
            result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } == """
                Timed<Messenger<Int>, Int> "calm" sent 2
                  because Messenger<Int> "clicks" sent 2
                Var<Int> "height" changed from 1 to 3
                Var<Int> "width" changed from 1 to 5
                Effect here ran
                  because Var<Int> "height" changed from 3 to 4

                """)
    }

    @Test func anAuthorIsNamedByTypeUnlessItIsTheObservableItself() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Why.start()
            let clicks = Messenger<Int>(), width = Var(1), dog = Dog(), cat = Cat()
            clicks.name = "clicks"
            width.messenger.name = "width"
            let kept = [clicks.observe { _ in }, width.observe { _ in }]
            clicks.send(1)
            print(clicks.why().contains("by author"))
            clicks.send(1, author: dog)
            print(clicks.why().contains("\"clicks\" changed, by author Dog \"0x"))
            width.value = 2
            print(width.why().contains("by author"))
            width.set(3, author: cat)
            print(width.why(.json).contains("\"author_type\": \"Cat\""))
            withExtendedLifetime((dog, cat, kept)) {}
        }
        #expect(
            result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } == "false\ntrue\nfalse\ntrue\n")
    }

    @Test func whatLooksWrongIsFound() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Why.start()
            let here = Messenger<Int>(), there = Messenger<Int>(), dog = Dog()
            here.name = "here"
            there.name = "there"
            let bound = Var(0), half = here.map { $0 + 1 }, followed = here.bind(to: bound)
            half.messenger.name = "half"
            dog.observe(here) { if $0 > 0 { there.send($0 - 1) } }.name = "send there"
            dog.observe(there) { here.send($0) }.name = "send back"
            here.send(1)
            for finding in Why.lint(slowerThan: .seconds(100)) { print(finding.kind, finding, separator: ": ") }
            print(Why.lint(slowerThan: .zero).contains { $0.kind == .isSlow })
            withExtendedLifetime((dog, half, followed)) {}
        }
        #expect(
            result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } == """
                comesBack: a change of Messenger<Int> "here" has led to another one of it, through "send back", "send there"
                isUnobserved: nothing observes Mapper<Messenger<Int>, Int> "half", which is made from another observable
                true

                """)
    }

    @Test func aTraceGoesWhereItIsTold() async {
        await #expect(processExitsWith: .success) {
            let path = NSTemporaryDirectory() + "trace-\(getpid())"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            defer { unlink(path) }
            #expect(throws: Trace.Failure.isNotWriting) { try Trace.stop() }
            try Trace.start(writingTo: descriptor)
            close(descriptor)
            #expect(throws: Trace.Failure.isWriting) { try Trace.start(writingTo: 1) }
            let messenger = Messenger<Int>(), dog = Dog()
            messenger.name = "clicks"
            dog.observe(messenger) { _ in }
            messenger.send(1)
            try Trace.stop()
            let written = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(written.range(of: Data("clicks".utf8)) != nil)
        }
    }

    @Test func aTraceSaysWhatCouldNotBeWritten() async {
        await #expect(processExitsWith: .success) {
            #expect(throws: Trace.Failure.cannotBeWritten) { try Trace.start(writingTo: -1) }
            let full = open("/dev/full", O_WRONLY)
            #expect(throws: Trace.Failure.cannotBeWritten) { try Trace.start(writingTo: full) }
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            try Trace.start(writingTo: ends[1])
            close(ends[0])
            let messenger = Messenger<Int>(), dog = Dog()
            dog.observe(messenger) { _ in }
            messenger.send(1)
            #expect(throws: Trace.Failure.cannotBeWritten) { try Trace.stop() }
        }
    }
}
