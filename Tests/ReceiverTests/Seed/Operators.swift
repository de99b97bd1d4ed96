// SPDX-License-Identifier: MIT

import Receiver
import Testing

@Suite("Receiver: operators") struct Operators {
    @Test func mapMakesAWaveOfEachWave() {
        #expect(passed([1, 2, 3]) { $0.map { "\($0)" } } == ["1", "2", "3"])
    }

    @Test func filterPassesWhatIsWanted() {
        #expect(passed([1, 2, 3, 4]) { $0.filter { $0 % 2 == 0 } } == [2, 4])
    }

    @Test func withPreviousAddsTheWaveBefore() {
        let pairs = passed([1, 2, 3]) { $0.withPrevious() }
        #expect(pairs.map(\.0) == [nil, 1, 2])
        #expect(pairs.map(\.1) == [1, 2, 3])
    }

    @Test func takePassesTheFirstAndNoOthers() {
        #expect(passed([1, 2, 3]) { $0.take(count: 2) } == [1, 2])
    }

    @Test func skipLeavesOutTheFirst() {
        #expect(passed([1, 2, 3]) { $0.skip(count: 2) } == [3])
    }

    @Test func skipRepeatsLeavesOutWhatEqualsTheWaveBefore() {
        #expect(passed([1, 1, 2, 2, 1]) { $0.skipRepeats() } == [1, 2, 1])
    }

    @Test func skipNilPassesWhatIsThere() {
        #expect(passed([1, nil, 3] as [Int?]) { $0.skipNil() } == [1, 3])
    }

    @Test func uniqueValuesPassesEachValueOnce() {
        #expect(passed([1, 2, 1, 3, 2]) { $0.uniqueValues() } == [1, 2, 3])
    }

    @Test func operatorsAreChained() {
        let chained = passed([1, nil, 2, 3, 3, 4] as [Int?]) {
            $0.skipNil().filter { $0 > 1 }.skipRepeats().map { $0 * 10 }
        }
        #expect(chained == [20, 30, 40])
    }

    /// What is remembered belongs to the receiver, not to a listener.
    @Test func listenersOfOneOperatorShareWhatItRemembers() {
        let (transmitter, receiver) = Receiver<Int>.make()
        let first = receiver.take(count: 1)
        var heard: [String] = []
        first.listen { heard.append("a\($0)") }
        transmitter.broadcast(1)
        first.listen { heard.append("b\($0)") }
        transmitter.broadcast(2)
        #expect(heard == ["a1"])
    }

    private func passed<Wave, Made>(_ waves: [Wave], by derive: (Receiver<Wave>) -> Receiver<Made>) -> [Made] {
        let (transmitter, receiver) = Receiver<Wave>.make()
        var passed: [Made] = []
        derive(receiver).listen { passed.append($0) }
        for wave in waves { transmitter.broadcast(wave) }
        return passed
    }
}
