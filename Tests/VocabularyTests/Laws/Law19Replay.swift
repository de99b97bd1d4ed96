// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 19: a replay goes to the new observer only, before any later message") struct Law19 {
    /// Fault 8 of the published Receiver: the old ones received it, too.
    @Test(arguments: vocabularies(under: 19))
    func onlyTheNewObserverReceivesIt(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeReplaying(of: Int.self)
        var first: [Int] = [], second: [Int] = []
        var kept = [channel.observe { first.append($0) }]
        channel.send(1)
        channel.send(2)
        let before = first
        kept.append(channel.observe { second.append($0) })
        #expect(first == before)
        #expect(second.last == 2)
        channel.send(3)
        withExtendedLifetime(kept) {
            #expect(first == before + [3])
            #expect(Array(second.suffix(2)) == [2, 3])
        }
    }

    @Test(arguments: vocabularies(under: 19))
    func whoBeginsWhileManySendMissesNothing(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeReplaying(of: Int.self), kept = Recorder<any Kept>()
        channel.send(0)
        nonisolated(unsafe) var runs: [[Int]] = Array(repeating: [], count: 50)
        onThreads(2) { thread in
            if thread == 0 {
                for number in 1...2_000 { channel.send(number) }
            } else {
                for run in 0..<50 { kept.record(channel.observe { number in runs[run].append(number) }) }
            }
        }
        withExtendedLifetime(kept) {
            for run in runs { #expect(run == Array((2_001 - run.count)...2_000)) }
        }
    }
}
