// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("map") struct MapTests {
    @Test func everyMessageIsMapped() {
        expectNumbers("1 2  3", gives: "x xx xxx", standing: { $0.map(bars) }, adHoc: { $0.map(bars) })
        expectBoth(
            [1, 2], gives: ["x", "xx"], plain: { $0.map(bars, receive: $1) }, authored: { $0.map(bars, receive: $1) })
    }

    @Test func aMapperOfABufferedSourceIsBuffered() {
        let number = Var(1), dog = Dog()
        let text = number.map { "\($0.old) to \($0.new)" }
        #expect(text.latestMessage == "1 to 1")
        number <- 2
        #expect(text.latestMessage == "2 to 2")
        #expect(number.new().map { $0 * 2 }.latestMessage == 4)
        var received: [String] = []
        dog.observe(text) { received.append($0) }
        text.send()
        #expect(received == ["2 to 2"])
    }

    @Test func aMapperCanBeToldToSend() {
        let number = Var(1), dog = Dog()
        let text = number.map { "\($0.new)" }
        var received: [String] = []
        dog.observe(text) { received.append($0) }
        text.send("by hand")
        #expect(received == ["by hand"])
        #expect(number.value == 1)
    }

    private func bars(_ count: Int) -> String { String(repeating: "x", count: count) }
}
