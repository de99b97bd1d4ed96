// SPDX-License-Identifier: MIT

import Foundation
import MiniRex
import TestSupport
import Testing

@Suite("MiniRex: what is not meant is defined") struct BadInputTests {
    @Test func onlyOneOfManyThreadsUnsubscribes() {
        for _ in 0..<100 {
            let ended = Recorder<Void>(), subscription = Subscription { ended.record() }
            onThreads(3) { _ in subscription.invalidate() }
            #expect(ended.count == 1)
        }
    }

    @Test func anUnsubscriberMayInvalidateItsOwnSubscription() {
        var ended = 0
        var subscription: Subscription?
        subscription = Subscription {
            ended += 1
            subscription?.invalidate()
        }
        subscription?.invalidate()
        #expect(ended == 1)
    }

    @Test func theEmptySubscriptionIsNone() {
        #expect(!Subscription.empty.isSubscribed)
        Subscription.empty.invalidate()
        #expect(!Subscription.empty.isSubscribed)
    }

    @Test func aSubscriptionThatIsNotHeldEndsAtOnce() {
        let broadcaster = Broadcaster<Int>()
        var received = 0
        _ = broadcaster.publisher.subscribe { received += $0 }
        broadcaster.broadcast(update: 1)
        #expect(received == 0)
    }

    @Test func aFileCannotBeReadInChunksOfNothing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = PublishedProgressiveTask.readingFile(at: URL(filePath: "/dev/null"), chunkSize: 0)
        }
        #expect(isSaid("a file is read in chunks of more than no bytes", in: result?.standardErrorContent))
    }
}
