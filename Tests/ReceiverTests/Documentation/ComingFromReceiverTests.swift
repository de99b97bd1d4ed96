// SPDX-License-Identifier: MIT

import Receiver
import TestSupport
import Testing

@Suite("Documentation: Coming From the Published Receiver") struct ComingFromReceiverTests {
    @Test func theSameNames() {
        var waves: [Int] = []
        let (transmitter, receiver) = Receiver<Int>.make(with: .warm(upTo: 2))
        transmitter.broadcast(1)
        let bag = DisposeBag()
        receiver.map { $0 * 10 }.listen { wave in waves.append(wave) }.disposed(by: bag)
        transmitter.broadcast(2)
        withExtendedLifetime(bag) { #expect(waves == [10, 20]) }
    }

    @Test func theCodeOfTheArticleIsRun() throws {
        #expect(
            try codeThatIsNotRun(
                of: "Sources/Receiver/Receiver.docc/ComingFromReceiver.md",
                by: "Tests/ReceiverTests/Documentation/ComingFromReceiverTests.swift") == [])
    }
}
