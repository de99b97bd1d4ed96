// SPDX-License-Identifier: MIT

import Synchronization

/// A value that sends an update when it changes (laws 15 to 18).
///
/// The value and its version are guarded by the lock of the core, and the message takes its place in
/// the order under the same lock: so messages come in the order of the assignments, each beginning
/// where the one before it ended. Comparing values and computing new ones is foreign code and runs
/// without the lock; the version tells whether another thread was faster, and then it is done again.
public final class Variable<Value, Handler: MessageHandler> {
    /// Whether an assignment changes nothing. Decided once, when the variable is made (law 16).
    public typealias Equality = (_ old: Value, _ new: Value) -> Bool
    /// Makes the message of a change. Runs under the lock: no foreign code.
    public typealias MakeMessage = (_ old: Value, _ new: Value) -> Handler.Waiting

    public let core: Core<Handler>
    @usableFromInline var value: Value
    @usableFromInline var version: UInt64 = 0
    @usableFromInline let isEqual: Equality
    @usableFromInline let makeMessage: MakeMessage
    /// What is held back while a batch is open. Guarded by the lock of the core.
    @usableFromInline var batch: Batch<Value, Handler.Author>?

    @inlinable
    public init(core: Core<Handler>, value: Value, isEqual: @escaping Equality, makeMessage: @escaping MakeMessage) {
        self.core = core
        self.value = value
        self.isEqual = isEqual
        self.makeMessage = makeMessage
    }

    @inlinable
    public func get() -> Value { versioned().value }

    @inlinable
    public func set(_ new: Value, author: Handler.Author) -> Outcome {
        update(author: author) { _ in new } ?? .sent
    }

    /// Computes the new value from the old one, as one step (law 17).
    ///
    /// - Parameter change: is called again if another thread sets the value meanwhile; `nil` leaves
    ///   the variable as it is.
    /// - Returns: `nil` if `change` returned `nil`.
    @inlinable @inline(__always)
    public func update(author: Handler.Author, _ change: (Value) -> Value?) -> Outcome? {
        while true {
            let (old, seen) = versioned()
            guard let new = change(old) else { return nil }
            if isEqual(old, new) { return .sent }
            core.lock()
            guard version == seen else {
                core.unlock()
                continue
            }
            version += 1
            // `old` keeps the value that goes, so nothing is released under the lock.
            value = new
            if batch != nil { return holdBackUnlocking(old, author) }
            if core.isHeard { return core.sendUnlocking(makeMessage(old, new), author: author) }
            core.unlock()
            return withExtendedLifetime(old) { .sent }
        }
    }

    @inlinable
    func versioned() -> (value: Value, version: UInt64) {
        core.lock()
        defer { core.unlock() }
        return (value, version)
    }
}

extension AnyCore {
    /// Whether a message sent now could reach a handler. The lock is held.
    @inlinable final var isHeard: Bool {
        let now = state.load(ordering: .relaxed)
        return now & CoreState.blocked == 0 && now & (CoreState.empty | CoreState.owned) != CoreState.empty
    }
}
