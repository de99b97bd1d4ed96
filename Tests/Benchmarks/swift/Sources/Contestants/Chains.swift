// SPDX-License-Identifier: MIT

import SwiftObserver

/// An array of closures, each a mapping and a filter composed by hand and compiled into one.
public final class ComposedClosures: Scene {
    private var handlers: [(Int) -> Void] = []

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        handlers.append { number in
            let mapped = number &* 3
            if mapped & 1 == 0 { sum.pointee &+= mapped }
        }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { sendOne(number) }
    }

    @inline(never)
    private func sendOne(_ number: Int) {
        for handler in handlers { handler(number) }
    }
}

/// Ad hoc chains of a mapping and a filter.
public final class AdHocChains: Scene {
    private let messenger = Messenger<Int>()
    private let dog = Dog()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let sum = sum
        dog.observe(messenger).map { $0 &* 3 }.filter { $0 & 1 == 0 }.receive { sum.pointee &+= $0 }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { messenger.send(number) }
    }
}

/// Standing transforms, a mapping and a filter for each observation.
public final class StandingChains: Scene {
    private let messenger = Messenger<Int>()
    private let dog = Dog()
    private var transforms: [Filter<Mapper<Messenger<Int>, Int>>] = []

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let sum = sum
        let transform = messenger.map { $0 &* 3 }.filter { $0 & 1 == 0 }
        transforms.append(transform)
        dog.observe(transform) { sum.pointee &+= $0 }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { messenger.send(number) }
    }
}
