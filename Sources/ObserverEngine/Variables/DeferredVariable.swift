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
/// The owner of the core assigns, so the value belongs to it, and it reads and writes the value at the cost of two
/// plain stores. Other threads take the lock, and keep owners out. If there is an owner, it is made to see that
/// (`others`) or is waited for (`isBusy`), by the fence that stops observations, too.
///
/// Where messages keep no order nothing waits, and assignments are made at once, on several threads: under the lock, by
/// which `version` tells whether another one came between comparing and assigning.
public final class DeferredVariable<Value, Handler: MessageHandler> {
    /// Whether an assignment changes nothing. Runs without a lock, when the turn of the assignment has come.
    public typealias Equality = (_ old: Value, _ new: Value) -> Bool
    /// Makes the message of a change. Runs without a lock.
    public typealias MakeMessage = (_ old: Value, _ new: Value) -> Handler.Stored

    public let core: Core<Handler>
    @usableFromInline let isEqual: Equality?
    @usableFromInline let makeMessage: MakeMessage
    // What the compiler would check with each access, the owner and the lock see to.
    @exclusivity(unchecked) @usableFromInline var value: Value
    /// The owner is at the value, without the lock. No foreign code runs meanwhile.
    @usableFromInline let isBusy = Atomic(false)
    /// Another thread than the owner's is at the value, with the lock.
    @usableFromInline let others = Atomic(false)
    /// Changes with each assignment that no owner makes. Guarded by the lock.
    @exclusivity(unchecked) @usableFromInline var version: UInt32 = 0
    /// How many batches have begun and not ended, whether or not their turn has come.
    @usableFromInline let openBatches = Atomic(0)
    /// The changes held back while a batch is open. The owner's.
    @exclusivity(unchecked) @usableFromInline var batch: Batch<Value, Handler.Author>?

    /// - Parameters:
    ///   - core: carries the messages.
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
    public func get() -> Value { platform_has_graphs() ? getInGraph() : exchange(nil) }

    /// Assigns when the turn has come: at once, if nothing is being delivered.
    @inlinable
    public func set(_ new: Value, author: Handler.Author) -> Outcome {
        _slowPath(platform_has_graphs()) ? setBesideFunctions(new, author) : setNow(new, author)
    }

    @usableFromInline @inline(never)
    func setBesideFunctions(_ new: Value, _ author: Handler.Author) -> Outcome {
        if isComputing { return .computing }
        if Transactions.isOpen { return .inTransaction }
        return besideFunctions { setNow(new, author) }
    }

    @inlinable @inline(__always)
    func setNow(_ new: Value, _ author: Handler.Author) -> Outcome {
        guard core.tryAcquire() else { return setSlowly(new, author) }
        assign(new, author)
        return core.release()
    }

    /// Assigns out of turn, and sends nothing. Functions that read it find that in its turn.
    @inlinable
    public func reset(_ new: Value) {
        // Releases the value before without the lock.
        withExtendedLifetime(exchange(new)) {}
        if platform_has_graphs(), core.isGraphed { enqueueNote() }
    }

    /// The messages that a new observer receives first. Ask in its turn.
    @inlinable
    public func replay(author: Handler.Author) -> [Replayed<Handler>] {
        let value = get()
        return [Replayed(makeMessage(value, value), author)]
    }

    /// Sends the value that is there when the turn has come.
    public func sendLatest(author: Handler.Author, isHeard: Bool? = nil) -> Outcome {
        let isHeard = isHeard ?? !core.isBlocked
        return Transactions.outsideUnlessComputing {
            besideFunctions {
                core.probed(author) {
                    core.enqueueBarrier { [self] in
                        let value = exchangeInTurn(nil)
                        if isHeard {
                            Handler.withMessage(makeMessage(value, value)) { core.dispatchInOrder($0, author) }
                        }
                    }
                }
            }
        }
    }

    @inlinable @inline(never)
    func setSlowly(_ new: Value, _ author: Handler.Author) -> Outcome {
        let isHeard = !core.isBlocked
        if core.isTraced || core.isGraphed && Tracing.isOn { return setTraced(new, author, isHeard) }
        return core.enqueueBarrier { [self] in assign(new, author, isHeard: isHeard, mayBeGraphed: true) }
    }

    /// The same with its cause, which is known now.
    @usableFromInline @inline(never)
    func setTraced(_ new: Value, _ author: Handler.Author, _ isHeard: Bool) -> Outcome {
        let cause = core.withLock { core.makeCauseLater(author) }
        return core.enqueueBarrier { [self] in
            assign(new, author, isHeard: isHeard, mayBeGraphed: true, because: cause)
            platform_cause_release(cause)
        }
    }

    /// Assigns and sends, in its turn.
    ///
    /// - Parameters:
    ///   - isHeard: whether the core was not blocked when the value was set.
    ///   - mayBeGraphed: what has joined a graph is not acquired without the lock.
    ///   - cause: while causes are noted.
    @inlinable @inline(__always)
    func assign(
        _ new: Value, _ author: Handler.Author, isHeard: Bool? = nil, mayBeGraphed: Bool = false,
        because cause: OpaquePointer? = nil
    ) {
        guard core.isOwned else { return assignUnordered(new, author, isHeard: isHeard ?? !core.isBlocked, cause) }
        // Releasing a value may run foreign code, and none runs while it is being exchanged.
        let seen = exchangeInTurn(nil)
        if isEqual?(seen, new) == true { return withExtendedLifetime(seen) {} }
        let old = exchangeInTurn(new)
        platform_probe_set(core.address, Handler.address(of: author))
        let passes = mayBeGraphed && core.isGraphed && noteAssigned(new)
        let isHeldBack = isHoldingBack
        if isHeldBack {
            let before = holdBack(old, author)
            withExtendedLifetime(before) {}
        }
        announce(old, new, author, isSent: !isHeldBack && isHeard ?? !core.isBlocked, cause)
        if passes { handleTurns() }
        withExtendedLifetime((seen, old)) {}
    }

    /// Sends the message of a change, if it is sent, and notes its cause.
    @inlinable @inline(__always)
    func announce(_ old: Value, _ new: Value, _ author: Handler.Author, isSent: Bool, _ cause: OpaquePointer?) {
        if let cause { return announceTraced(old, new, author, isSent, cause) }
        if isSent { Handler.withMessage(makeMessage(old, new)) { core.dispatchInOrder($0, author) } }
    }

    @usableFromInline @inline(never)
    func announceTraced(
        _ old: Value, _ new: Value, _ author: Handler.Author, _ isSent: Bool, _ cause: OpaquePointer
    ) {
        core.withLock { core.note(cause) }
        Handler.withMessage(makeMessage(old, new)) { message in
            _ = core.sendTraced(platform_cause_retain(cause), message) {
                if isSent { core.dispatchInOrder(message, author) }
                return .sent
            }
        }
    }

    /// The same where messages keep no order. Comparing is foreign code, so another thread may be faster: then it is
    /// done again.
    @inlinable @inline(never)
    func assignUnordered(_ new: Value, _ author: Handler.Author, isHeard: Bool, _ cause: OpaquePointer?) {
        while true {
            core.lock()
            let old = value, seen = version
            core.unlock()
            if isEqual?(old, new) == true { return withExtendedLifetime(old) {} }
            core.lock()
            guard version == seen else {
                core.unlock()
                continue
            }
            value = new
            version &+= 1
            platform_probe_set(core.address, Handler.address(of: author))
            let isHeldBack = isHoldingBack
            let before = isHeldBack ? holdBack(old, author) : nil
            core.unlock()
            let passes = core.isGraphed && noteAssigned(new)
            announce(old, new, author, isSent: !isHeldBack && isHeard, cause)
            if passes { handleTurns() }
            return withExtendedLifetime((old, before)) {}
        }
    }
}

extension DeferredVariable where Value == Handler.Message {
    /// Makes a message the value and sends it, when its turn has come: the same as `set`, and faster.
    @inlinable
    public func send(_ message: Value, author: Handler.Author) -> Outcome {
        if _slowPath(platform_has_graphs()) { return setBesideFunctions(message, author) }
        guard core.tryAcquire() else { return setSlowly(message, author) }
        let old = exchangeOwned(message)
        core.dispatch(message, author)
        let outcome = core.release()
        return withExtendedLifetime(old) { outcome }
    }
}

// Batches begin and end in their turn, too.
extension DeferredVariable {
    public func beginBatch() {
        openBatches.add(1, ordering: .relaxed)
        core.enqueueBarrier { [self] in
            let new = Batch<Value, Handler.Author>()
            let closed = exclusively { () -> Batch<Value, Handler.Author>? in
                batch?.depth += 1
                guard batch?.depth ?? 0 == 0 else { return nil }
                defer { batch = batch == nil ? new : nil }
                return batch
            }
            withExtendedLifetime(closed) {}
        }
    }

    /// - Returns: `nil` if no batch is open.
    @discardableResult
    public func endBatch() -> Outcome? {
        // What was sent before a block still arrives.
        let isHeard = !core.isBlocked
        var open = openBatches.load(ordering: .relaxed)
        while open > 0 {
            let (isMine, now) = openBatches.weakCompareExchange(expected: open, desired: open - 1, ordering: .relaxed)
            if isMine { return core.enqueueBarrier { [self] in closeBatch(isHeard) } }
            open = now
        }
        return nil
    }

    private func closeBatch(_ isHeard: Bool) {
        // Its turn can come before that of the beginning, where another thread begins: then it goes below zero
        // meanwhile.
        let early = Batch<Value, Handler.Author>()
        early.depth = 0
        var last: Value?
        let closed = exclusively { () -> Batch<Value, Handler.Author>? in
            let present = batch ?? early
            present.depth -= 1
            batch = present.depth == 0 ? nil : present
            guard batch == nil else { return nil }
            // What other threads assign from here on they send themselves.
            if !core.isOwned { last = value }
            return present
        }
        guard let first = closed?.first, let author = closed?.author, isHeard else { return }
        let latest = last ?? exchangeOwned(nil)
        if isEqual?(first, latest) == true { return }
        core.becauseOfLast {
            Handler.withMessage(makeMessage(first, latest)) { core.dispatchInOrder($0, author) }
        }
    }

    /// Owned, or the lock is held.
    @inlinable var isHoldingBack: Bool { batch?.depth ?? 0 > 0 }

    /// Notes a change while a batch is open. Owned, or the lock is held.
    ///
    /// - Returns: The author before, which the caller releases without the lock.
    @inlinable @inline(never)
    func holdBack(_ old: Value, _ author: Handler.Author) -> Handler.Author? {
        if batch?.first == nil { batch?.first = old }
        defer { batch?.author = author }
        return batch?.author
    }

    /// In a turn: the owner needs no lock. Where messages keep no order there is no owner.
    @inlinable
    func exclusively<Result>(_ body: () -> Result) -> Result {
        if core.isOwned { return body() }
        core.lock()
        defer { core.unlock() }
        return body()
    }
}

extension DeferredVariable {
    /// Reads the value in a turn, and writes another one if there is one.
    @inlinable
    func exchangeInTurn(_ new: Value?) -> Value {
        core.isOwned ? exchangeOwned(new) : exchange(new)
    }

    /// Reads the value as the owner, and writes another one if there is one. What is returned keeps the value that
    /// goes, so that nothing is released in here.
    @inlinable @inline(__always)
    func exchangeOwned(_ new: Value?) -> Value {
        isBusy.store(true, ordering: .relaxed)
        // First the hazard, then the look, as with handlers in a delivery.
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

    /// The same for every thread.
    @inlinable
    func exchange(_ new: Value?) -> Value {
        if core.isDeliveringHere { return exchangeOwned(new) }
        core.lock()
        defer { core.unlock() }
        let before = core.state.announceWork()
        let isOwned = before & CoreState.owned != 0
        if isOwned { keepOwnerOut() }
        let old = value
        if let new {
            value = new
            version &+= 1
        }
        // While the bit is up and no thread owned, none can. Where it was up already, deliveries without order look
        // for it.
        if isOwned {
            others.store(false, ordering: .releasing)
        } else if before & (CoreState.closed | CoreState.work) == 0 {
            core.state.finishWork()
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

extension Core {
    /// Offers a message in a turn.
    @inlinable
    public func dispatchInOrder(_ message: Message, _ author: Author) {
        if isOwned { return isTraced ? dispatchTraced(message, author) : dispatch(message, author) }
        // What asked for the turn learns of it.
        let outcome = send(message, author: author)
        if outcome != .sent { reportFailure(outcome) }
    }
}
