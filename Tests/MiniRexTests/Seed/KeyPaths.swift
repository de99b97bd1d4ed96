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
    @Test func assignmentsArePublished() {
        let dog = Dog()
        var received: [KeyPathChange<String>] = []
        let subscription = dog.publisher(forKeyPath: \.name, options: [.old, .new]).subscribe { received.append($0) }
        dog.name = "Rex"
        dog.name = "Bello"
        subscription.invalidate()
        dog.name = "Hasso"
        #expect(received.map(\.oldValue) == ["Rex", "Rex"])
        #expect(received.map(\.newValue) == ["Rex", "Bello"])
        #expect(received.allSatisfy { !$0.isPrior })
    }

    @Test func onlyWhatIsAskedForIsThere() {
        let dog = Dog()
        var received: [KeyPathChange<String>] = []
        let subscription = dog.publisher(forKeyPath: \.name, options: []).subscribe { received.append($0) }
        dog.name = "Bello"
        withExtendedLifetime(subscription) {
            #expect(received.count == 1 && received[0].oldValue == nil && received[0].newValue == nil)
        }
    }

    @Test func theInitialValueComesOnSubscribing() {
        let dog = Dog()
        var received: [KeyPathChange<String>] = []
        let subscription = dog.publisher(forKeyPath: \.name, options: [.initial, .old, .new])
            .subscribe { received.append($0) }
        dog.name = "Bello"
        withExtendedLifetime(subscription) {
            #expect(received.map(\.oldValue) == [nil, "Rex"] && received.map(\.newValue) == ["Rex", "Bello"])
        }
    }

    @Test func aPriorUpdateComesBeforeTheChange() {
        let dog = Dog()
        var log: [String] = []
        let subscription = dog.publisher(forKeyPath: \.name, options: [.prior, .old, .new]).subscribe { change in
            log.append("\(change.isPrior) \(change.oldValue ?? "-") \(change.newValue ?? "-") now \(dog.name)")
        }
        dog.name = "Bello"
        withExtendedLifetime(subscription) {
            #expect(log == ["true Rex - now Rex", "false Rex Bello now Bello"])
        }
    }

    @Test func aPublishedValueChangesOnly() {
        let dog = Dog()
        var names: [String] = [], owners: [String?] = []
        let subscriptions = [
            dog.valuePublisher(forKeyPath: \.name).subscribe { names.append($0) },
            dog.valuePublisher(forKeyPath: \.owner).subscribe { owners.append($0) },
        ]
        dog.name = "Rex"
        dog.name = "Bello"
        dog.owner = nil
        dog.owner = "Ann"
        dog.owner = nil
        withExtendedLifetime(subscriptions) {
            #expect(names == ["Rex", "Bello"])
            #expect(owners == [nil, "Ann", nil])
        }
    }

    @Test func aSubclassHasItsOwnPropertiesAndThoseItInherits() {
        let puppy = Puppy()
        var received: [String] = []
        let subscriptions = [
            puppy.valuePublisher(forKeyPath: \.name).subscribe { received.append($0) },
            puppy.valuePublisher(forKeyPath: \.toys).subscribe { received.append("\($0)") },
        ]
        puppy.name = "Bello"
        puppy.toys = 3
        withExtendedLifetime(subscriptions) { #expect(received == ["Rex", "0", "Bello", "3"]) }
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
        #expect(isSaid("the key path does not lead to a property that is KeyPathPublished", in: result?.standardErrorContent))
    }

    @Test func aComputedPropertyEndsTheProgramToo() async {
        await #expect(processExitsWith: .failure) { _ = Dog().publisher(forKeyPath: \.shoutedName) }
    }
}
