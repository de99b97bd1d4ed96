// SPDX-License-Identifier: MIT

import SwiftObserver5

/// The observer of these scenes.
private final class Cat: Observer {}

/// A messenger of version 5, which remembers the latest message.
public final class SwiftObserver5Messenger: Scene {
    private let messenger = Messenger(0)
    private let cat = Cat()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        cat.observe(messenger) { sum.pointee &+= $0 }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { messenger.send(number) }
    }
}

/// A variable of version 5.
public final class SwiftObserver5Variable: Scene {
    private let variable = Var(-1)
    private let cat = Cat()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        cat.observe(variable) { sum.pointee &+= $0.new }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { variable.value = number }
    }
}
