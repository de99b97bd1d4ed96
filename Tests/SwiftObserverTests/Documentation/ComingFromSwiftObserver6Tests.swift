// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

@Suite("Documentation: Coming From the Published SwiftObserver 6") struct ComingFromSwiftObserver6Tests {
    final class Cat: Observer {
        let receiver = Connections()
    }

    @Test func theOtherSpelling() {
        let number = Var(1), cat = Cat()
        nonisolated(unsafe) var updates: [Update<Int>] = []
        cat.observe(number) { updates.append($0) }
        number.batch {
            number <- 2
            number <- 3
        }
        #expect(updates == [Update(1, 3)])
    }
}
