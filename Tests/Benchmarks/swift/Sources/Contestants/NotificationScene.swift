// SPDX-License-Identifier: MIT

import Foundation

/// A notification centre of its own, with the number in the user info.
public final class NotificationScene: Leaving {
    private let center = NotificationCenter()
    private let name = Notification.Name("number")
    private var tokens: [any NSObjectProtocol] = []

    public init() {}

    deinit { for token in tokens { center.removeObserver(token) } }

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        tokens.append(begin(sum))
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { center.post(name: name, object: nil, userInfo: ["number": number]) }
    }

    @inline(never)
    public func observeAndStop(_ count: Int, _ sum: UnsafeMutablePointer<Int>) {
        for _ in 0..<count { center.removeObserver(begin(sum)) }
    }

    private func begin(_ sum: UnsafeMutablePointer<Int>) -> any NSObjectProtocol {
        nonisolated(unsafe) let sum = sum
        return center.addObserver(forName: name, object: nil, queue: nil) { notification in
            sum.pointee &+= notification.userInfo!["number"] as! Int
        }
    }
}

/// A notification centre whose notifications say nothing but that they happened.
public final class BareNotificationScene: Scene {
    private let center = NotificationCenter()
    private let name = Notification.Name("number")
    private var tokens: [any NSObjectProtocol] = []

    public init() {}

    deinit { for token in tokens { center.removeObserver(token) } }

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        nonisolated(unsafe) let sum = sum
        tokens.append(center.addObserver(forName: name, object: nil, queue: nil) { _ in sum.pointee &+= 1 })
    }

    @inline(never)
    public func send(_ count: Int) {
        for _ in 0..<count { center.post(name: name, object: nil) }
    }
}
