// SPDX-License-Identifier: MIT

import SwiftObserver

/// A variable with an observer.
public final class VariableScene: Scene {
    private let variable = Var(-1)
    private let dog = Dog()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let sum = sum
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
    private final class Target: Sendable {}

    private let variable = Var(-1)
    private let dog = Dog()
    private let target = Target()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let sum = sum
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

/// The operations of a variable with an observer.
public final class VariableUse {
    private let variable = Var(0)
    private let dog = Dog()
    public private(set) var sum = 0
    private let changes = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    public init() {
        changes.initialize(to: 0)
        nonisolated(unsafe) let changes = changes
        dog.observe(variable) { changes.pointee &+= $0.new }
    }

    @inline(never)
    public func get(_ count: Int) {
        for _ in 0..<count { sum &+= variable.value }
    }

    @inline(never)
    public func set(_ count: Int) {
        for number in 1...count { variable.value = number }
    }

    @inline(never)
    public func setToTheSame(_ count: Int) {
        for _ in 0..<count { variable.value = -1 }
    }
}

/// What one writes by hand: a property that tells closures what was and what is.
public final class PropertyUse {
    private var handlers: [((old: Int, new: Int)) -> Void] = []
    private var value = 0 {
        didSet { if value != oldValue { for handler in handlers { handler((oldValue, value)) } } }
    }
    public private(set) var sum = 0
    private let changes = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    public init() {
        changes.initialize(to: 0)
        handlers.append { [changes] in changes.pointee &+= $0.new }
    }

    @inline(never)
    public func get(_ count: Int) {
        for _ in 0..<count { sum &+= read() }
    }

    @inline(never)
    public func set(_ count: Int) {
        for number in 1...count { assign(number) }
    }

    @inline(never)
    public func setToTheSame(_ count: Int) {
        for _ in 0..<count { assign(-1) }
    }

    // Not inlined, as those of another module would not be: else a loop would be one operation.
    @inline(never)
    private func read() -> Int { value }

    @inline(never)
    private func assign(_ number: Int) { value = number }
}
