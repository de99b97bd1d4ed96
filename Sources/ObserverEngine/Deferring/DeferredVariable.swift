// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// A value whose assignments take their turn among the messages: each is made when all observers have been offered
/// the message before, and its own message follows at once.
///
///     set from inside a handler   2 3
///     value there                 1 1
///     messages                    (1, 2) (2, 3)
///
/// Whoever delivers assigns, so the value belongs to the owner of the core, who reads and writes it at the cost of
/// two plain stores. Everybody else takes the lock, and keeps owners out. If there is an owner, it is made to
/// see that (`others`) or is waited for (`isBusy`), by the fence that stops observations, too.
public final class DeferredVariable<Value, Handler: TurnTaking> {
    /// Whether an assignment changes nothing. Runs without a lock, when the turn of the assignment has come.
    public typealias Equality = (_ old: Value, _ new: Value) -> Bool
    /// Makes the message of a change. Runs without a lock.
    public typealias MakeMessage = (_ old: Value, _ new: Value) -> Handler.Message

    public let core: Core<Handler>
    @usableFromInline let isEqual: Equality?
    @usableFromInline let makeMessage: MakeMessage
    // What the compiler would check with each access, the owner and the lock see to.
    @exclusivity(unchecked) @usableFromInline var value: Value
    /// The owner is at the value, without the lock. No foreign code runs meanwhile.
    @usableFromInline let isBusy = Atomic(false)
    /// Somebody who is not the owner is at the value, with the lock.
    @usableFromInline let others = Atomic(false)

    /// - Parameters:
    ///   - core: maintains the order of its messages.
    ///   - isEqual: `nil` if every assignment is a change.
    @inlinable
    public init(core: Core<Handler>, value: Value, isEqual: Equality? = nil, makeMessage: @escaping MakeMessage) {
        self.core = core
        self.value = value
        self.isEqual = isEqual
        self.makeMessage = makeMessage
    }

    /// The value as of the assignments whose turn has come.
    @inlinable
    public func get() -> Value { exchange(nil) }

    /// Assigns when the turn has come: at once, if nothing is being delivered.
    ///
    /// An assignment that comes after the death of the observable may be lost.
    @inlinable
    public func set(_ new: Value, author: Handler.Author) -> Outcome {
        core.ownAtOnce() ? assign(new, author) : setSlowly(new, author)
    }

    /// Assigns out of turn, and sends nothing.
    @inlinable
    public func reset(_ new: Value) {
        // What was replaced is let go without the lock.
        withExtendedLifetime(exchange(new)) {}
    }

    @inlinable @inline(never)
    func setSlowly(_ new: Value, _ author: Handler.Author) -> Outcome {
        var waiting: Handler.Waiting?
        while true {
            if waiting == nil, core.isOwned {
                waiting = Handler.wait { [self] send in
                    let old = exchangeOwned(nil)
                    if isEqual?(old, new) == true { return }
                    _ = exchangeOwned(new)
                    if core.isHeardByOwner { send(makeMessage(old, new)) }
                    // What was replaced is let go as the owner, not while the value is being exchanged.
                    withExtendedLifetime(old) {}
                }
                if waiting == nil { return .noMemory }
            }
            core.lock()
            if !core.isOwned {
                let now = core.state.load(ordering: .relaxed)
                if now & CoreState.closed != 0 {
                    core.unlock()
                    return withExtendedLifetime(waiting) { .sent }
                }
                if now & CoreState.unordered != 0 { failWithoutOrder() }
                if core.own() {
                    let around = core.enterUnlocking()
                    let outcome = assign(new, author)
                    around?.leave()
                    return outcome
                }
            }
            if let waiting, core.enqueue(waiting, author) {
                core.unlock()
                return .sent
            }
            core.unlock()
        }
    }

    @usableFromInline
    func failWithoutOrder() -> Never { fail("the messages of a deferred variable keep their order") }

    /// Assigns and sends, as the owner, and gives ownership back.
    @inlinable
    func assign(_ new: Value, _ author: Handler.Author) -> Outcome {
        core.owner.store(platform_thread(), ordering: .relaxed)
        do {
            let old = exchangeOwned(nil)
            if isEqual?(old, new) != true {
                _ = exchangeOwned(new)
                if core.isHeardByOwner { core.offer(makeMessage(old, new), author) }
            }
            // To let go of a value may run foreign code, and none runs while it is being exchanged.
            withExtendedLifetime(old) {}
        }
        return core.leave()
    }
}

extension DeferredVariable where Value == Handler.Message {
    /// Makes a message the value and sends it, when its turn has come: the same as `set`, and faster.
    @inlinable
    public func send(_ message: Value, author: Handler.Author) -> Outcome {
        guard core.ownAtOnce() else { return setSlowly(message, author) }
        core.owner.store(platform_thread(), ordering: .relaxed)
        let old = exchangeOwned(message)
        core.offer(message, author)
        let outcome = core.leave()
        return withExtendedLifetime(old) { outcome }
    }
}

extension DeferredVariable {
    /// Reads the value as the owner, and writes another one if there is one. What is returned keeps the value that
    /// goes, so that nothing is let go in here.
    @inlinable @inline(__always)
    func exchangeOwned(_ new: Value?) -> Value {
        isBusy.store(true, ordering: .relaxed)
        // First the note, then the look, as with handlers in a delivery.
        platform_fence_compiler()
        guard core.idle == 0, !others.load(ordering: .acquiring) else { return exchangeCarefully(new) }
        let old = value
        if let new { value = new }
        isBusy.store(false, ordering: .releasing)
        return old
    }

    @inlinable @inline(never)
    func exchangeCarefully(_ new: Value?) -> Value {
        isBusy.store(false, ordering: .releasing)
        core.lock()
        defer { core.unlock() }
        let old = value
        if let new { value = new }
        return old
    }

    /// The same for anybody.
    @inlinable
    func exchange(_ new: Value?) -> Value {
        if core.isDeliveringHere { return exchangeOwned(new) }
        core.lock()
        defer { core.unlock() }
        let before = core.raise(CoreState.work)
        let isOwned = before & CoreState.owned != 0
        if isOwned { keepOwnerOut() }
        let old = value
        if let new { value = new }
        // While the bit is up and nobody owned, nobody can.
        if isOwned {
            others.store(false, ordering: .releasing)
        } else if before & CoreState.closed == 0 {
            core.lower(CoreState.work)
        }
        return old
    }

    /// The lock is held, until others are not at the value any more.
    @usableFromInline
    func keepOwnerOut() {
        others.store(true, ordering: .sequentiallyConsistent)
        if core.idle != 0 { return }
        platform_fence_others()
        while isBusy.load(ordering: .acquiring) { platform_yield() }
    }
}
