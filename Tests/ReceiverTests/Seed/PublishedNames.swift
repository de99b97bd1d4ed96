// SPDX-License-Identifier: MIT

import Receiver
import Testing

/// Names of the published code that its document does not show.
@Suite("Published names") struct PublishedNames {
    @Test func whatListensIsAHandler() {
        var waves: [Int] = []
        let handler: Receiver<Int>.Handler = { waves.append($0) }
        let (transmitter, receiver) = Receiver<Int>.make()
        receiver.listen(to: handler)
        transmitter.broadcast(1)
        #expect(waves == [1])
    }

    @Test func nilIsSkippedWhereWavesAreOptionalInGenericCode() {
        func present<Wave: OptionalProtocol>(_ receiver: Receiver<Wave>) -> Receiver<Wave.Wrapped> {
            receiver.skipNil()
        }
        var waves: [Int] = []
        let (transmitter, receiver) = Receiver<Int?>.make()
        present(receiver).listen { waves.append($0) }
        transmitter.broadcast(nil)
        transmitter.broadcast(1)
        #expect(waves == [1])
        #expect(Int?.some(1).optional == 1)
    }
}
