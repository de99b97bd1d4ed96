// SPDX-License-Identifier: MIT

import MiniRex

/// A broadcaster with subscribers.
public final class BroadcasterScene: Scene {
    private let broadcaster = Broadcaster<Int>()
    private var subscriptions: [Subscription] = []

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        subscriptions.append(broadcaster.publisher.subscribe { sum.pointee &+= $0 })
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { broadcaster.broadcast(update: number) }
    }
}

/// A published property with subscribers.
public final class PropertyScene: Scene {
    private let property = PublishedProperty(withInitialValue: -1)
    private var subscriptions: [Subscription] = []

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        subscriptions.append(property.publisher.subscribe { sum.pointee &+= $0 })
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { property.value = number }
    }
}
