// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("filterAuthor, from and notFrom") struct FilterAuthorTests {
    private let messenger = Messenger<Int>(), dog = Dog(), me = Dog(), you = Dog()

    @Test func onlyTheWantedAuthorsPass() {
        let (me, you) = (me, you)
        let byMe = messenger.from(me), byOthers = messenger.notFrom(me), byYou = messenger.filterAuthor { $0 === you }
        var received: [String: [Int]] = [:]
        dog.observe(byMe) { received["me", default: []].append($0) }
        dog.observe(byOthers) { received["others", default: []].append($0) }
        dog.observe(byYou) { received["you", default: []].append($0) }
        sendAll()
        #expect(received == ["me": [1, 4], "others": [2, 3], "you": [2]])
    }

    @Test func onlyTheWantedAuthorsPassAdHoc() {
        let (me, you) = (me, you)
        var received: [String: [Int]] = [:]
        dog.observe(messenger).from(me).receive { received["me", default: []].append($0) }
        dog.observe(messenger).from(me) { received["me, at once", default: []].append($0) }
        dog.observe(messenger).notFrom(me) { received["others", default: []].append($0) }
        dog.observe(messenger).filterAuthor({ $0 === you }) { received["you", default: []].append($0) }
        dog.observe(messenger).from(me) { message, author in
            if author === me { received["me, with author", default: []].append(message) }
        }
        dog.observe(messenger).notFrom(me) { message, author in
            if author !== me { received["others, with author", default: []].append(message) }
        }
        dog.observe(messenger).filterAuthor({ $0 === you }) { message, author in
            if author === you { received["you, with author", default: []].append(message) }
        }
        sendAll()
        #expect(
            received == [
                "me": [1, 4], "me, at once": [1, 4], "others": [2, 3], "you": [2], "me, with author": [1, 4],
                "others, with author": [2, 3], "you, with author": [2],
            ])
    }

    @Test func anObserverCanIgnoreWhatItCausedItselfHoweverIndirectly() {
        let storage = Var(0), view = Dog()
        let shown = storage.new().map { $0 * 10 }
        var updates: [Int] = []
        view.observe(shown).notFrom(view) { updates.append($0) }
        storage.set(1, author: view)
        storage.set(2, author: dog)
        #expect(updates == [20])
    }

    @Test func anAuthorIsNotKept() {
        let messenger = Messenger<Int>(), dog = Dog()
        var transforms: [AuthorFilter<Messenger<Int>>] = []
        let leaked = leaks { track in
            let author = track(Dog())
            transforms.append(messenger.notFrom(author))
            dog.observe(messenger).from(author) { _ in }
            author.observe(messenger).notFrom(author) { _ in }
        }
        #expect(leaked.isEmpty)
        var received: [Int] = []
        dog.observe(transforms[0]) { received.append($0) }
        messenger.send(1)
        #expect(received == [1])
    }

    private func sendAll() {
        messenger.send(1, author: me)
        messenger.send(2, author: you)
        messenger.send(3)
        messenger.send(4, author: me)
    }
}
