// SPDX-License-Identifier: MIT

import Receiver
import Testing

@Suite("Receiver: strategies") struct Strategies {
    @Test func coldReplaysEverything() {
        let (transmitter, receiver) = Receiver<Int>.make(with: .cold)
        transmitter.broadcast(1)
        transmitter.broadcast(2)
        transmitter.broadcast(3)
        var waves: [Int] = []
        receiver.listen { wave in waves.append(wave) }
        #expect(waves == [1, 2, 3])
        transmitter.broadcast(4)
        #expect(waves == [1, 2, 3, 4])
    }

    @Test func warmReplaysUpToANumber() {
        let (transmitter, receiver) = Receiver<Int>.make(with: .warm(upTo: 1))
        transmitter.broadcast(1)
        transmitter.broadcast(2)
        var waves: [Int] = []
        receiver.listen { wave in waves.append(wave) }
        transmitter.broadcast(3)
        #expect(waves == [2, 3])
    }

    @Test func hotReplaysNothing() {
        let (transmitter, receiver) = Receiver<Int>.make(with: .hot)
        transmitter.broadcast(1)
        transmitter.broadcast(2)
        var waves: [Int] = []
        receiver.listen { wave in waves.append(wave) }
        transmitter.broadcast(3)
        #expect(waves == [3])
    }

    @Test func hotIsTheDefault() {
        let (transmitter, receiver) = Receiver<Int>.make()
        transmitter.broadcast(1)
        var waves: [Int] = []
        receiver.listen { wave in waves.append(wave) }
        #expect(waves == [])
    }

    @Test func theTextOfTheDocumentAlsoSaysStrategy() {
        let (transmitter, receiver) = Receiver<Int>.make(strategy: .cold)
        transmitter.broadcast(1)
        var waves: [Int] = []
        receiver.listen { wave in waves.append(wave) }
        #expect(waves == [1])
    }

    /// The published operators made hot receivers of cold ones, so that what had been broadcasted was lost.
    @Test func aDerivedReceiverHasTheStrategyOfItsSource() {
        let (transmitter, receiver) = Receiver<Int>.make(with: .warm(upTo: 2))
        transmitter.broadcast(1)
        let mapped = receiver.map { $0 * 10 }
        transmitter.broadcast(2)
        transmitter.broadcast(3)
        var waves: [Int] = []
        mapped.listen { wave in waves.append(wave) }
        transmitter.broadcast(4)
        #expect(waves == [20, 30, 40])
    }
}
