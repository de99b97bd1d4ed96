// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// Drops everything that is sent from now on, until it has been unblocked as often as it was blocked.
    ///
    /// Messages that were sent before still arrive. A variable keeps changing, only its updates are dropped.
    public func block() { messenger.core.block() }

    /// Takes back one ``block()``. It must have been blocked.
    public func unblock() {
        precondition(messenger.core.unblock(), "an observable is unblocked more often than it was blocked")
    }

    /// Whether what is sent is dropped.
    public var isBlocked: Bool { messenger.core.isBlocked }

    /// Drops everything that is sent, on any thread, while a closure runs.
    public func blocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        block()
        defer { unblock() }
        return try body()
    }
}

extension ObservationHandle {
    /// Keeps messages from the handler, until it has been unblocked as often as it was blocked. They are lost
    /// to it, not to the others.
    ///
    /// - Returns: False if the observation is not living, or has been blocked 127 times already.
    @discardableResult
    public func block() -> Bool { id.block() }

    /// Takes back one ``block()``.
    ///
    /// - Returns: False if the observation is not living, or was not blocked.
    @discardableResult
    public func unblock() -> Bool { id.unblock() }

    /// Whether messages are kept from the handler.
    public var isBlocked: Bool { id.isBlocked }

    /// Keeps messages from the handler, on any thread, while a closure runs.
    public func blocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isBlocked = block()
        defer { if isBlocked { unblock() } }
        return try body()
    }
}
