// SPDX-License-Identifier: MIT

import Dispatch
import Observation
import SwiftObserver

/// A value that is computed of two variables and observed. One of the two is set.
public final class DerivedScene: Scene {
    private let width = Var(-1), height = Var(3)
    private let area: Derived<Int, Never>
    private let dog = Dog()

    public init() {
        area = Derived { [width, height] in width.value &* height.value }
    }

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let sum = sum
        dog.observe(area) { sum.pointee &+= $0.new }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { width.value = number }
        width.value = -1
    }
}

@Observable
private final class Rectangle {
    var width = -1
    var height = 3
    var area: Int { width &* height }
}

/// The same as a computed property of an observable object, tracked again with each change.
public final class ObservedPropertyScene: Scene {
    private let rectangle = Rectangle()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) { track(rectangle, sum) }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { rectangle.width = number }
        rectangle.width = -1
    }
}

private func track(_ rectangle: Rectangle, _ sum: UnsafeMutablePointer<Int>) {
    nonisolated(unsafe) let rectangle = rectangle
    nonisolated(unsafe) let sum = sum
    withObservationTracking {
        sum.pointee &+= rectangle.area
    } onChange: {
        track(rectangle, sum)
    }
}

/// The same as a sequence, which leaves changes out that come while its task does not wait: so each is waited for.
public final class ObservationsScene: Scene {
    private let rectangle = Rectangle()
    private var tasks: [Task<Void, Never>] = []
    private let arrived = DispatchSemaphore(value: 0)

    public init() {}

    deinit { for task in tasks { task.cancel() } }

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let rectangle = rectangle
        nonisolated(unsafe) let sum = sum
        let areas = Observations { rectangle.area }
        tasks.append(
            Task.detached { [arrived] in
                for await area in areas {
                    sum.pointee &+= area
                    arrived.signal()
                }
            })
        arrived.wait()
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count {
            rectangle.width = number
            for _ in tasks { arrived.wait() }
        }
        rectangle.width = -1
        for _ in tasks { arrived.wait() }
    }
}
