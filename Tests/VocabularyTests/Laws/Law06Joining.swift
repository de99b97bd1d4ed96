// SPDX-License-Identifier: MIT

import Testing

@Suite("Law 6: an observer that begins during a delivery receives the next message first, a replay apart") struct Law6 {
    @Test(arguments: vocabularies(under: 6))
    func anObservationBegunDuringADeliveryJoinsWithTheNextMessageAlsoIfThatIsQueued(_ vocabulary: any Vocabulary) {
        for isQueued in [false, true] {
            let stage = Stage(vocabulary)
            stage.observe { stage, number in
                guard number == 1 else { return }
                if isQueued { stage.channel.send(2) }
                stage.observe("late ")
            }
            stage.channel.send(1)
            let expected = (stage.channel.replaysLatest ? ["late 1"] : []) + (isQueued ? ["late 2"] : [])
            #expect(stage.heard == expected)
            stage.channel.send(3)
            #expect(stage.heard == expected + ["late 3"])
        }
    }
}
