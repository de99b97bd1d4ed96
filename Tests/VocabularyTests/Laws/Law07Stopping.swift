// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 7: once stop has returned no new call of the handler begins") struct Law7 {
    /// Fault 5 of the published SwiftObserver: it was logged as an error.
    @Test(arguments: vocabularies(under: 7))
    func anObservationStoppedDuringADeliveryIsSkippedInThatDelivery(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        stage.observe { stage, _ in stage.stop(1) }
        stage.observe("second ")
        stage.observe("third ")
        stage.channel.send(1)
        stage.stop(2)
        stage.channel.send(2)
        #expect(stage.heard == ["third 1"])
    }

    @Test(arguments: vocabularies(under: 7))
    func anObservationCanStopItselfAndReceivesNothingThatIsQueued(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        stage.observe("") { stage, number in
            if number == 1 { stage.channel.send(2) }
            stage.stop(0)
        }
        stage.channel.send(1)
        stage.channel.send(3)
        #expect(stage.heard == ["1"])
    }

    @Test(arguments: vocabularies(under: 7))
    func stoppingDoesNotWaitForACallOnAnotherThread(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self), entered = Gate(), stopped = Gate()
        let kept = channel.observe { _ in
            entered.open()
            stopped.pass()
        }
        let sending = onOtherThread { channel.send(1) }
        entered.pass()
        kept.stop()
        stopped.open()
        sending.pass()
    }
}
