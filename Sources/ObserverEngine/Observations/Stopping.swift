// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension ObservationID {
    private var lockIndex: UInt32 { SlotMap.lockIndex(self) }

    /// Ends the observation: no call of its handler begins any more (law 7).
    ///
    /// - Returns: Whether it was living (law 10).
    @discardableResult
    public func stop() -> Bool {
        platform_lock_acquire(lockIndex)
        guard let slot = livingSlot else {
            platform_lock_release(lockIndex)
            return false
        }
        let continuation = slot.pointee.continuation
        endUnlocking(slot)
        if continuation != 0 { ObservationID(rawValue: continuation).stop() }
        return true
    }

    /// Ends the observation as its own death would: nothing more comes in, but what waits in the
    /// observation that it goes on in is still delivered there.
    public func finish() {
        platform_lock_acquire(lockIndex)
        guard let slot = livingSlot else { return platform_lock_release(lockIndex) }
        endUnlocking(slot)
    }

    /// Ends the observation. Called with the lock held; releases it.
    private func endUnlocking(_ slot: SlotPointer) {
        // Counting the core would take two atomic operations. It lives until the lock is free, and longer if it needs
        // to.
        slot.pointee.core?._withUnsafeGuaranteedRef { core in
            core.revokeIfAny()
            core.endUnlocking(slot)
        }
    }

    /// Makes another observation the end of this one, where messages wait between the two: a handler
    /// that is called later, or elsewhere. Stopping this one, and waiting for it, then includes the other.
    /// Two can continue in each other: then either stands for both.
    ///
    /// - Returns: False if this one is not living any more; the other one has been stopped then.
    @discardableResult
    public func continues(in other: ObservationID) -> Bool {
        platform_lock_acquire(lockIndex)
        let slot = livingSlot
        slot?.pointee.continue(in: other.rawValue)
        platform_lock_release(lockIndex)
        if slot == nil { other.stop() }
        return slot != nil
    }

    /// Ends the observation and waits until its handler is running on no other thread (law 7).
    ///
    /// Called from inside the handler it does not wait. It waits also if the observation was stopped
    /// before and the handler is still running.
    ///
    /// - Returns: Whether it was living.
    @discardableResult
    public func stopAndWait() -> Bool {
        let continuation = continuation
        // Both are stopped before either is waited for: a sender may be held up by what stands in between.
        let wasLiving = stop()
        waitForCalls()
        continuation?.waitForCalls()
        return wasLiving
    }

    /// Returns when no other thread is calling the handler of this observation, which has been stopped.
    func waitForCalls() {
        guard var pin = pinned() else { return }
        pin.core._withUnsafeGuaranteedRef { $0.waitForHandler(of: &pin) }
        pin.end()
    }

    /// Whether this thread is inside the handler of this observation, which has been stopped, at any depth: whether
    /// `stopAndWait()` would not wait.
    public var isCalledHere: Bool { isCalledHereAlone || continuation?.isCalledHereAlone == true }

    var isCalledHereAlone: Bool {
        guard let pin = pinned() else { return false }
        defer { pin.end() }
        return pin.core._withUnsafeGuaranteedRef { $0.isCalledHere(pin.slot) }
    }

    private func pinned() -> Pin? {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        guard let slot = SlotMap.find(self), let core = slot.pointee.core?.takeUnretainedValue() else {
            return nil
        }
        slot.pointee.pins += 1
        return Pin(slot: slot, core: .passRetained(core))
    }

    /// The observation in which this one goes on.
    var continuation: ObservationID? {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        guard let slot = SlotMap.find(self), slot.pointee.continuation != 0 else { return nil }
        return ObservationID(rawValue: slot.pointee.continuation)
    }

    /// Names the observation, if it is living, for those who look at a graph.
    ///
    /// - Parameter name: in memory of `malloc`, taken over.
    public func setName(_ name: UnsafeMutablePointer<CChar>?) {
        var before = name
        platform_lock_acquire(lockIndex)
        if let slot = livingSlot {
            before = slot.pointee.details?.pointee.name
            slot.pointee.makeDetails().pointee.name = name
        }
        platform_lock_release(lockIndex)
        platform_free(before)
    }

    /// A copy of the name, which the caller frees; `nil` without a name or without memory.
    public func copyName() -> UnsafeMutablePointer<CChar>? {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        return livingSlot?.pointee.details?.pointee.name.flatMap { strdup($0) }
    }

    /// Whether the observation is living.
    public var isLiving: Bool {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        return livingSlot != nil
    }

    /// Whether the observation has ended, and its handler is running nowhere any more.
    var isFinished: Bool {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        return SlotMap.find(self) == nil
    }

    /// Whether the observation is living and of this core, or goes on there.
    @inline(never)
    func isLiving(of core: AnyCore) -> Bool {
        platform_lock_acquire(lockIndex)
        let slot = SlotMap.find(self)
        let isHere = slot.map { $0.pointee.isLiving && isSame($0.pointee.core?.takeUnretainedValue(), core) } ?? false
        let other = slot?.pointee.continuation ?? 0
        platform_lock_release(lockIndex)
        return isHere || other != 0 && ObservationID(rawValue: other).isLivingAlone(of: core)
    }

    private func isLivingAlone(of core: AnyCore) -> Bool {
        withLivingSlot { _, itsCore in isSame(itsCore, core) }
    }

    /// The core whose messages it receives, while it is living: where two continue in each other, that of the other
    /// one, which observes for both.
    var observed: UnsafeMutableRawPointer? {
        if let other = continuation, other.continuation == self, let core = other.livingCore {
            return Unmanaged.passUnretained(core).toOpaque()
        }
        return livingCore.map { Unmanaged.passUnretained($0).toOpaque() }
    }

    /// The observed core, while the observation is living.
    @usableFromInline var livingCore: AnyCore? {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        return livingSlot?.pointee.core?.takeUnretainedValue()
    }

    /// Calls a closure with the lock held, if the observation is living.
    func withLivingSlot(_ body: (SlotPointer, AnyCore) -> Bool) -> Bool {
        platform_lock_acquire(lockIndex)
        defer { platform_lock_release(lockIndex) }
        guard let slot = livingSlot, let core = slot.pointee.core?.takeUnretainedValue() else { return false }
        return body(slot, core)
    }

    /// The lock is held.
    private var livingSlot: SlotPointer? {
        guard let slot = SlotMap.find(self), slot.pointee.isLiving else { return nil }
        return slot
    }
}

/// Keeps a slot and its core, until it is ended: by the thread that pinned it, which can be cancelled while it waits.
private struct Pin {
    let slot: SlotPointer
    let core: Unmanaged<AnyCore>

    func end() {
        core._withUnsafeGuaranteedRef { $0.endPin(of: slot) }
        core.release()
    }

    /// Ends the pin at a pointer, of a thread that is cancelled while it waits.
    static var end: @convention(c) (UnsafeMutableRawPointer?) -> Void {
        { $0.unsafelyUnwrapped.assumingMemoryBound(to: Pin.self).pointee.end() }
    }
}

extension AnyCore {
    /// Waits until no other thread is calling the handler of a pinned slot.
    fileprivate final func waitForHandler(of pin: inout Pin) {
        let slot = pin.slot
        // A thread that is about to call has noted that by now, or will see that the observation has ended.
        fenceAll()
        lock()
        while isCalledByOthersOnly(slot) {
            state.announceWaiter()
            // The handler may have returned before the bit rose, and the note of that still be on its way: without the
            // fence this would wait for the next handler, too.
            fenceAll()
            guard isCalledByOthersOnly(slot) else { break }
            platform_lock_wait(lockIndex, Pin.end, &pin)
        }
        unlock()
    }

    /// Whether this thread is calling the handler of a pinned slot.
    fileprivate final func isCalledHere(_ slot: SlotPointer) -> Bool {
        lock()
        defer { unlock() }
        return callers(of: slot).isHere
    }

    /// Lets this thread see all that each other one stored before it looked at the state.
    private final func fenceAll() {
        if platform_fences_others() {
            platform_fence_others()
        } else {
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        }
    }

    /// Whether other threads are calling the handler of a slot, and this one is not: a thread inside the
    /// handler does not wait, or two such threads would wait for each other. The lock is held.
    private final func isCalledByOthersOnly(_ slot: SlotPointer) -> Bool {
        let callers = callers(of: slot)
        return callers.areElsewhere && !callers.isHere
    }

    /// Whether this thread is calling the handler of a slot, and whether others are. The lock is held.
    private final func callers(of slot: SlotPointer) -> (isHere: Bool, areElsewhere: Bool) {
        let thread = platform_thread()
        var isHere = false
        var areElsewhere = false
        func note(_ caller: UInt) { if caller == thread { isHere = true } else { areElsewhere = true } }
        if let handler = protectedHandler, self.slot(ofHandler: handler) == slot {
            note(owner.load(ordering: .relaxed))
        }
        // Once it is known to be called here, nothing else matters.
        forEachDelivery {
            if $0.pointee.hazard.load(ordering: .acquiring) == slot { note($0.pointee.thread) }
            return !isHere
        }
        return (isHere, areElsewhere)
    }
}
