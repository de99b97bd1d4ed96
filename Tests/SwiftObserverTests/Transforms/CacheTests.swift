// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Law 20: cache makes any observable a buffered one") struct CacheTests {
    @Test func theLatestMessageIsRemembered() {
        let messenger = Messenger<Int>(), optional = Messenger<Int?>(), dog = Dog()
        let cache = messenger.cache(0), ofOptionals = optional.cache(), asOptional = messenger.cache()
        #expect(cache.latestMessage == 0)
        #expect(ofOptionals.latestMessage == nil)
        #expect(asOptional.latestMessage == nil)
        nonisolated(unsafe) var received: [Int] = []
        dog.observe(cache) { received.append($0) }
        messenger.send(5)
        optional.send(6)
        #expect(cache.latestMessage == 5)
        #expect(ofOptionals.latestMessage == 6)
        #expect(asOptional.latestMessage == 5)
        cache.send()
        #expect(received == [5, 5])
    }

    @Test func onlyTheLatestIsKept() {
        let messenger = Messenger<Mortal?>(), tracker = Tracker()
        let cache = messenger.cache()
        for _ in 0..<5 { messenger.send(tracker(Mortal())) }
        #expect(tracker.living.count == 1)
        messenger.send(nil)
        #expect(tracker.living.isEmpty)
        withExtendedLifetime(cache) {}
    }
}
