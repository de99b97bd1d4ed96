// SPDX-License-Identifier: MIT

import Receiver
import TestSupport
import Testing

@Suite("Receiver: faults of the published code") struct FaultTests {
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
}
