// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

@Test func theCodeOfTheFirstPageRuns() {
    let sky = Messenger<String>(), dog = Dog()
    nonisolated(unsafe) var printed: [String] = []
    @Sendable func print(_ items: String...) { printed.append(items.joined(separator: " ")) }
    dog.observe(sky) { color in
        print("the sky is", color)
    }
    sky.send("blue")
    #expect(printed == ["the sky is blue"])
}
