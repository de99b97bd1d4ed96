// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 24: a programmer's error ends the process with a sentence") struct Law24 {
    enum Misuse: Codable, CaseIterable {
        case take, takeAdHoc, skip, remember, unblock, endBatch, emptyBuffer, emptyInterval, emptyBudget
        case ownSource, ownSourceOverDetours, ownSourceOverAMerge, ownChoice

        func commit() {
            let first = Messenger<Int>().map { $0 + 1 }
            switch self {
            case .take: _ = first.take(-1)
            case .takeAdHoc: FreeObserver().observe(first).take(-1).receive { _ in }
            case .skip: _ = first.skip(-1)
            case .remember: _ = first.replay(.last(-1))
            case .unblock: first.unblock()
            case .endBatch: Var(1).endBatch()
            case .emptyBuffer: _ = first.messages(buffering: .newest(0))
            case .emptyInterval: _ = Ticker(every: .zero)
            case .emptyBudget: first.deliveryBudget = 0
            case .ownSource: first.source = first.messenger
            case .ownSourceOverDetours:
                let second = first.filter { $0 > 1 }, third = second.messenger.take(3)
                withExtendedLifetime((second, third)) { first.source = third.messenger }
            case .ownChoice:
                let choices = Messenger<Messenger<Int>>(), latest = choices.switchToLatest(), second = latest.map { $0 }
                withExtendedLifetime(second) { choices.send(second.messenger) }
            case .ownSourceOverAMerge:
                withExtendedLifetime(Messenger<Int>().merge(Weak(first))) { first.source = $0.messenger }
            }
        }

        var sentence: String {
            switch self {
            case .take, .takeAdHoc: "no negative number of messages can be taken"
            case .skip: "no negative number of messages can be skipped"
            case .remember: "no negative number of messages can be remembered"
            case .unblock: "an observable is unblocked more often than it was blocked"
            case .endBatch: "a batch is ended more often than it was begun"
            case .emptyBuffer: "a buffer has room for one message at least"
            case .emptyInterval: "a ticker has an interval greater than zero"
            case .emptyBudget: "a delivery budget is at least one message, or nil"
            case .ownSource, .ownSourceOverDetours, .ownSourceOverAMerge, .ownChoice:
                "a transform cannot come from itself"
            }
        }
    }

    @Test(arguments: Misuse.allCases) func theProcessEnds(_ misuse: Misuse) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
            misuse.commit()
        }
        #expect(isSaid(misuse.sentence, in: result?.standardErrorContent))
    }

    @Test(arguments: 1...3) func twoTransformsCannotBecomeEachOthersSourceAtOnce(asked: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [asked] in
            let start = Detour(to: Messenger()), one = start.map { $0 }, other = start.map { $0 }
            let source = Detour(to: other.messenger)
            source.whenAsked = { if $0 == asked { other.source = Detour(to: one.messenger) } }
            one.source = source
        }
        #expect(isSaid("a transform cannot come from itself", in: result?.standardErrorContent))
    }

    @Test func whatAMappingOfTheMainActorMakesIsNotAskedForElsewhere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let mapped = await MainActor.run {
                var factor = 2
                factor += 1
                return Var(1).map { $0.new * factor }
            }
            _ = await Task.detached { mapped.latestMessage }.value
        }
        #expect(isSaid("the closure of this mapping was formed on an actor", in: result?.standardErrorContent))
    }

    @Test func twoTasksCannotAskForTheNextMessageAtOnce() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let messenger = Messenger<Int>(), messages = messenger.messages()
            async let one = messages.first { _ in true }
            async let other = messages.first { _ in true }
            _ = await (one, other)
            withExtendedLifetime(messenger) {}
        }
        #expect(isSaid("two tasks ask for the next message at once", in: result?.standardErrorContent))
    }
}

/// Has the messenger of another, and does something each time that it is asked for it: with how often that was.
private final class Detour: Observable {
    var whenAsked: (Int) -> Void = { _ in }
    private let target: Messenger<Int>
    private var asked = 0

    init(to target: Messenger<Int>) { self.target = target }

    var messenger: Messenger<Int> {
        asked += 1
        whenAsked(asked)
        return target
    }
}
