// SPDX-License-Identifier: MIT

import Receiver
import Testing

@Suite("Receiver: strategies") struct Strategies {
    /// What is heard of 1 to 4, if listening begins before the last, and of what is derived before the second.
    private func heard(
        _ pair: (Receiver<Int>.Transmitter, Receiver<Int>)
    ) -> (waves: [Int], derived: [Int]) {
        let (transmitter, receiver) = pair
        var waves: [Int] = [], derived: [Int] = []
        transmitter.broadcast(1)
        let tens = receiver.map { $0 * 10 }
        transmitter.broadcast(2)
        transmitter.broadcast(3)
        receiver.listen { wave in waves.append(wave) }
        tens.listen { derived.append($0) }
        transmitter.broadcast(4)
        return (waves, derived)
    }

    @Test func coldReplaysEverything() {
        #expect(heard(Receiver<Int>.make(with: .cold)).waves == [1, 2, 3, 4])
    }

    @Test func warmReplaysUpToANumber() {
        #expect(heard(Receiver<Int>.make(with: .warm(upTo: 1))).waves == [3, 4])
    }

    @Test func hotReplaysNothingAndIsTheDefault() {
        #expect(heard(Receiver<Int>.make(with: .hot)).waves == [4])
        #expect(heard(Receiver<Int>.make()).waves == [4])
    }

    @Test func theTextOfTheDocumentAlsoSaysStrategy() {
        #expect(heard(Receiver<Int>.make(strategy: .cold)).waves == [1, 2, 3, 4])
    }

    /// The published operators made hot receivers of cold ones, so that what had been broadcasted was lost.
    @Test func aDerivedReceiverHasTheStrategyOfItsSource() {
        #expect(heard(Receiver<Int>.make(with: .warm(upTo: 1))).derived == [30, 40])
        #expect(heard(Receiver<Int>.make(with: .cold)).derived == [10, 20, 30, 40])
    }
}
