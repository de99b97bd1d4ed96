// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// Begins an observation. During a delivery it joins with the next message (law 6).
    ///
    /// - Parameters:
    ///   - other: the observation in which this one goes on, behind a queue, if it does.
    ///   - downstream: what its messages go to, if it serves an observable. The handler has to keep that. An observation
    ///     that feeds its own observable does not show in the graph.
    @inlinable @discardableResult
    public func observe(
        _ handler: Handler, destroy: Destroy? = nil, continuingIn other: ObservationID? = nil,
        feeding downstream: AnyCore? = nil
    ) -> ObservationID {
        lock()
        let slot = register(destroy)
        if other != nil || downstream != nil { slot.pointee.lead(to: downstream, continuingIn: other) }
        place(handler, slot)
        let id = ObservationID(rawValue: slot.pointee.id)
        unlock()
        return id
    }

    /// Begins an observation whose handler is made for it, and knows its id. During a delivery it joins with the next
    /// message (law 6).
    ///
    /// - Parameters:
    ///   - name: what the observation is called, in memory of `malloc`, which it takes over.
    ///   - replay: what it receives before any later message. It takes its turn: at once, if nothing is being
    ///     delivered, else after the message that is.
    ///   - isInTurn: whether the replay comes only after what waits, as everything does where assignments wait.
    ///   - awaitsJoin: whether it receives nothing until `join`, where messages keep their order.
    ///   - make: makes the handler. The observation can be stopped by then.
    @inlinable @discardableResult
    public func observe(
        destroy: Destroy? = nil, continuingIn other: ObservationID? = nil, feeding downstream: AnyCore? = nil,
        named name: UnsafeMutablePointer<CChar>? = nil, replaying replay: Replay<Handler>? = nil,
        inTurn isInTurn: Bool = false, pendingJoin isPendingJoin: Bool = false, _ make: (ObservationID) -> Handler
    ) -> ObservationID {
        lock()
        let slot = register(destroy)
        if other != nil || downstream != nil { slot.pointee.lead(to: downstream, continuingIn: other) }
        if let name { slot.pointee.call(name) }
        let id = ObservationID(rawValue: slot.pointee.id)
        unlock()
        let handler = make(id)
        lock()
        guard slot.pointee.isLiving else {
            // It has been stopped already, so an owner must not even see it.
            let unwanted = finish(slot, handler)
            unlock()
            unwanted?.end()
            return id
        }
        // Before it has a place, or a send that owns without the lock would call it before its replay.
        let isPending = (replay != nil || isPendingJoin) && state.load() & CoreState.unordered == 0
        if isPending { makePending(slot) }
        place(handler, slot)
        guard let replay else {
            unlock()
            return id
        }
        if !isPending {
            deliverUnorderedUnlocking(replay, to: slot)
            return id
        }
        let hasToDrain = enqueue(replay, for: id, inTurn: isInTurn)
        unlock()
        if hasToDrain { _ = besideFunctions { withHooks { drain() } } }
        return id
    }

    /// Lets an observation, which has no place yet, receive nothing until it joins. The lock is held.
    @inlinable
    func makePending(_ slot: SlotPointer) {
        slot.pointee.phase.store(Slot.pending, ordering: .relaxed)
        addBlocked()
    }

    /// Makes the slot of a new observation. The lock is held.
    @inlinable
    func register(_ destroy: Destroy?) -> SlotPointer {
        let slot = SlotMap.take(lockIndex, core: Unmanaged.passUnretained(self).toOpaque())
        slot.pointee.begin(destroy)
        slot.pointee.position = Slot.detached
        living += 1
        platform_probe_observe(address, slot.pointee.id)
        return slot
    }

    /// Lets an observation take part in deliveries. The lock is held.
    @inlinable
    func place(_ handler: Handler, _ slot: SlotPointer) {
        let entries = entriesWithRoom()
        let position = entries.count
        (entries.handlers + position).initialize(to: handler)
        (entries.slots + position).initialize(to: slot)
        slot.pointee.position = Int32(truncatingIfNeeded: position)
        entries.count = position + 1
        if state.load() & CoreState.empty != 0 {
            state.markObserved()
            // Made before anything was traced.
            if platform_traced_at_birth() != 0 { state.set(CoreState.traced, true) }
        }
    }

    /// Ends an observation. Called with the lock held; releases it. Then this may be gone, unless something follows it.
    @inlinable
    func end(_ slot: SlotPointer) {
        let isPending = slot.pointee.isPending
        platform_probe_stop(address, slot.pointee.id)
        slot.pointee.phase.store(Slot.ended, ordering: .releasing)
        living -= 1
        let isFollowed = isFollowed, remaining = living
        if isFollowed { _ = Unmanaged.passRetained(self) }
        let before = state.markEnded(ofLast: living == 0)
        // Only now, for an owner that found neither would call the handler.
        if before & CoreState.someBlocked != 0 {
            if isPending { removeBlocked() }
            if slot.pointee.blocks != 0 { removeBlocked() }
        }
        if before & CoreState.owned != 0 {
            // One that is not placed yet is taken out where it would be.
            if slot.pointee.position != Slot.detached { makeBacklog().pointee.ended.append(slot) }
            unlock()
            if isFollowed { tellReleasing(remaining) }
            return
        }
        let finished = take(slot)
        compact()
        if !hasRetired {
            state.markSwept(isClosed: before & CoreState.closed != 0)
        }
        unlock()
        finished?.end()
        if isFollowed { tellReleasing(remaining) }
    }

    @inlinable @inline(never)
    func tellReleasing(_ remaining: UInt32) {
        tell(remaining)
        Unmanaged.passUnretained(self).release()
    }

    /// Takes an ended observation out of the entries. No thread is the owner, and the lock is held.
    /// @return Its handler, unless another thread has it pinned, or may be calling it, and will finish it.
    @inlinable
    func take(_ slot: SlotPointer) -> DeferredDestruction<Handler>? {
        guard let entries, slot.pointee.position != Slot.detached else { return nil }
        let position = Int(slot.pointee.position)
        let handler = (entries.handlers + position).move()
        entries.atomicSlots[position].store(nil, ordering: .relaxed)
        slot.pointee.position = Slot.detached
        if entries.base != inlineEntry { entries.tombstones += 1 }
        if !isUnordered {
            (entries.handlers + position).initialize(to: Handler.tombstone)
        } else if isDeliveringUnordered {
            // What has been moved still stands where deliveries call it, until they have ended.
            retire(slot, handler)
            return nil
        }
        return finish(slot, handler)
    }

    @inlinable @inline(never)
    func retire(_ slot: SlotPointer, _ handler: Handler) {
        makeBacklog().pointee.retired.append(RetiredHandler(slot: slot, handler: handler, number: retire()))
    }

    @inlinable @inline(never)
    func pin(_ slot: SlotPointer, _ handler: Handler) {
        let pinned = RetiredHandler(slot: slot, handler: handler, number: 0)
        let backlog = makeBacklog()
        if backlog.pointee.pinned == nil { backlog.pointee.pinned = [] }
        backlog.pointee.pinned?.append(pinned)
    }

    /// Ends a slot that has no place among the entries any more, or has not had one. The lock is held.
    /// @return Its handler, unless it is pinned: then the last pin finishes it.
    @inlinable @inline(__always)
    func finish(_ slot: SlotPointer, _ handler: Handler) -> DeferredDestruction<Handler>? {
        guard slot.pointee.pins == 0 else {
            pin(slot, handler)
            return nil
        }
        let finished = DeferredDestruction(handler: handler, destroy: slot.pointee.finish())
        SlotMap.free(slot)
        return finished
    }

    /// Ends one pin. The lock is held. @return The handler, if this was all that kept it.
    @inlinable
    func unpin(_ slot: SlotPointer) -> DeferredDestruction<Handler>? {
        slot.pointee.pins -= 1
        guard slot.pointee.pins == 0, slot.pointee.position == Slot.detached,
            let backlog, let index = backlog.pointee.pinned?.firstIndex(where: { $0.slot == slot })
        else { return nil }
        return backlog.pointee.pinned?.remove(at: index).finish()
    }
}
