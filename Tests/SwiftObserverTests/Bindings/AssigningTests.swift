// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("Assigning to properties") struct AssigningTests {
    final class Gauge: @unchecked Sendable {
        var level = 0
    }

    @MainActor final class Label {
        var text = ""
    }

    @Test func eachMessageIsAssignedWhileTheObjectLives() {
        let messenger = Messenger<Int>()
        var gauge: Gauge? = Gauge()
        messenger.assign(to: \.level, on: gauge!)
        messenger.send(3)
        #expect(gauge!.level == 3)
        gauge = nil
        messenger.send(4)
        #expect(!messenger.isObserved)
    }

    @MainActor @Test func onTheMainActorItIsAssignedThere() async {
        let label = Label(), title = Messenger<String>()
        let assigning = title.assign(to: \.text, on: label)
        title.send("here")
        #expect(label.text == "here")
        onOtherThread { title.send("there") }
        while label.text == "here" { await Task.yield() }
        #expect(label.text == "there")
        assigning.stop()
        title.send("no more")
        #expect(label.text == "there")
    }
}
