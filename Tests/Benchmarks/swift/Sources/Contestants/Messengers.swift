// SPDX-License-Identifier: MIT

import SwiftObserver

/// The observer of these scenes.
final class Dog: Observer {
    let receiver = Receiver()
}

/// A messenger with an observer.
public final class MessengerScene: Leaving {
    private let messenger = Messenger<Int>()
    private let dog = Dog()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let sum = sum
        dog.observe(messenger) { sum.pointee &+= $0 }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { messenger.send(number) }
    }

    @inline(never)
    public func observeAndStop(_ count: Int, _ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let sum = sum
        for _ in 0..<count {
            dog.observe(messenger) { sum.pointee &+= $0 }.stop()
        }
    }
}

/// A messenger whose observer's handlers are on the main actor, as in most programs with windows.
public final class MainActorScene: Scene {
    private let messenger = Messenger<Int>()
    private let dog = Dog()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let (sum, dog) = (sum, dog)
        let messenger = messenger
        MainActor.assumeIsolated {
            _ = dog.observe(messenger) { @MainActor in sum.pointee &+= $0 }
        }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { messenger.send(number) }
    }
}
