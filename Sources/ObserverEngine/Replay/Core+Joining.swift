// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What a new observation receives before anything else (law 19), with its author.
public struct Replayed<Handler: MessageHandler> {
    public let message: Handler.Waiting
    public let author: Handler.Author

    @inlinable
    public init(_ message: Handler.Waiting, _ author: Handler.Author) {
        self.message = message
        self.author = author
    }
}

/// Asked for what to replay when its turn has come: between two messages, and without a lock.
public typealias Replay<Handler: MessageHandler> = () -> [Replayed<Handler>]

/// An observation that has begun and waits for its replay.
@usableFromInline
struct Joining<Handler: MessageHandler> {
    @usableFromInline let record: RecordPointer
    @usableFromInline let handler: Handler
    @usableFromInline let replay: Replay<Handler>

    @inlinable
    init(record: RecordPointer, handler: Handler, replay: @escaping Replay<Handler>) {
        self.record = record
        self.handler = handler
        self.replay = replay
    }
}

extension Core {
    /// Begins an observation with a replay, which goes to it alone and comes before any later message.
    ///
    /// The replay takes its turn like a message. If nothing is being delivered, that is at once, and it
    /// has been received when this returns; otherwise it is after the message that is.
    ///
    /// - Parameter begun: is told the id before the replay is received, so that it can be stopped then.
    @inlinable
    public func observe(
        _ handler: Handler, destroy: Destroy? = nil, continuingIn other: ObservationID? = nil,
        replaying replay: @escaping Replay<Handler>, begun: (ObservationID) -> Void = { _ in }
    ) -> ObservationID {
        lock()
        let record = register(destroy, continuingIn: other)
        let id = ObservationID(rawValue: record.pointee.id)
        if living == 1 { lower(CoreState.empty) }
        if state.load(ordering: .relaxed) & CoreState.unordered != 0 {
            place(handler, record)
            walkUnlocking(Joining(record: record, handler: handler, replay: replay)) { begun(id) }
            return id
        }
        joinings.append(Joining(record: record, handler: handler, replay: replay))
        let isOwned = raise(CoreState.owned | CoreState.work) & CoreState.owned != 0
        if isOwned {
            unlock()
            begun(id)
        } else {
            owner.store(platform_thread(), ordering: .relaxed)
            let around = enterUnlocking()
            begun(id)
            _ = leaveSlowly()
            around?.leave()
        }
        return id
    }

    /// Lets the first that waits receive its replay, as the owner between two messages. Called with the
    /// lock held; releases it.
    @inlinable
    func joinUnlocking(_ finished: [Finished<Handler>]) {
        let joining = joinings.removeFirst()
        place(joining.handler, joining.record)
        guard joining.record.pointee.isLiving.load(ordering: .relaxed) else {
            let unwanted = take(joining.record)
            unlock()
            for one in finished { one.end() }
            unwanted?.end()
            return
        }
        let entries = entries!
        let position = Int(joining.record.pointee.position)
        unlock()
        for one in finished { one.end() }
        let handler = entries.handlers + position
        for one in joining.replay() {
            current.store(UnsafeMutableRawPointer(handler), ordering: .releasing)
            platform_fence_compiler()
            if state.load(ordering: .relaxed) & CoreState.attention == 0 || admits(handler, of: entries) {
                Handler.withMessage(one.message) { handler.pointee.receive($0, one.author) }
            }
        }
        current.store(nil, ordering: .releasing)
    }

    /// Without order (law 5) a replay is received at once, beside whatever deliveries are in progress.
    /// Called with the lock held; releases it.
    @inlinable @inline(never)
    func walkUnlocking(_ joining: Joining<Handler>, begun: () -> Void) {
        var walk = Walk(thread: platform_thread())
        withUnsafeMutablePointer(to: &walk) { walk in
            walk.pointee.next = walks
            walks = walk
            joining.record.pointee.pins += 1
            let around = enterUnlocking()
            begun()
            let one = PinnedHandler(record: joining.record, handler: joining.handler)
            for replayed in joining.replay() {
                Handler.withMessage(replayed.message) { call(one, $0, replayed.author, walk) }
            }
            walk.pointee.current.store(nil, ordering: .releasing)
            lock()
            announce()
            if let ended = unpin(joining.record) {
                unlock()
                ended.end()
                lock()
            }
            unlink(walk)
            _ = settleUnlocking([], giving: 0)
            around?.leave()
        }
    }
}
