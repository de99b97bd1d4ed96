// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 6: who begins during a delivery receives the next message first, its replay apart") struct Law6 {
    @Test(arguments: vocabularies(under: 6))
    func anObservationBegunDuringADeliveryJoinsWithTheNextMessage(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        var late: (any Kept)?
        let kept = channel.observe { number in
            if number == 1 { late = channel.observe { received.append($0) } }
        }
        channel.send(1)
        let replay = channel.replaysLatest ? [1] : []
        #expect(received == replay)
        channel.send(2)
        withExtendedLifetime((kept, late)) { #expect(received == replay + [2]) }
    }

    @Test(arguments: vocabularies(under: 6))
    func aQueuedMessageIsTheNext(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        var late: (any Kept)?
        let kept = channel.observe { number in
            guard number == 1 else { return }
            channel.send(2)
            late = channel.observe { received.append($0) }
        }
        channel.send(1)
        withExtendedLifetime((kept, late)) { #expect(received == (channel.replaysLatest ? [1, 2] : [2])) }
    }
}
