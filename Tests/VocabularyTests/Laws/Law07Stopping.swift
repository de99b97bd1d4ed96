// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite("Law 7: once stop has returned no new call of the handler begins") struct Law7 {
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
