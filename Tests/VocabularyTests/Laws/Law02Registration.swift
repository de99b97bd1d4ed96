// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 2: observers are offered a message in the order in which they began") struct Law2 {
    /// Fault 4 of the published SwiftObserver: the order was random.
    @Test(arguments: vocabularies(under: 2))
    func observersReceiveInTheOrderOfTheirBeginning(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        let kept = (0..<200).map { number in channel.observe { _ in received.append(number) } }
        channel.send(1)
        withExtendedLifetime(kept) { #expect(received == Array(0..<200)) }
    }

    @Test(arguments: vocabularies(under: 2))
    func theOrderOutlastsThoseWhoLeave(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        var kept = (0..<200).map { number in channel.observe { _ in received.append(number) } }
        for (number, one) in kept.enumerated() where number % 3 != 0 { one.stop() }
        kept += (200..<210).map { number in channel.observe { _ in received.append(number) } }
        channel.send(1)
        withExtendedLifetime(kept) {
            #expect(received == (0..<200).filter { $0 % 3 == 0 } + Array(200..<210))
        }
    }
}
