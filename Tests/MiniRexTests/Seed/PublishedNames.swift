// SPDX-License-Identifier: MIT

import MiniRex
import Testing

/// Names of the published code that its document does not show.
@Suite("Published names") struct PublishedNames {
    @Test func whatEndsASubscriptionIsAnUnsubscriberBlock() {
        var ended = 0
        let unsubscriber: Subscription.UnsubscriberBlock = { ended += 1 }
        let subscription = Subscription(withUnsubscriber: unsubscriber)
        subscription.invalidate()
        #expect(ended == 1)
    }
}
