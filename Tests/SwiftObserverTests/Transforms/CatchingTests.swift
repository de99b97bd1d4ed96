// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Testing
import TestSupport

/// What may fail, and what looks into a chain.
@Suite("Catching and looking") struct CatchingTests {
    private struct NoNumber: Error {}

    private static func number(of text: String) throws -> Int {
        guard let number = Int(text) else { throw NoNumber() }
        return number
    }

    @Test func anErrorIsAMessageAndIsReplaced() {
        let show = { @Sendable (result: Result<Int, any Error>) in (try? result.get()).map { "\($0)" } ?? "no" }
        expect(
            "1 x  3", gives: "1 no 3", read: { $0 }, show: show, standing: { $0.tryMap { try Self.number(of: $0) } },
            adHoc: { $0.tryMap { try Self.number(of: $0) } })
        expect(
            "1 x 3", gives: "1 0 3", read: { $0 },
            standing: { $0.tryMap { try Self.number(of: $0) }.catching { _ in 0 } },
            adHoc: { $0.tryMap { try Self.number(of: $0) }.catching { _ in 0 } })
    }

    @Test func aClosureThatThrowsIsCalledAgain() {
        let texts = Messenger<String>(), dog = Dog()
        nonisolated(unsafe) var calls = 0
        let numbers = texts.tryMap(retrying: 2) { text in
            calls += 1
            if calls % 3 != 0 { throw NoNumber() }
            return try Self.number(of: text)
        }
        dog.observe(numbers) { dog.hear((try? $0.get()).map { "\($0)" } ?? "no") }
        texts.send("7")
        #expect(calls == 3 && dog.heard == ["7"])
        texts.send("x")
        #expect(calls == 6 && dog.heard == ["7", "no"])
        dog.observe(texts).tryMap(retrying: 1) { text in
            calls += 1
            return try Self.number(of: text)
        }.catching { _ in -1 }.receive { dog.hear("\($0)") }
        calls = 0
        texts.send("y")
        // Three times for the transform, and then twice.
        #expect(calls == 5 && dog.heard == ["7", "no", "no", "-1"])
    }

    @Test @MainActor func onTheMainActorTheyAreCalledThere() {
        let texts = Messenger<String>(), dog = Dog()
        var seen: [String] = [], caught = 0
        let numbers = texts.handleEvents { seen.append($0) }.tryMap { text in
            MainActor.assertIsolated()
            return try Self.number(of: text)
        }.catching { _ in
            caught += 1
            return 0
        }
        dog.observe(numbers) { dog.hear("\($0)") }
        texts.send("1")
        texts.send("x")
        #expect(seen == ["1", "x"] && caught == 1 && dog.heard == ["1", "0"])
    }

    @Test func aLookIntoAChainChangesNothing() {
        expectNumbers("1 2", gives: "1 2", standing: { $0.handleEvents { _ in } }, adHoc: { $0.handleEvents { _ in } })
        expectNumbers("1 2", gives: "1 2", standing: { $0.print("number") }, adHoc: { $0.print() })
        let numbers = Messenger<Int>(), dog = Dog()
        nonisolated(unsafe) var seen: [Int] = []
        let tens = numbers.handleEvents { seen.append($0) }.map { $0 * 10 }
        dog.observe(tens) { dog.hear("\($0)") }
        numbers.send(1)
        #expect(seen == [1] && dog.heard == ["10"])
    }
}
