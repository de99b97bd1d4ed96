// SPDX-License-Identifier: MIT

import Observation

/// A property of an observable object. It is told of one change, before that happens, and then is tracked again.
public final class ObservationScene: Scene {
    @Observable
    fileprivate final class Model {
        var number = -1
    }

    private let model = Model()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) { track(model, sum) }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { model.number = number }
        model.number = -1
    }
}

private func track(_ model: ObservationScene.Model, _ sum: UnsafeMutablePointer<Int>) {
    nonisolated(unsafe) let model = model
    nonisolated(unsafe) let sum = sum
    withObservationTracking {
        sum.pointee &+= model.number
    } onChange: {
        track(model, sum)
    }
}
