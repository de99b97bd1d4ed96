// SPDX-License-Identifier: MIT

import SwiftObserver

/// A variable with an observer.
public final class VariableScene: Scene {
    private let variable = Var(-1)
    private let dog = Dog()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        dog.observe(variable) { sum.pointee &+= $0.new }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { variable.value = number }
    }
}

/// A variable with handlers that hold an object weakly and use it while they run, which is what SteinsKit does
/// with each observer.
public final class WeakVariableScene: Scene {
    private final class Target {}

    private let variable = Var(-1)
    private let dog = Dog()
    private let target = Target()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        dog.observe(variable) { [weak target] update in
            guard let target else { return }
            sum.pointee &+= update.new
            withExtendedLifetime(target) {}
        }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { variable.value = number }
    }
}
