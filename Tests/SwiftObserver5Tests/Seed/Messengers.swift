// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing

@Suite("Seed: Messengers") struct Messengers {
    @Test func aMappedVariableIsAMessenger() {
        let observer = Dog()
        let textMessenger = Var("").new()
        observer.observe(textMessenger) { textMessage in
            observer.hear(textMessage)
        }
        textMessenger.send("my text message")
        #expect(observer.heard == ["my text message"])
        #expect(textMessenger.latestMessage == "")
        textMessenger.source <- "my stored message"
        #expect(observer.heard == ["my text message", "my stored message"])
        #expect(textMessenger.latestMessage == "my stored message")
        #expect(textMessenger.source.value == "my stored message")
    }

    @Test func aMessengerRemembersWhatItSends() {
        let observer = Dog(), textMessenger = Messenger("")
        observer.observe(textMessenger) { textMessage in
            observer.hear(textMessage)
        }
        textMessenger.send("my text message")
        #expect(textMessenger.latestMessage == "my text message")
        textMessenger.send()
        #expect(observer.heard == ["my text message", "my text message"])
    }

    @Test func rememberingCanBeDeactivatedAndResetWithoutSending() {
        let observer = Dog(), messenger = Messenger<String?>("first")
        observer.observe(messenger) { observer.hear($0 ?? "nil") }
        messenger.remembersLatestMessage = false
        messenger.send("second")
        #expect(messenger.latestMessage == "first" && observer.heard == ["second"])
        messenger.remembersLatestMessage = true
        messenger.send("third")
        #expect(messenger.latestMessage == "third")
        messenger.latestMessage = nil
        #expect(messenger.latestMessage == nil && observer.heard == ["second", "third"])
    }

    @Test func aMessageNeedNotBeCodableOrAnything() {
        struct Plain { let closure: () -> Int }
        let observer = Dog(), messenger = Messenger(Plain { 1 })
        observer.observe(messenger) { observer.hear($0.closure()) }
        messenger.send(Plain { 2 })
        #expect(observer.heard == ["2"])
    }

    @Test func aMessageThatIsSentFromAHandlerBecomesTheLatestWhenItsTurnHasCome() {
        let observer = Dog(), messenger = Messenger(0)
        observer.observe(messenger) {
            observer.hear("\($0) \(messenger.latestMessage)")
            if $0 == 1 { messenger.send(2) }
            observer.hear(messenger.latestMessage)
        }
        messenger.send(1)
        #expect(observer.heard == ["1 1", "1", "2 2", "2"])
    }
}
