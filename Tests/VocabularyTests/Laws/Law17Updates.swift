// SPDX-License-Identifier: MIT

import TestSupport
import Testing

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
