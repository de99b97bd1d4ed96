// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// Sends a message to all that observe (laws 1 to 5).
    ///
    /// If a delivery is in progress, here or on another thread, the message waits for its turn.
    /// Without observations this costs one load; where nothing else is going on, two atomic
    /// operations and a loop over the handlers, and none in an observable that is biased to this thread.
    @inlinable
    public func send(_ message: Message, author: Author) -> Outcome {
        let now = state.load()
        if now == CoreState.biased, isBiasOwnerIdle { return probed(author) { sendBiased(message, author) } }
        return isUnheard ? .sent : probed(author) { sendByState(message, author) }
    }

    /// The same where `isUnheard` has been asked before, in the place of the call.
    @inlinable @inline(__always)
    public func sendHeard(_ message: Message, author: Author) -> Outcome {
        let isBiasedHere = state.load() == CoreState.biased && isBiasOwnerIdle
        return probed(author) { _fastPath(isBiasedHere) ? sendBiased(message, author) : sendByState(message, author) }
    }

    /// Sends for a program, which may do so in a function: that does not depend on what handlers read.
    @inlinable @inline(__always)
    public func sendForProgram(_ message: Message, author: Author) -> Outcome {
        _slowPath(isBesideFunctions)
            ? sendBesideFunctions(message, author: author) : send(message, author: author)
    }

    /// Whether there are functions, one of which may run on this thread.
    @inlinable @inline(__always)
    public var isBesideFunctions: Bool { platform_has_graphs() }

    @inlinable @inline(never)
    public func sendBesideFunctions(_ message: Message, author: Author) -> Outcome {
        besideFunctions { send(message, author: author) }
    }

    @inlinable @inline(__always)
    func probed(_ author: Author, _ send: () -> Outcome) -> Outcome {
        platform_probe_send_begin(address, Handler.address(of: author))
        defer { platform_probe_send_end(address) }
        return send()
    }

    /// Whether nothing hears what is sent now.
    @inlinable @inline(__always)
    public var isUnheard: Bool { state.load() & CoreState.unheard == CoreState.empty }

    @inlinable @inline(never)
    func sendByState(_ message: Message, _ author: Author) -> Outcome {
        // The reader slots were made before this bit was raised.
        let now = state.loadAcquiring()
        if now == CoreState.unordered | CoreState.inReaderSlots { return sendInReaderSlot(message, author) }
        // An exchange that fails would take the inbox of the cache from the owner, too.
        return now & ~CoreState.standing == 0 ? sendOwning(message, author) : sendSlowly(message, author)
    }

    /// Sends a message as the owner, if nothing else is going on.
    @inlinable @inline(never)
    func sendOwning(_ message: Message, _ author: Author) -> Outcome {
        guard state.tryAcquire(from: idle) else { return sendSlowly(message, author) }
        let isTimeToBias = countSend()
        dispatch(message, author)
        return isTimeToBias ? bias() : release()
    }

    /// Gives a message its place in the order. The lock is held.
    ///
    /// A variable assigns under the same lock, so that its messages are in the order of its values.
    @inlinable @inline(never)
    func decide(_ message: Stored, _ author: Author) -> Sending {
        while true {
            let now = state.load()
            let isFree = now & (CoreState.owned | CoreState.offered | CoreState.empty | CoreState.closed) == 0
            if isFree {
                if now & CoreState.unordered != 0 { return .deliversUnordered }
                if tryAcquireLocked() { return .delivers }
                continue
            }
            if now & CoreState.owned != 0 {
                guard signalOwner() else { continue }
                return enqueueForOwner(message, author)
            }
            if now & CoreState.offered != 0, adopt() {
                appendOwn(message, author)
                return .drains
            }
            if now & (CoreState.empty | CoreState.closed) != 0 { return .enqueued }
        }
    }

    /// The same with the message of a change of a variable.
    @inlinable @inline(__always)
    func decide(change: Stored, _ author: Author) -> Sending {
        let sending = decide(change, author)
        switch sending {
        case .delivers, .deliversUnordered: return sending
        // Where it was enqueued there is an owner.
        case .enqueued, .backsOff, .drains: if state.load() & CoreState.owned != 0 { noteChange() }
        }
        return sending
    }

    /// Notes that the last enqueued message is that of a change. The lock is held.
    @usableFromInline @inline(never)
    func noteChange() {
        let inbox = inbox.unsafelyUnwrapped
        backlog.unsafelyUnwrapped.pointee.changes.note(inbox.appended - 1, batched: inbox.batched)
    }

    /// Does what was decided. No lock is held.
    @inlinable @inline(never)
    func perform(_ sending: Sending, _ message: Stored, _ author: Author) -> Outcome {
        switch sending {
        case .enqueued: return .sent
        case .backsOff: return backOff()
        case .drains: return withHooks { drain() }
        case .delivers, .deliversUnordered: break
        }
        var outcome: Outcome?
        Handler.withMessage(message) { message in
            if case .deliversUnordered = sending {
                outcome = deliverUnordered(message, author)
            } else {
                outcome = withHooks { deliver(message, author) }
            }
        }
        return outcome ?? send(stored: message, author: author)
    }

    /// Sends a message that has been made to wait.
    @inlinable
    public func send(stored message: Stored, author: Author) -> Outcome {
        isTraced
            ? sendTraced(stored: message, author) : perform(withLock { decide(message, author) }, message, author)
    }

    /// Gives a message of what nothing observes its place in the order, for those that begin to observe until it is sent.
    /// The lock is held.
    ///
    /// - Returns: `nil` where it is lost all the same.
    @usableFromInline @inline(never)
    func keepPlace(change: Stored, _ author: Author) -> Sending? {
        let now = state.load()
        if now & (CoreState.blocked | CoreState.closed) != 0 { return nil }
        // Behind what an interrupt has left.
        if now & (CoreState.owned | CoreState.offered) != 0 { return decide(change: change, author) }
        if now & CoreState.unordered != 0 { return .deliversUnordered }
        return tryAcquireLocked() ? .delivers : decide(change: change, author)
    }

    /// Sends what a variable holds, as an update that changes nothing. It has its place among the updates, each of which
    /// begins where the one before it ended: so it is made under the lock.
    ///
    /// - Parameters:
    ///   - isHeard: whether it is sent, if anything observes: as it was when another thread has asked for it.
    ///   - make: runs under the lock: no foreign code.
    ///   - leave: called when the lock is free, before anything is sent.
    @usableFromInline @inline(never)
    func sendLatest(
        _ author: Author, isHeard: Bool? = nil, _ make: () -> Stored, leave: () -> Void = {}
    ) -> Outcome {
        lock()
        guard isHeard ?? !isBlocked, !isUnheard else {
            unlock()
            leave()
            return .sent
        }
        let message = make()
        let cause = isTraced ? makeCause(author) : nil
        let sending = decide(change: message, author)
        if cause != nil { noteWaiting(sending, cause) }
        unlock()
        leave()
        return besideFunctions {
            probed(author) {
                cause == nil
                    ? perform(sending, message, author)
                    : sendTraced(stored: message, cause) { perform(sending, message, author) }
            }
        }
    }

    @inlinable
    func sendSlowly(_ message: Message, _ author: Author) -> Outcome {
        // Copying may run foreign code, so it comes before the lock.
        if isDelivering {
            guard let kept = Handler.copy(message) else { return .noMemory }
            lockPatiently()
            // The usual case of what `decide` decides: it takes the message over instead of counting it.
            let marks = CoreState.owned | CoreState.blocked | CoreState.traced
            if state.load() & marks == CoreState.owned, signalOwner() {
                let sending = enqueueForOwner(consume kept, author)
                unlock()
                return sending == .backsOff ? backOff() : .sent
            }
            let isTraced = isTraced
            if isTraced, !isSendingTraced {
                let isBlocked = isBlocked
                unlock()
                return isBlocked ? sendTraced(message, author) : sendTraced(stored: kept, author)
            }
            let sending = isBlocked ? .enqueued : decide(kept, author)
            if isTraced, !isBlocked { noteWaiting(sending, platform_context_here().pointee.cause) }
            unlock()
            return perform(sending, kept, author)
        }
        if isTraced, !isSendingTraced { return sendTraced(message, author) }
        if state.load() & (CoreState.unordered | CoreState.blocked) == CoreState.unordered,
            let outcome = deliverUnordered(message, author)
        {
            return outcome
        }
        lock()
        let now = state.load()
        let isFree = now & (CoreState.owned | CoreState.offered) == 0
        let isUnheard = now & CoreState.blocked != 0 || (isFree && now & (CoreState.empty | CoreState.closed) != 0)
        if !isUnheard, isFree, now & CoreState.unordered == 0, tryAcquireLocked() {
            unlock()
            return withHooks { deliver(message, author) }
        }
        unlock()
        return isUnheard ? .sent : sendSlowly(message, author)
    }

    /// Keeps the owner from leaving before it has looked for what is appended now. The lock is held.
    ///
    /// Returns false if the owner is gone: until the bit is raised it may leave without the lock.
    @inlinable
    func signalOwner() -> Bool {
        let held = CoreState.owned | CoreState.enqueued
        if state.load() & held != held {
            guard state.announceMessage() else { return false }
        }
        if owner.load(ordering: .relaxed) != platform_thread(), !isShared { markShared() }
        return true
    }

    /// Puts a message behind those that wait for the owner. The lock is held.
    ///
    /// - Returns: Whether this thread is ahead of another one that delivers: then `backOff` has to follow.
    @inlinable @inline(never)
    func enqueueForOwner(_ message: consuming Stored, _ author: Author) -> Sending {
        append(message, author)
        let incoming = inbox.unsafelyUnwrapped.incoming._withUnsafeGuaranteedRef { $0.count }
        // 32, 64, 128, ...: where the owner stays in a handler, a sender backs off the less often the more it sends.
        guard incoming & (incoming &- 1) == 0, incoming >= 32, owner.load(ordering: .relaxed) != platform_thread()
        else {
            return .enqueued
        }
        // A handler of the owner may give up what this thread sends with, as soon as the lock is free.
        _ = Unmanaged.passRetained(self)
        return .backsOff
    }

    /// Puts a message behind those that wait. The lock is held.
    @inlinable @inline(never)
    func append(_ message: consuming Stored, _ author: Author) { (inbox ?? makeInbox()).append(message, author) }

    @inlinable var isOffered: Bool { state.load() & CoreState.offered != 0 }

    /// Takes ownership, unless a send without the lock was faster. The lock is held.
    @inlinable
    func tryAcquireLocked() -> Bool { state.tryAcquire() }

    /// Offers a message to all, as the owner, and gives ownership back.
    @inlinable @inline(never)
    func deliver(_ message: Message, _ author: Author) -> Outcome {
        owner.store(platform_thread(), ordering: .relaxed)
        if isTraced { dispatchTraced(message, author) } else { dispatch(message, author) }
        return release()
    }

    /// Gives ownership back, as soon as nothing waits for the owner.
    @inlinable @inline(__always)
    func release() -> Outcome {
        let now = state.load()
        if now & ~(CoreState.empty | CoreState.standing) == CoreState.owned,
            state.tryRelease(from: now)
        {
            return .sent
        }
        return drain()
    }

    /// Calls the handlers that were there when it began.
    @inlinable
    func dispatch(_ message: Message, _ author: Author) { dispatchInline(message, author) }

    /// The same for those who can save the call.
    @inlinable @inline(__always)
    func dispatchInline(_ message: Message, _ author: Author) {
        guard let entries else { return }
        let count = entries.count
        platform_probe_delivery_begin(address, Handler.address(of: author))
        defer { platform_probe_delivery_end(address) }
        // Most have one, which needs no loop, nor what that keeps from call to call.
        if _fastPath(count == 1 && protect(entries.handlers)) {
            receive(entries.handlers, message, author)
            hazard.store(nil, ordering: .releasing)
        } else {
            dispatchToMany(entries, count, message, author)
        }
    }

    @inlinable @inline(never)
    func dispatchToMany(_ entries: Entries<Handler>, _ count: Int, _ message: Message, _ author: Author) {
        guard count > 0 else { return }
        var handler = entries.handlers
        let end = handler + count
        // Where the loop comes to lie makes a fifth of its speed.
        handler = platform_loop_from(handler).unsafelyUnwrapped.assumingMemoryBound(to: Handler.self)
        repeat {
            if _fastPath(protect(handler)) || revalidate(handler, in: entries) { receive(handler, message, author) }
            // One register for the place, not one for the block and one for the distance.
            handler = platform_as_it_is(handler + 1).unsafelyUnwrapped.assumingMemoryBound(to: Handler.self)
        } while handler != end
        hazard.store(nil, ordering: .releasing)
    }

    /// Protects a handler that is about to be called.
    ///
    /// - Returns: Whether nothing has happened that could forbid the call.
    @inlinable @inline(__always)
    func protect(_ handler: UnsafeMutablePointer<Handler>) -> Bool {
        // First the hazard, then the look: a thread that raises a bit, fences and reads the hazard
        // either finds this handler protected, or has its bit seen here.
        hazard.store(UnsafeMutableRawPointer(handler), ordering: .releasing)
        platform_fence_compiler()
        return state.load() & CoreState.slowPath == 0
    }

    /// Calls a handler where it stands.
    @inlinable @inline(__always)
    func receive(_ handler: UnsafeMutablePointer<Handler>, _ message: Message, _ author: Author) {
        platform_probe_handler_begin(address, handler)
        UnsafeMutableRawPointer(handler).assumingMemoryBound(to: StandingHandler<Handler>.self)
            .pointee.receive(message, author)
        platform_probe_handler_end(address)
    }

    /// Whether a handler may be called, in a delivery that something has happened to.
    // Out of the loops, which keep what they need in registers.
    @inlinable @inline(never)
    func revalidate(_ handler: UnsafeMutablePointer<Handler>, in entries: Entries<Handler>) -> Bool {
        revalidate(entries.slots[handler - entries.handlers])
    }

    /// Whether the handler of an observation may be called.
    @inlinable @inline(never)
    func revalidate(_ slot: SlotPointer?) -> Bool {
        let now = state.load()
        if now & CoreState.alwaysRevalidate != 0 { atomicMemoryFence(ordering: .sequentiallyConsistent) }
        if state.load() & CoreState.awaited != 0 {
            lock()
            announce()
            unlock()
        }
        return slot?.pointee.isWanted ?? false
    }
}

/// The next step for a message that has its place in the order.
@usableFromInline
enum Sending {
    /// Nothing: the owner delivers it, or nothing can hear it.
    case enqueued
    /// The owner delivers it, and this thread backs off.
    case backsOff
    /// This thread owns now, and the message is behind those that wait.
    case drains
    /// This thread owns now, and nothing waits.
    case delivers
    case deliversUnordered

    /// Whether it is left to an owner, if there is one.
    @usableFromInline var isLeft: Bool {
        @inline(__always) get {
            switch self {
            case .enqueued, .backsOff: true
            case .drains, .delivers, .deliversUnordered: false
            }
        }
    }
}
