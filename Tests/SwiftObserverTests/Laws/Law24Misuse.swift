// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// Each runs in a process of its own, which must end. The sentence is there in debug builds; Swift leaves it
/// out where it optimises.
@Suite("Law 24: a programmer's error ends the process with a sentence") struct Law24 {
    @Test func aNegativeNumberOfMessagesCannotBeTaken() async throws {
        try expect(
            "no negative number of messages can be taken",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { _ = Messenger<Int>().take(-1) })
        try expect(
            "no negative number of messages can be taken",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { FreeObserver().observe(Messenger<Int>()).take(-1).receive { _ in } })
    }

    @Test func aNegativeNumberOfMessagesCannotBeSkipped() async throws {
        try expect(
            "no negative number of messages can be skipped",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { _ = Messenger<Int>().skip(-1) })
    }

    @Test func aNegativeNumberOfMessagesCannotBeRemembered() async throws {
        try expect(
            "no negative number of messages can be remembered",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { _ = Messenger<Int>().replay(.last(-1)) })
    }

    @Test func aTransformCannotBeItsOwnSource() async throws {
        try expect(
            "a transform cannot come from itself",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                let mapped = Messenger<Int>().map { $0 + 1 }
                mapped.source = mapped.messenger
            })
    }

    @Test func aTransformCannotComeFromItselfOverDetours() async throws {
        try expect(
            "a transform cannot come from itself",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                let first = Messenger<Int>().map { $0 + 1 }
                let second = first.filter { $0 > 1 }
                let third = second.messenger.take(3)
                first.source = third.messenger
            })
        try expect(
            "a transform cannot come from itself",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                let first = Messenger<Int>().map { $0 + 1 }
                let merged = Messenger<Int>().merge(Weak(first))
                first.source = merged.messenger
            })
    }

    @Test func anObservableIsNotUnblockedMoreOftenThanBlocked() async throws {
        try expect(
            "an observable is unblocked more often than it was blocked",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { Messenger<Int>().unblock() })
    }

    @Test func aBatchIsNotEndedMoreOftenThanBegun() async throws {
        try expect(
            "a batch is ended more often than it was begun",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { Var(1).endBatch() })
    }

    private func expect(
        _ sentence: String, in result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try #require(result, sourceLocation: sourceLocation)
        #if DEBUG
            let output = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(output.contains(sentence), sourceLocation: sourceLocation)
        #endif
    }
}
