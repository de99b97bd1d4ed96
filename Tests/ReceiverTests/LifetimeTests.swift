// SPDX-License-Identifier: MIT

import Receiver
import TestSupport
import Testing

@Suite("Receiver: the receiver keeps its listeners until they are disposed of") struct LifetimeTests {
    @Test func whoLetsGoOfTheDisposableGoesOnListening() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [Int] = []
        var disposable: Disposable? = receiver.listen { heard.append($0) }
        withExtendedLifetime(disposable) {}
        disposable = nil
        transmitter.broadcast(1)
        #expect(heard == [1])
    }

    @Test func aDerivedReceiverLivesAsLongAsItsSource() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [Int] = []
        func begin() { receiver.map { $0 + 1 }.filter { $0 > 1 }.listen { heard.append($0) } }
        begin()
        transmitter.broadcast(0)
        transmitter.broadcast(1)
        #expect(heard == [2])
    }

    @Test func whenAllIsReleasedNothingIsLeft() {
        let living = leaks { track in
            let (transmitter, receiver) = Receiver<Mortal>.make(with: .cold)
            let captured = track(Mortal(), "captured")
            let derived = track(receiver.map { $0 }, "derived")
            _ = track(receiver, "receiver")
            derived.listen { _ in withExtendedLifetime(captured) {} }
            receiver.withPrevious().listen { _ in withExtendedLifetime(captured) {} }
            transmitter.broadcast(track(Mortal(), "wave"))
        }
        #expect(living == [])
    }
}
