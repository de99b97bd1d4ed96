// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("filterAuthor, from and notFrom") struct FilterAuthorTests {
    let messenger = Messenger<Int>(), dog = Dog(), me = Dog(), you = Dog()

    private func expect(_ numbers: [Int], _ heard: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(heard == numbers.map { "\($0)" }, sourceLocation: sourceLocation)
    }

    /// What is heard of four messages: the first and the last are mine, the second is yours.
    private func heard(_ begin: (AdHocObservation<Int>, Dog) -> Void) -> [String] {
        let dog = Dog()
        begin(dog.observe(messenger), dog)
        messenger.send(1, author: me)
        messenger.send(2, author: you)
        messenger.send(3)
        messenger.send(4, author: me)
        return dog.heard
    }

    @Test func onlyTheWantedAuthorsPass() {
        let byMe = messenger.from(me), byOthers = messenger.notFrom(me)
        let byYou = messenger.filterAuthor { [you] in $0 === you }
        expect([1, 4], heard { $1.listen(to: byMe) })
        expect([2, 3], heard { $1.listen(to: byOthers) })
        expect([2], heard { $1.listen(to: byYou) })
    }

    @Test func onlyTheWantedAuthorsPassAdHoc() {
        let isYou = { @Sendable [you] (author: AnyObject) in author === you }
        expect([1, 4], heard { chain, dog in chain.from(me).receive { dog.hear($0) } })
        expect([1, 4], heard { chain, dog in chain.from(me) { dog.hear($0) } })
        expect([2, 3], heard { chain, dog in chain.notFrom(me) { dog.hear($0) } })
        expect([2], heard { chain, dog in chain.filterAuthor(isYou) { dog.hear($0) } })
        expect([1, 4], heard { chain, dog in chain.from(me) { if $1 === me { dog.hear($0) } } })
        expect([2, 3], heard { chain, dog in chain.notFrom(me) { if $1 !== me { dog.hear($0) } } })
        expect([2], heard { chain, dog in chain.filterAuthor(isYou) { if isYou($1) { dog.hear($0) } } })
    }

    @Test func anObserverCanIgnoreWhatItCausedItselfHoweverIndirectly() {
        let storage = Var(0), shown = storage.new().map { $0 * 10 }
        dog.observe(shown).notFrom(dog) { dog.hear($0) }
        storage.set(1, author: dog)
        storage.set(2, author: me)
        #expect(dog.heard == ["20"])
    }

    @Test func anAuthorIsNotKept() {
        var transforms: [AuthorFilter<Messenger<Int>>] = []
        let leaked = leaks { track in
            let author = track(Dog())
            transforms.append(messenger.notFrom(author))
            dog.observe(messenger).from(author) { _ in }
            author.observe(messenger).notFrom(author) { _ in }
        }
        #expect(leaked.isEmpty)
        dog.listen(to: transforms[0])
        messenger.send(1)
        #expect(dog.heard == ["1"])
    }
}
