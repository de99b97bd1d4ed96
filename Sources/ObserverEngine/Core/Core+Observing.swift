// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension Core {
    /// Begins an observation. During a delivery it joins with the next message (law 6).
    ///
    /// - Parameter other: the observation in which this one goes on, behind a queue, if it does.
    @inlinable
    public func observe(
        _ handler: Handler, destroy: Destroy? = nil, continuingIn other: ObservationID? = nil
    ) -> ObservationID {
        lock()
        let record = register(destroy, continuingIn: other)
        place(handler, record)
        let id = ObservationID(rawValue: record.pointee.id)
        unlock()
        return id
    }

    /// Makes the record of a new observation. The lock is held.
    @inlinable
    func register(_ destroy: Destroy?, continuingIn other: ObservationID?) -> RecordPointer {
        let record = Registry.take(lockIndex, core: self)
        record.pointee.begin(destroy)
        if let other { record.pointee.continue(in: other.rawValue) }
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
        serial += 1
        record.pointee.serial = serial
        entries.count = position + 1
        if state.load(ordering: .relaxed) & CoreState.empty != 0 { lower(CoreState.empty) }
    }

    /// Ends an observation. Called with the lock held; releases it.
    @inlinable
    func end(_ record: RecordPointer) {
        record.pointee.isLiving.store(false, ordering: .releasing)
        living -= 1
        if record.pointee.blocks != 0 { unmute() }
        let empty = living == 0 ? CoreState.empty : 0
        let isFollowed = left != nil, remaining = living
        if raise(CoreState.careful | CoreState.work | empty) & CoreState.owned != 0 {
            ended.append(record)
            unlock()
            if isFollowed { tell(remaining) }
            return
        }
        let finished = take(record)
        compact()
        lower(CoreState.careful)
        if state.load(ordering: .relaxed) & CoreState.closed == 0 { lower(CoreState.work) }
        unlock()
        finished?.end()
        if isFollowed { tell(remaining) }
    }

    @inlinable @inline(never)
    func tell(_ remaining: UInt32) { left?(Int(remaining)) }

    /// Takes an ended observation out of the entries. Nobody delivers without the lock, and it is held.
    /// @return Its handler, unless somebody has it pinned, who will finish it.
    @inlinable
    func take(_ record: RecordPointer) -> Finished<Handler>? {
        // One that waits for its replay is taken when its turn has come.
        guard let entries, record.pointee.position != Record.detached else { return nil }
        let position = Int(record.pointee.position)
        let handler = (entries.handlers + position).move()
        (entries.handlers + position).initialize(to: Handler.inert)
        entries.records[position] = nil
        record.pointee.position = Record.detached
        inert += 1
        guard record.pointee.pins == 0 else {
            pinned.append((record, handler))
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
            let index = pinned.firstIndex(where: { $0.record == record })
        else { return nil }
        let handler = pinned.remove(at: index).handler
        let finished = Finished(handler: handler, destroy: record.pointee.finish())
        Registry.free(record)
        return finished
    }
}
