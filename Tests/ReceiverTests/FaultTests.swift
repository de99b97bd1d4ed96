// SPDX-License-Identifier: MIT

import Receiver
import TestSupport
import Testing

@Suite("Receiver: faults of the published code") struct FaultTests {
    /// Fault 7: the keys were random, and two could be the same.
    @Test func listenersNeverOverwriteOneAnother() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [Int] = []
        for number in 0..<100_000 { receiver.listen { _ in heard.append(number) } }
        transmitter.broadcast(1)
        #expect(heard == Array(0..<100_000))
    }

    /// Fault 8.
    @Test func aReplayGoesToTheNewListenerOnly() {
        let (transmitter, receiver) = Receiver<Int>.make(with: .cold)
        var old: [Int] = [], new: [Int] = []
        receiver.listen { old.append($0) }
        transmitter.broadcast(1)
        transmitter.broadcast(2)
        receiver.listen { new.append($0) }
        #expect(old == [1, 2])
        #expect(new == [1, 2])
    }

    /// Fault 9: hot kept every value for ever.
    @Test func hotKeepsNoValue() {
        let (transmitter, receiver) = Receiver<Mortal>.make()
        receiver.listen { _ in }
        let living = leaks { track in transmitter.broadcast(track(Mortal())) }
        #expect(living == [])
    }

    @Test func warmKeepsNoMoreThanItsNumber() {
        let (transmitter, receiver) = Receiver<Mortal>.make(with: .warm(upTo: 1))
        receiver.listen { _ in }
        let living = leaks { track in
            transmitter.broadcast(track(Mortal(), "first"))
            transmitter.broadcast(track(Mortal(), "second"))
        }
        #expect(living == ["second"])
    }

    /// Fault 9: it deadlocked.
    @Test func aBroadcastInsideAHandlerQueues() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [String] = []
        receiver.listen { wave in
            heard.append("a\(wave)")
            if wave < 3 { transmitter.broadcast(wave + 1) }
        }
        receiver.listen { heard.append("b\($0)") }
        transmitter.broadcast(1)
        #expect(heard == ["a1", "b1", "a2", "b2", "a3", "b3"])
    }

    @Test func aHandlerCanListenAndDispose() {
        let (transmitter, receiver) = Receiver<Int>.make(with: .cold)
        var heard: [String] = []
        var other: Disposable?
        receiver.listen { wave in
            guard wave == 1 else { return }
            other?.dispose()
            receiver.listen { heard.append("late \($0)") }
        }
        other = receiver.listen { heard.append("other \($0)") }
        transmitter.broadcast(1)
        #expect(heard == ["late 1"])
    }
}
