// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 15: a new value can be read at once; its message takes its turn") struct Law15 {
    @Test(arguments: vocabularies(under: 15))
    func aValueSetInsideAHandlerCanBeReadThere(_ vocabulary: any Vocabulary) {
        let cell = vocabulary.makeCell(0)
        var log: [String] = []
        let kept = [
            cell.observe { number in
                guard number == 1 else { return }
                cell.send(2)
                log.append("reads \(cell.value)")
            },
            cell.observe { if $0 > 0 { log.append("receives \($0)") } },
        ]
        cell.send(1)
        withExtendedLifetime(kept) { #expect(log == ["reads 2", "receives 1", "receives 2"]) }
    }
}

@Suite("Law 16: a variable sends only when its value changes") struct Law16 {
    @Test(arguments: vocabularies(under: 16))
    func anEqualValueSendsNothing(_ vocabulary: any Vocabulary) {
        let cell = vocabulary.makeCell("a")
        var received: [String] = []
        let kept = cell.observe { received.append($0) }
        for text in ["a", "b", "b", "a"] { cell.send(text) }
        withExtendedLifetime(kept) { #expect(received == (cell.replaysLatest ? ["a"] : []) + ["b", "a"]) }
    }
}

@Suite("Law 17: reading, setting and updating are atomic") struct Law17 {
    @Test(arguments: vocabularies(under: 17))
    func noUpdateOfManyThreadsIsLost(_ vocabulary: any Vocabulary) {
        let cell = vocabulary.makeCell(0)
        nonisolated(unsafe) var received: [Int] = []
        let kept = cell.observe { received.append($0) }
        onThreads(4) { _ in
            for _ in 0..<1_000 { cell.update { $0 + 1 } }
        }
        withExtendedLifetime(kept) {
            #expect(cell.value == 4_000)
            #expect(received == Array((cell.replaysLatest ? 0 : 1)...4_000))
        }
    }
}

@Suite("Law 18: beginning to observe a variable sends nothing") struct Law18 {
    @Test(arguments: vocabularies(under: 18))
    func nothingComesOnBeginning(_ vocabulary: any Vocabulary) {
        let cell = vocabulary.makeCell(5)
        var received: [Int] = []
        let kept = cell.observe { received.append($0) }
        #expect(received == [])
        cell.send(6)
        withExtendedLifetime(kept) { #expect(received == [6]) }
    }
}
