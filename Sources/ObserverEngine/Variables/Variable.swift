// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// A value that sends an update when it changes (laws 15 to 18).
///
/// The value and its version are guarded by the lock of the core, and the message takes its place in
/// the order under the same lock: so messages come in the order of the assignments, each beginning
/// where the one before it ended. Comparing values and computing new ones is foreign code and runs
/// without the lock; the version tells whether another thread was faster, and then it is done again.
///
/// Where the core is biased to this thread, this thread reads and writes the value without the lock: the others wait
/// for these few instructions.
public final class Variable<Value, Handler: MessageHandler> {
    /// Whether an assignment changes nothing. Decided once, when the variable is made (law 16).
    public typealias Equality = (_ old: Value, _ new: Value) -> Bool
    /// Makes the message of a change. Runs under the lock: no foreign code.
    public typealias MakeMessage = (_ old: Value, _ new: Value) -> Handler.Stored

    public let core: Core<Handler>
    @usableFromInline @exclusivity(unchecked) var value: Value
    @usableFromInline @exclusivity(unchecked) var version: UInt64 = 0
    @usableFromInline let isEqual: Equality
    @usableFromInline let makeMessage: MakeMessage
    /// The changes held back while a batch is open. Guarded by the lock of the core.
    @usableFromInline @exclusivity(unchecked) var batch: Batch<Value, Handler.Author>?
    /// The thread that was here last, with the lock, and how often it has to come again to bias the core to it.
    @usableFromInline @exclusivity(unchecked) var user: UInt = 0
    @usableFromInline @exclusivity(unchecked) var usesToBias: UInt32 = 0

    @inlinable
    public init(core: Core<Handler>, value: Value, isEqual: @escaping Equality, makeMessage: @escaping MakeMessage) {
        self.core = core
        self.value = value
        self.isEqual = isEqual
        self.makeMessage = makeMessage
    }

    @inlinable
    public func get() -> Value {
        if let busy = core.enterCritical() {
            let result = value
            core.leaveCritical(busy)
            return result
        }
        return getLocked()
    }

    @inlinable
    public func set(_ new: Value, author: Handler.Author) -> Outcome {
        while true {
            let (old, seen) = versioned()
            // In a transaction the commit compares: another thread may have set something else by then.
            if seen < Self.readInTransaction, isEqual(old, new) { return .sent }
            if let outcome = assign(old, new, seen, author) { return outcome }
        }
    }

    /// Sets a value that another thread has enqueued here.
    ///
    /// - Parameter isHeard: whether its update is to be sent, if anything observes: as it was when that thread set it,
    ///   blocked or not.
    public func set(_ new: Value, author: Handler.Author, isHeard: Bool) -> Outcome {
        while true {
            let (old, seen) = versioned()
            if isEqual(old, new) { return .sent }
            if let outcome = assignLocked(old, new, seen, author, isHeard) { return outcome }
        }
    }

    /// Computes the new value from the old one, as one step (law 17).
    ///
    /// - Parameter change: is called again if another thread sets the value meanwhile; `nil` leaves
    ///   the variable as it is.
    /// - Returns: `nil` if `change` returned `nil`.
    @inlinable @inline(__always)
    public func update(author: Handler.Author, _ change: (Value) -> Value?) -> Outcome? {
        while true {
            let (old, seen) = versioned(notes: true)
            guard let new = change(old) else { return nil }
            if isEqual(old, new) { return seen == Self.readInFunction ? .computing : .sent }
            if let outcome = assign(old, new, seen, author) { return outcome }
        }
    }

    /// Reads the value in place, if the core is biased to this thread.
    ///
    /// - Parameter read: runs no foreign code and releases nothing.
    /// - Returns: What it returns.
    @inlinable @inline(__always)
    public func readBiased<Result>(_ read: (borrowing Value) -> Result) -> Result? {
        guard let busy = core.enterCritical() else { return nil }
        let result = read(value)
        core.leaveCritical(busy)
        return result
    }

    /// Changes the value in place, if the core is biased to this thread and nothing is in the way.
    ///
    /// - Parameters:
    ///   - change: says whether it has changed the value; `nil` if it cannot. Runs no foreign code and releases nothing.
    ///   - lendMessage: calls a closure with the message of that change.
    /// - Returns: `nil` if nothing was done.
    @inlinable @inline(__always)
    public func changeBiased(
        author: Handler.Author, _ change: (inout Value) -> Bool?, _ lendMessage: ((Handler.Message) -> Void) -> Void
    ) -> Outcome? {
        guard core.tryEnterCritical() else { return nil }
        guard batch == nil, let hasChanged = change(&value) else {
            core.leaveCritical(ReaderState.idle)
            return nil
        }
        guard hasChanged else {
            core.leaveCritical(ReaderState.idle)
            return .sent
        }
        version &+= 1
        platform_probe_set(core.address, Handler.address(of: author))
        guard core.deliverFromCritical() else { return .sent }
        lendMessage { core.dispatchInline($0, author) }
        return core.releaseBiased()
    }

    /// Makes a change that nothing is in the way of, in a critical section, which this ends.
    @inlinable
    func exchange(_ new: Value, _ author: Handler.Author) -> Outcome {
        let old = value
        version &+= 1
        value = new
        platform_probe_set(core.address, Handler.address(of: author))
        guard core.deliverFromCritical() else { return withExtendedLifetime(old) { .sent } }
        Handler.withMessage(makeMessage(old, new)) { core.dispatch($0, author) }
        return withExtendedLifetime(old) { core.releaseBiased() }
    }

    /// Makes a change, unless the value has changed meanwhile. `old` keeps the value that goes, so nothing is
    /// released in here before the end.
    @inlinable
    func assign(_ old: Value, _ new: Value, _ seen: UInt64, _ author: Handler.Author) -> Outcome? {
        if core.tryEnterCritical() {
            if batch == nil, version == seen { return exchange(new, author) }
            core.leaveCritical(ReaderState.idle)
        }
        return assignLocked(old, new, seen, author)
    }

    @inlinable @inline(never)
    func assignLocked(
        _ old: Value, _ new: Value, _ seen: UInt64, _ author: Handler.Author, _ isHeard: Bool? = nil
    ) -> Outcome? {
        if wasReadInGraph(seen) { return assignInGraph(old, new, seen, author, isHeard) }
        core.lock()
        guard version == seen else {
            core.unlock()
            return nil
        }
        version &+= 1
        value = new
        platform_probe_set(core.address, Handler.address(of: author))
        if core.isTraced { return assignTracedUnlocking(old, new, author, isHeard) }
        if batch != nil {
            let before = holdBack(old, author)
            core.unlock()
            return withExtendedLifetime((old, before)) { .sent }
        }
        guard isHeard ?? core.isHeard else {
            core.unlock()
            return withExtendedLifetime(old) { .sent }
        }
        let message = makeMessage(old, new)
        let sending = core.decide(change: message, author)
        core.unlock()
        return core.perform(sending, message, author)
    }

    /// Goes on with an assignment whose cause is noted. Called with the lock held; releases it.
    @usableFromInline @inline(never)
    func assignTracedUnlocking(
        _ old: Value, _ new: Value, _ author: Handler.Author, _ isHeard: Bool?
    ) -> Outcome {
        let cause = core.makeCause(author), message = makeMessage(old, new)
        var sending: Sending?
        var before: Handler.Author?
        if batch != nil {
            before = holdBack(old, author)
        } else if isHeard ?? core.isHeard {
            sending = core.decide(change: message, author)
            core.noteWaiting(sending.unsafelyUnwrapped, cause)
        }
        core.unlock()
        let outcome = core.sendTraced(stored: message, cause) {
            sending.map { core.perform($0, message, author) } ?? .sent
        }
        return withExtendedLifetime((old, before)) { outcome }
    }

    /// - Parameter notes: whether a transaction depends on what it reads here.
    @inlinable
    func versioned(notes: Bool = false) -> (value: Value, version: UInt64) {
        if let busy = core.enterCritical() {
            let result = (value, version)
            core.leaveCritical(busy)
            return result
        }
        return notes ? versionedAndNoted() : versionedLocked()
    }

    @inlinable @inline(never)
    func getLocked() -> Value {
        if isInGraph { return getInGraph() }
        core.lock()
        defer { core.unlock() }
        core.countUse(&user, &usesToBias)
        return value
    }

    @inlinable @inline(never)
    func versionedLocked() -> (value: Value, version: UInt64) {
        if isInGraph { return versionedInGraph() }
        core.lock()
        defer { core.unlock() }
        core.countUse(&user, &usesToBias)
        // Where it has joined a graph meanwhile, no set of this version succeeds.
        return (value, version & ~Self.inGraph)
    }
}

extension AnyCore {
    /// Whether a message sent now could reach a handler. The lock is held.
    @inlinable final var isHeard: Bool {
        let now = state.load()
        return now & CoreState.blocked == 0 && now & (CoreState.empty | CoreState.owned) != CoreState.empty
    }
}
