// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// A core, as far as the type of its messages does not matter.
///
/// A core is what an observable and its observations share. It belongs to the observable, which
/// *closes* it when it dies; the core ends all its observations before it dies itself, so a slot
/// may point at its core without keeping it. No reference here is `weak`: Embedded Swift has none,
/// and they were what made deliveries slow.
///
/// The protocol between threads:
///
/// - The thread that changes `state` from `idle` to `owned` delivers, and reads the entries without a lock.
/// - Other threads change things under the lock, after raising a bit of `state`. If the core was
///   not owned at that moment it cannot become so, because it is not `idle` any more: they change it
///   in place. If it was owned, what the owner may be reading stays, and the owner clears it away
///   (`work`) between messages.
/// - Foreign code runs only outside the lock: a function decides under it, and returns what is to be done, as
///   `decide` and
///   `perform` do. Two release the lock of their caller themselves, and are named so: `endUnlocking`, because what remains
///   to be done there is a handler, of a size that the caller does not know (to observe and stop takes 580 instructions;
///   it took 905 where stopping returned a closure, and 646 with a second look under the lock); and
///   `deliverUnorderedUnlocking`, because the mode must not change before a delivery is known, which stands on the stack.
///
/// Without order (law 5) no thread is the owner: what a delivery may still read stays until it has ended
/// (`Unordered.swift`).
///
/// A core that one thread alone uses is biased to it (`Bias.swift`): there, that thread delivers without an atomic
/// operation, until another thread takes the lock.
///
/// The lock, or `owned`, or bias says who may use a variable, here and in what has a core. So these are
/// `@exclusivity(unchecked)`: the runtime of ordinary Swift would check that a second time with each access, which made
/// most of what reading a variable cost. No foreign code runs during such an access.
///
/// - Note: `@unchecked Sendable`: `state`, `owner`, `hazard`, `readerState` and the slots' `phase` are atomic;
///   all else is guarded by the lock, or by `owned` where its comment says so.
public class AnyCore: @unchecked Sendable {
    // Of observables there are many, and most have one observer or none: so a core has room for one entry
    // (`InlineEntry`), and what only use brings is in `sideTable`. In the library for C it takes 104 bytes, a block of
    // 112 for malloc.
    //
    // What senders read comes first, and `hazard`, which a delivery writes with each call of a handler, last in
    // `Core`: so no line of the caches, 64 bytes, has both, or each call would take it from the threads that send
    // meanwhile.

    @usableFromInline final let state: State
    /// The activity of the thread to which this is biased; it alone writes here.
    @usableFromInline final let readerState = Atomic<UInt8>(ReaderState.idle)
    @usableFromInline final let lockNumber: UInt8
    /// How many transforms lie between this and the first source, in a byte.
    @usableFromInline final let depth = Atomic<UInt8>(0)
    /// After how many more sends of the owner, if no other thread comes, it is to be asked whether this is biased to
    /// it. Guarded by `owned`; without order of all threads, and by the lock.
    @usableFromInline @exclusivity(unchecked) final var sendsToBias: UInt8 = 0
    /// The thread that owned last, and the one to which this is biased.
    @usableFromInline final let owner = Atomic<UInt>(0)
    /// The owner of this, for the vocabulary to say and to know.
    public final let client = Atomic<UInt>(0)
    /// Where rare data is, or a node where that is all there is: see `SideTable.table()`. Set under the lock.
    @usableFromInline final let rare = Atomic<Int>(0)
    /// How many observations live. Guarded by the lock.
    @usableFromInline @exclusivity(unchecked) final var living: UInt32 = 0

    #if hasFeature(Embedded)
        /// How far what `kind` points at is from `kindsBegin`: both are constants of one library.
        private final let kindDistance: Int32

        /// The kind of observable this is the core of, for the vocabulary to read. Another thread may read it in a
        /// graph as soon as this observes something.
        public final var kind: UnsafeRawPointer? { kindDistance == 0 ? nil : kindsBegin() + Int(kindDistance) }
    #else
        /// The kind of observable this is the core of, for the vocabulary to read. Another thread may read it in a
        /// graph as soon as this observes something.
        public final let kind: UnsafeRawPointer?
    #endif

    #if !hasFeature(Embedded)
        /// Ends an observation. Called with the lock held; releases it.
        ///
        /// A closure, because a method to override would not be specialised: an ordinary generic class has one table of
        /// methods for all its messages, but the closure is made where the core is, for its own.
        @usableFromInline @exclusivity(unchecked) final var ending: (AnyCore, SlotPointer) -> Void = { _, _ in }
    #endif

    @usableFromInline
    init(kind: UnsafeRawPointer?) {
        #if hasFeature(Embedded)
            kindDistance = kind.map { Int32(truncatingIfNeeded: $0 - kindsBegin()) } ?? 0
        #else
            self.kind = kind
        #endif
        state = State(
            (platform_fences_others() ? CoreState.empty : CoreState.empty | CoreState.alwaysRevalidate)
                | platform_traced_at_birth())
        // In turn, so that cores made together do not share a lock.
        lockNumber = UInt8(coresMade.wrappingAdd(1, ordering: .relaxed).newValue % UInt32(PLATFORM_LOCKS))
    }

    deinit {
        if rare.load(ordering: .relaxed) != 0 { endRare() }
    }

    /// The value of `state` while nothing happens and there are observations.
    @inlinable final var idle: UInt32 { state.load() & CoreState.standing }

    /// What probes call this.
    @inlinable public final var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    @inlinable final var lockIndex: UInt32 { UInt32(lockNumber) }

    /// Takes the lock, and with it what is biased to another thread, or is delivered in reader slots.
    // Calls, because 80 places would take ten instructions each.
    @usableFromInline @inline(never)
    final func lock() {
        platform_lock_acquire(lockIndex)
        revokeIfAny()
    }

    /// The same where a thread that sends and one that delivers meet.
    @usableFromInline @inline(never)
    final func lockPatiently() {
        platform_lock_acquire_patiently(lockIndex)
        revokeIfAny()
    }

    @usableFromInline @inline(never)
    final func unlock() { platform_lock_release(lockIndex) }

    /// Decides something under the lock, and returns what is to be done without it.
    @inlinable @inline(__always)
    final func withLock<Action>(_ decide: () -> Action) -> Action {
        lock()
        defer { unlock() }
        return decide()
    }

    /// Lets the threads that wait for a handler look again. The lock is held.
    @inlinable
    final func announce() {
        if state.load() & CoreState.awaited != 0 {
            state.clearWaiters()
            platform_lock_announce(lockIndex)
        }
    }

    /// Calls `left` with the number of observations left after each end while the observable lives, without a
    /// lock. Call this once.
    public final func follow(_ left: @escaping (_ remaining: Int) -> Void) {
        lock()
        let table = makeSideTable()
        if let first = table.pointee.left {
            table.pointee.left = {
                first($0)
                left($0)
            }
        } else {
            table.pointee.left = left
        }
        unlock()
    }

    /// Lets the send in progress, or the next one, report a failed handler, or that what comes behind a transform was
    /// refused.
    @inlinable public final func reportFailure(_ outcome: Outcome = .handlerFailed) {
        let failure = outcome == .refused ? CoreState.refusedBehind : CoreState.failed
        if !isUnordered || !noteFailure(failure) { state.markFailed(failure) }
    }

    /// Notes that an executor has refused a message. The send whose own message that was learns of it, and no other
    /// send, even one that delivers the message.
    public final func reportRefusal() {
        countRefusal()
        if !isUnordered || !noteFailure(CoreState.refused) { state.markRefused() }
    }

    /// Sets how many waiting messages a thread delivers for others before it offers the rest to one that sends.
    ///
    /// - Parameter messages: 0 if it never does.
    @inline(never)
    public final func setBudget(_ messages: Int) {
        lock()
        defer { unlock() }
        makeSideTable().pointee.budget.store(messages > 0 ? UInt32(clamping: messages) : .max, ordering: .relaxed)
    }

    /// After how many messages that waited the thread that delivers lets another one deliver that sends, too.
    @usableFromInline final var budget: UInt32 {
        sideTableUnlocked?.pointee.budget.load(ordering: .relaxed) ?? SideTable.defaultBudget
    }

    /// That number; `nil` if it never does.
    public final var messagesToRelief: Int? {
        let messages = budget
        return messages == .max ? nil : Int(messages)
    }

    /// Whether messages are being delivered out of order, on several threads perhaps (law 5).
    @inlinable public final var isUnordered: Bool { state.load() & CoreState.unordered != 0 }

    /// Whether messages keep the order in which they were sent (law 5). A change comes into force
    /// when no delivery is in progress.
    public final var maintainsMessageOrder: Bool {
        get {
            lock()
            defer { unlock() }
            return !wantsUnordered
        }
        set {
            lock()
            if newValue == wantsUnordered { makeSideTable().pointee.wantsUnordered = !newValue }
            applyMode()
            unlock()
        }
    }

    /// Brings the mode that was asked for into force, if no delivery is in progress. The lock is held.
    @usableFromInline
    final func applyMode() {
        let now = state.load()
        guard wantsUnordered != (now & CoreState.unordered != 0), !isDeliveringUnordered else { return }
        guard wantsUnordered else { return keepOrder() }
        // What is dead stays as it is.
        if now & (CoreState.offered | CoreState.closed) != 0 { return }
        // With a bit raised the state is not idle: if it was not owned, it will not be before the bit falls.
        guard state.announceWork() & CoreState.owned == 0 else { return }
        // This may be biased to the calling thread, which is not busy then, or it would own.
        state.endBias()
        changeTombstones(filling: false)
        sendsToBias = SendsToBias.first
        sideTable?.pointee.roundsToBias.store(1, ordering: .relaxed)
        state.loseOrder()
    }

    /// From now on messages keep their order. No unordered delivery is in progress, and the lock is held.
    @usableFromInline
    final func keepOrder() {
        guard isUnordered else { return }
        changeTombstones(filling: true)
        state.keepOrder()
    }

    /// Ends an observation. Called with the lock held; releases it.
    @usableFromInline
    func endUnlocking(_ slot: SlotPointer) {
        #if hasFeature(Embedded)
            fail("every core ends its own observations")
        #else
            ending(self, slot)
        #endif
    }

    /// Ends the pin of a thread that has waited for a handler. No lock is held.
    @usableFromInline
    func endPin(of slot: SlotPointer) {
        fail("every core unpins its own observations")
    }

    /// Fills the tombstones that observations have left with handlers that do nothing, which owners call, or empties
    /// them: where messages keep no order none is called. No delivery is in progress, and the lock is held.
    @usableFromInline
    func changeTombstones(filling: Bool) {
        fail("every core knows its own entries")
    }

    /// Calls a closure with the slot of each living observation, in their order.
    @usableFromInline
    func forEachSlot(_ body: (SlotPointer) -> Void) {
        fail("every core knows its own entries")
    }

    /// The identity of the handler of an observation, or zeros. The lock is held.
    @usableFromInline
    func handlerIdentity(of slot: SlotPointer) -> (UInt, UInt) {
        fail("every core knows its own entries")
    }

    /// Delivers what has waited while this was held.
    @discardableResult
    public func resume() -> Outcome {
        fail("every core delivers its own messages")
    }

    /// The handler that the owner is about to call or is calling.
    @usableFromInline
    var protectedHandler: UnsafeMutableRawPointer? { fail("every core knows its own entries") }

    /// The slot of the handler that the owner protects. The lock is held.
    @usableFromInline
    func slot(ofHandler handler: UnsafeMutableRawPointer) -> SlotPointer? {
        fail("every core knows its own entries")
    }
}

extension AnyCore {
    /// Whether a thread delivers: in a turn, whether this one does, for without order none does until the turn has
    /// ended.
    @inlinable final var isOwned: Bool { state.load() & CoreState.owned != 0 }

    /// Whether this thread is delivering, and asks from inside a handler.
    @inlinable final var isDeliveringHere: Bool {
        // Only an owner notes handlers, after it has said which thread it is. A thread that is no owner any more may
        // still stand there as one, but then no handler is noted, or another thread has said so meanwhile.
        protectedHandler != nil && owner.load(ordering: .relaxed) == platform_thread()
            && isOwned
    }

    public final var isBlocked: Bool { state.load() & CoreState.blocked != 0 }

    /// One observation less is blocked. The lock is held.
    @usableFromInline
    final func removeBlocked() {
        blockedCount -= 1
        if blockedCount == 0 { state.set(CoreState.someBlocked, false) }
    }

    /// One observation more is blocked, or awaits its turn. The lock is held.
    @usableFromInline
    final func addBlocked() {
        blockedCount += 1
        state.set(CoreState.someBlocked, true)
    }
}

private let coresMade = Atomic<UInt32>(0)

#if hasFeature(Embedded)
    private func kindsBegin() -> UnsafeRawPointer {
        let text: StaticString = "kinds"
        return UnsafeRawPointer(text.utf8Start)
    }
#endif

/// Calls around each delivery, on the thread that makes it: for runtimes with a lock of their own.
///
/// A delivery is all that one thread delivers in one go: a message, and those that came meanwhile.
public final class DeliveryHooks {
    @usableFromInline let enter: () -> Void
    @usableFromInline let leave: () -> Void

    public init(enter: @escaping () -> Void, leave: @escaping () -> Void) {
        self.enter = enter
        self.leave = leave
    }
}

extension AnyCore {
    /// The calls around each delivery that begins from now on. Without it, sending costs no more for it.
    public final var deliveryHooks: DeliveryHooks? {
        get {
            lock()
            defer { unlock() }
            return hooks
        }
        set {
            lock()
            let before = hooks
            if newValue != nil || before != nil { makeSideTable().pointee.hooks = newValue }
            state.set(CoreState.hooked, newValue != nil)
            unlock()
            // It may hold what runs foreign code when it is released.
            withExtendedLifetime(before) {}
        }
    }
}

extension AnyCore {
    /// Delivers, with what is to be done before and after. No lock is held.
    @inlinable @inline(__always)
    final func withHooks(_ deliver: () -> Outcome) -> Outcome {
        let hooks = state.load() & CoreState.hooked != 0 ? deliveryHooks : nil
        hooks?.enter()
        defer { hooks?.leave() }
        return deliver()
    }
}

// A core that is confined to a thread, its home: see `AnyCore.confine`.

extension AnyCore {
    /// Whether another thread alone may deliver. The lock is held.
    @usableFromInline @inline(never)
    final var isElsewhere: Bool {
        guard let home = sideTable?.pointee.home, home != 0 else { return false }
        return home != platform_thread_identity()
    }

    /// The same without the lock.
    public final var isConfinedElsewhere: Bool { sideTableUnlocked != nil && withLock { isElsewhere } }
}

extension Core {
    /// Leaves something to the thread that delivers, or for which something waits. The lock is held.
    ///
    /// - Parameter instead: done where nothing is going on: no thread can begin to deliver meanwhile.
    /// - Returns: Whether it was left.
    @usableFromInline
    func leaveToOwner(_ action: @escaping Barrier, instead: () -> Void = {}) -> Bool {
        let before = state.announceWork()
        if before & (CoreState.owned | CoreState.offered) != 0 {
            enqueue(action)
            return true
        }
        instead()
        if before & CoreState.work == 0 { state.finishWork() }
        return false
    }
}
