// SPDX-License-Identifier: MIT

import MiniRex
import TestSupport
import Testing

class Dog: KeyPathPublishing {
    @KeyPathPublished var name = "Rex"
    @KeyPathPublished var owner: String?
    var shoutedName: String { name.uppercased() }
    var hunger = 0
}

final class Puppy: Dog {
    @KeyPathPublished var toys = 0
}

@Suite("MiniRex: publishers by key path") struct KeyPaths {
    /// What comes of assignments to the name: "old>new", "!" before the change.
    private func heard(_ options: KeyPathOptions) -> [String] {
        let dog = Dog(), heard = Heard(dog.publisher(forKeyPath: \.name, options: options))
        dog.name = "Rex"
        dog.name = "Bello"
        heard.subscription.invalidate()
        dog.name = "Hasso"
        return heard.updates.map { "\($0.isPrior ? "!" : "")\($0.oldValue ?? "-")>\($0.newValue ?? "-")" }
    }

    @Test func assignmentsArePublishedAsIsAskedFor() {
        #expect(heard([]) == ["->-", "->-"])
        #expect(heard([.old, .new]) == ["Rex>Rex", "Rex>Bello"])
        #expect(heard([.initial, .old, .new]) == ["->Rex", "Rex>Rex", "Rex>Bello"])
        #expect(heard([.prior, .old, .new]) == ["!Rex>-", "Rex>Rex", "!Rex>-", "Rex>Bello"])
    }

    @Test func aPriorUpdateComesBeforeTheChange() {
        let dog = Dog()
        var names: [String] = []
        let subscription = dog.publisher(forKeyPath: \.name, options: .prior).subscribe { _ in names.append(dog.name) }
        dog.name = "Bello"
        withExtendedLifetime(subscription) { #expect(names == ["Rex", "Bello"]) }
    }

    @Test func aPublishedValueChangesOnlyAlsoInASubclass() {
        let puppy = Puppy()
        let names = Heard(puppy.valuePublisher(forKeyPath: \.name))
        let owners = Heard(puppy.valuePublisher(forKeyPath: \.owner))
        let toys = Heard(puppy.valuePublisher(forKeyPath: \.toys))
        for name in ["Rex", "Bello"] { puppy.name = name }
        for owner in [nil, "Ann", nil] { puppy.owner = owner }
        puppy.toys = 3
        #expect(names.updates == ["Rex", "Bello"] && owners.updates == [nil, "Ann", nil] && toys.updates == [0, 3])
    }

    @Test func thePublisherDoesNotKeepTheObject() {
        var publisher: Publisher<String>?
        let living = leaks { track in
            let dog = track(Dog())
            publisher = dog.valuePublisher(forKeyPath: \.name)
        }
        #expect(living == [])
        var received = 0
        let subscription = publisher?.subscribe { _ in received += 1 }
        withExtendedLifetime(subscription) { #expect(received == 0) }
    }

    @Test func aPropertyThatIsNotPublishedEndsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog().publisher(forKeyPath: \.hunger)
        }
        #expect(
            isSaid(
                "the key path does not lead to a property that is KeyPathPublished", in: result?.standardErrorContent))
    }

    @Test func aComputedPropertyEndsTheProgramToo() async {
        await #expect(processExitsWith: .failure) { _ = Dog().publisher(forKeyPath: \.shoutedName) }
    }
}
