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
        let record = register(destroy)
        if other != nil || downstream != nil { record.pointee.lead(to: downstream, continuingIn: other) }
        place(handler, record)
        let id = ObservationID(rawValue: record.pointee.id)
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
        inTurn isInTurn: Bool = false, awaitingJoin awaitsJoin: Bool = false, _ make: (ObservationID) -> Handler
    ) -> ObservationID {
        lock()
        let record = register(destroy)
        if other != nil || downstream != nil { record.pointee.lead(to: downstream, continuingIn: other) }
        if let name { record.pointee.call(name) }
        let id = ObservationID(rawValue: record.pointee.id)
        unlock()
        let handler = make(id)
        lock()
        guard record.pointee.isLiving else {
            // It has been stopped already, so an owner must not even see it.
            let unwanted = finish(record, handler)
            unlock()
            unwanted?.end()
            return id
        }
        // Before it has a place, or a send that owns without the lock would call it before its replay.
        let awaitsTurn = (replay != nil || awaitsJoin) && state.load() & CoreState.unordered == 0
        if awaitsTurn { awaitTurn(record) }
        place(handler, record)
        guard let replay else {
            unlock()
            return id
        }
        if !awaitsTurn {
            deliverUnorderedUnlocking(replay, to: record)
            return id
        }
        let hasToDrain = enqueue(replay, for: id, inTurn: isInTurn)
        unlock()
        if hasToDrain { _ = withHooks { drain() } }
        return id
    }

    /// Lets an observation, which has no place yet, receive nothing until it joins. The lock is held.
    @inlinable
    func awaitTurn(_ record: RecordPointer) {
        record.pointee.phase.store(Record.awaitingTurn, ordering: .relaxed)
        mute()
    }

    /// Makes the record of a new observation. The lock is held.
    @inlinable
    func register(_ destroy: Destroy?) -> RecordPointer {
        let record = Registry.take(lockIndex, core: self)
        record.pointee.begin(destroy)
        record.pointee.position = Record.detached
        living += 1
        return record
    }

    /// Lets an observation take part in deliveries. The lock is held.
    @inlinable
    func place(_ handler: Handler, _ record: RecordPointer) {
        let entries = entriesWithRoom()
        let position = entries.count
        (entries.handlers + position).initialize(to: handler)
        (entries.records + position).initialize(to: record)
        record.pointee.position = Int32(truncatingIfNeeded: position)
        entries.count = position + 1
        if state.load() & CoreState.empty != 0 { state.noteObservation() }
    }

    /// Ends an observation. Called with the lock held; releases it. Then this may be gone, unless something follows it.
    @inlinable
    func end(_ record: RecordPointer) {
        let awaitsTurn = record.pointee.awaitsTurn
        record.pointee.phase.store(Record.ended, ordering: .releasing)
        living -= 1
        let isFollowed = details?.pointee.left != nil, remaining = living
        if isFollowed { _ = Unmanaged.passRetained(self) }
        let before = state.noteEnd(ofLast: living == 0)
        // Only now, for an owner that found neither would call the handler.
        if before & CoreState.muted != 0 {
            if awaitsTurn { unmute() }
            if record.pointee.blocks != 0 { unmute() }
        }
        if before & CoreState.owned != 0 {
            // One that is not placed yet is taken out where it would be.
            if record.pointee.position != Record.detached { makeBacklog().pointee.ended.append(record) }
            unlock()
            if isFollowed { tell(remaining) }
            return
        }
        let finished = take(record)
        compact()
        if !hasRetired {
            state.forgetEnd(isClosed: before & CoreState.closed != 0)
        }
        unlock()
        finished?.end()
        if isFollowed { tell(remaining) }
    }

    @inlinable @inline(never)
    func tell(_ remaining: UInt32) {
        // Set once, so it is read without the lock.
        details?.pointee.left?(Int(remaining))
        Unmanaged.passUnretained(self).release()
    }

    /// Takes an ended observation out of the entries. No thread is the owner, and the lock is held.
    /// @return Its handler, unless another thread has it pinned, or may be calling it, and will finish it.
    @inlinable
    func take(_ record: RecordPointer) -> Finished<Handler>? {
        guard let entries, record.pointee.position != Record.detached else { return nil }
        let position = Int(record.pointee.position)
        let handler = (entries.handlers + position).move()
        entries.atomicRecords[position].store(nil, ordering: .relaxed)
        record.pointee.position = Record.detached
        if entries.base != firstPlace { entries.inert += 1 }
        if !isUnordered {
            (entries.handlers + position).initialize(to: Handler.inert)
        } else if isDeliveringUnordered {
            // What has been moved still stands where deliveries call it, until they have ended.
            retire(record, handler)
            return nil
        }
        return finish(record, handler)
    }

    @inlinable @inline(never)
    func retire(_ record: RecordPointer, _ handler: Handler) {
        makeBacklog().pointee.retired.append(RetiredHandler(record: record, handler: handler, number: retire()))
    }

    @inlinable @inline(never)
    func pin(_ record: RecordPointer, _ handler: Handler) {
        let pinned = RetiredHandler(record: record, handler: handler, number: 0)
        let backlog = makeBacklog()
        if backlog.pointee.pinned == nil { backlog.pointee.pinned = [] }
        backlog.pointee.pinned?.append(pinned)
    }

    /// Ends a record that has no place among the entries any more, or has not had one. The lock is held.
    /// @return Its handler, unless it is pinned: then the last pin finishes it.
    @inlinable @inline(__always)
    func finish(_ record: RecordPointer, _ handler: Handler) -> Finished<Handler>? {
        guard record.pointee.pins == 0 else {
            pin(record, handler)
            return nil
        }
        let finished = Finished(handler: handler, destroy: record.pointee.finish())
        Registry.free(record)
        return finished
    }

    /// Ends one pin. The lock is held. @return The handler, if this was all that kept it.
    @inlinable
    func unpin(_ record: RecordPointer) -> Finished<Handler>? {
        record.pointee.pins -= 1
        guard record.pointee.pins == 0, record.pointee.position == Record.detached,
            let backlog, let index = backlog.pointee.pinned?.firstIndex(where: { $0.record == record })
        else { return nil }
        return backlog.pointee.pinned?.remove(at: index).finish()
    }
}
