// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// Notes what changes observables, and what that is done in: for answers to "why", and for traces (`tracing.h`).
///
/// While something asks for it, cores have the bit `traced`. Nothing looks for it on the fast way: with it a core is never
/// idle, nor biased, so each send goes the slow way, which leads to the functions of this file. A core gets the bit when it
/// is made, when it is first observed, or, while it is observed, at the beginning. What functions read needs none: where a
/// variable is in a graph, each change looks.
public enum Tracing {
    /// Begins for one who asks.
    ///
    /// - Parameter values: whether values may be written down.
    public static func begin(_ reason: Int, values: Bool) {
        let reason = UInt32(truncatingIfNeeded: reason)
        platform_trace_values(reason, values)
        guard platform_tracing_begin(reason) == 0 else { return }
        forEachObservation { core, _ in
            core.revokeIfAny()
            core.state.set(CoreState.traced, true)
        }
    }

    /// Whether anything asks.
    @usableFromInline static var isOn: Bool { platform_tracing() != 0 }

    public static func end(_ reason: Int) {
        guard platform_tracing_end(UInt32(truncatingIfNeeded: reason)) == 0 else { return }
        forEachObservation { core, slot in
            core.revokeIfAny()
            core.stopTracing()
            if let details = slot.pointee.details { platform_calls_forget(&details.pointee.calls) }
        }
    }

    public static var writesTrace: Bool { platform_tracing() & UInt32(PLATFORM_TRACE) != 0 }

    /// Each observable that something observes, once for each observation.
    static func observed() -> [AnyCore] {
        var found: [AnyCore] = []
        forEachObservation { core, slot in if slot.pointee.isLiving { found.append(core) } }
        return found
    }

    /// Calls with each observation and its core, whose lock is held.
    private static func forEachObservation(_ body: (AnyCore, SlotPointer) -> Void) {
        for index in 0..<UInt32(PLATFORM_LOCKS) {
            platform_lock_acquire(index)
            SlotMap.forEach(index) { slot in
                slot.pointee.core?._withUnsafeGuaranteedRef { body($0, slot) }
            }
            platform_lock_release(index)
        }
    }
}

extension AnyCore {
    @inlinable final var isTraced: Bool { state.load() & CoreState.traced != 0 }

    /// Whether no user knows this: it stands between observables, or in front of a handler. What it sends has the cause of
    /// what it was sent, and none of its own.
    @usableFromInline final var isInner: Bool { kind == nil }

    /// Answers what has changed this last.
    ///
    /// - Parameter format: `PLATFORM_TEXT`, `PLATFORM_JSON` or `PLATFORM_DOT`.
    /// - Returns: In memory of `malloc`; `nil` without memory.
    public final func why(_ format: Int) -> UnsafeMutablePointer<CChar>? {
        var cause: OpaquePointer?
        if platform_tracing() & UInt32(PLATFORM_ANSWERS) != 0 {
            lock()
            // Known from now on, if it was made before.
            if !isTraced { state.set(CoreState.traced, true) }
            cause = lastCause
            unlock()
        }
        defer { platform_cause_release(cause) }
        return platform_cause_text(cause, Int32(format))
    }

    /// The last change, retained, if answers are wanted.
    final func copyLastCause() -> OpaquePointer? {
        platform_tracing() & UInt32(PLATFORM_ANSWERS) != 0 ? withLock { lastCause } : nil
    }

    /// The last change, retained. The lock is held.
    @usableFromInline
    final var lastCause: OpaquePointer? { sideTable.flatMap { platform_cause_last(&$0.pointee.lastCause) } }

    /// The lock is held.
    fileprivate final func stopTracing() {
        state.set(CoreState.traced, false)
        if let sideTable { platform_cause_forget(&sideTable.pointee.lastCause) }
    }

    /// Nothing asks any more. No lock is held.
    @usableFromInline
    final func stopTracingLate() {
        lock()
        stopTracing()
        unlock()
    }

    /// Notes that a message for the one handler of a mailbox is about to wait.
    public final func notePending() {
        guard isTraced else { return }
        lock()
        let table = makeSideTable(), number = table.pointee.pending.put
        table.pointee.pending.put = number &+ 1
        unlock()
        platform_pending_put(address + 1, number, platform_context_here().pointee.cause)
    }

    /// That message was refused.
    public final func forgetPending() {
        guard isTraced else { return }
        lock()
        let table = makeSideTable()
        if table.pointee.pending.put > table.pointee.pending.taken {
            table.pointee.pending.put = table.pointee.pending.put &- 1
        }
        unlock()
    }

    /// The cause of the message that comes next to the one handler of a mailbox, retained.
    @usableFromInline
    final func takePending() -> OpaquePointer? {
        lock()
        let table = makeSideTable(), number = table.pointee.pending.taken
        let waits = number != table.pointee.pending.put
        if waits { table.pointee.pending.taken = number &+ 1 }
        unlock()
        return waits ? platform_pending_take(address + 1, number) : nil
    }

    /// Calls with what names the kind of this observable.
    @usableFromInline
    final func withKind<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        // In Swift packages it is a type, in the library a text.
        #if SWIFT_PACKAGE
            return (kind.map { String(describing: unsafeBitCast($0, to: Any.Type.self)) } ?? "observable")
                .withCString(body)
        #else
            let combined: StaticString = "combined"
            return body((kind ?? UnsafeRawPointer(combined.utf8Start)).assumingMemoryBound(to: CChar.self))
        #endif
    }

    /// Begins the slice that a trace has of the function of a derived variable.
    final func traceComputation() {
        let name = copyName()
        withKind { platform_trace_compute($0, name) }
        platform_free(name)
    }

    /// Does something because of the last change of this: what is no change itself.
    @inlinable @inline(__always)
    final func becauseOfLast<Result>(_ body: () -> Result) -> Result { isTraced ? becauseOfLastTraced(body) : body() }

    @usableFromInline @inline(never)
    final func becauseOfLastTraced<Result>(_ body: () -> Result) -> Result {
        let cause = withLock { lastCause }
        defer { platform_cause_release(cause) }
        return because(of: cause, in: self, body)
    }

    /// Does something because of the latest change of some others.
    @usableFromInline
    final func becauseOfLatest<Result>(of others: [AnyCore], _ body: () -> Result) -> Result {
        var latest: OpaquePointer?
        for other in others {
            other.lock()
            let cause = other.lastCause
            other.unlock()
            if platform_cause_number(cause) > platform_cause_number(latest) {
                platform_cause_release(latest)
                latest = cause
            } else {
                platform_cause_release(cause)
            }
        }
        defer { platform_cause_release(latest) }
        return because(of: latest, in: nil, body)
    }
}

/// Does something because of what has been done, perhaps on another thread.
///
/// - Parameter core: what it sends from, if it does so in its turn.
private func because<Result>(of cause: OpaquePointer?, in core: AnyCore?, _ body: () -> Result) -> Result {
    var before = platform_context_enter(cause, core?.address, Int32(PLATFORM_NO_SLICE), 0, nil)
    defer { platform_context_leave(&before) }
    return body()
}

extension Core {
    /// The cause of a change that this thread makes, retained. The lock is held.
    @usableFromInline
    func makeCause(_ author: Author) -> OpaquePointer? {
        let cause = makeCauseLater(author)
        note(cause)
        return cause
    }

    /// The same of a change that is made in its turn, if it is one: `note` it then.
    func makeCauseLater(_ author: Author) -> OpaquePointer? {
        guard Tracing.isOn else {
            stopTracing()
            return nil
        }
        if isInner { return platform_cause_retain(platform_context_here().pointee.cause) }
        let name = makeSideTable().pointee.name
        return withKind { kind in
            Handler.withType(of: author, in: self) { platform_cause_new(address, kind, name, $0, $1) }
        }
    }

    /// Notes the cause of the last change. The lock is held.
    func note(_ cause: OpaquePointer?) {
        if !isInner { platform_cause_note(&makeSideTable().pointee.lastCause, cause) }
    }

    /// Notes the cause of a message that was decided on, if it waits. The lock is held.
    @usableFromInline
    func noteWaiting(_ sending: Sending, _ cause: OpaquePointer?) {
        switch sending {
        case .delivers, .deliversUnordered: return
        case .enqueued: if state.load() & CoreState.owned == 0 { return }
        case .backsOff, .drains: break
        }
        guard let inbox, inbox.appended > 0 else { return }
        platform_pending_put(address, inbox.appended - 1, cause)
    }

    /// Sends because of a cause, which it releases.
    @usableFromInline
    func sendTraced(_ cause: OpaquePointer?, _ message: Message, _ send: () -> Outcome) -> Outcome {
        if !isInner {
            if platform_traces_values() { Handler.tell(cause, message) }
            Handler.changed(self, platform_cause_name(cause))
            platform_stop_if_wanted(address)
        }
        var before = platform_context_enter(
            cause, address, Int32(isInner ? PLATFORM_INNER_SEND : PLATFORM_SEND), 0, nil)
        defer {
            platform_context_leave(&before)
            platform_cause_release(cause)
        }
        return send()
    }

    /// The same with a message that has been made to wait.
    @usableFromInline
    func sendTraced(stored message: Stored, _ cause: OpaquePointer?, _ send: () -> Outcome) -> Outcome {
        var outcome = Outcome.sent
        Handler.withMessage(message) { outcome = sendTraced(cause, $0, send) }
        return outcome
    }

    /// Whether this thread sends with a cause that is noted, and is in no handler since.
    @usableFromInline var isSendingTraced: Bool {
        let here = platform_context_here().pointee
        return here.core == UnsafeRawPointer(address)
            && (here.kind == PLATFORM_SEND || here.kind == PLATFORM_INNER_SEND)
    }

    /// Sends a message, and notes its cause.
    @usableFromInline @inline(never)
    func sendTraced(_ message: Message, _ author: Author) -> Outcome {
        guard Tracing.isOn else {
            stopTracingLate()
            return sendSlowly(message, author)
        }
        let cause = withLock { makeCause(author) }
        return sendTraced(cause, message) { sendSlowly(message, author) }
    }

    /// The same with one that has been made to wait.
    @usableFromInline @inline(never)
    func sendTraced(stored message: Stored, _ author: Author) -> Outcome {
        var outcome = Outcome.sent
        Handler.withMessage(message) { borrowed in
            lock()
            let cause = makeCause(author), sending = decide(message, author)
            noteWaiting(sending, cause)
            unlock()
            outcome = sendTraced(cause, borrowed) { perform(sending, message, author) }
        }
        return outcome
    }

    /// Delivers a message that has waited.
    @usableFromInline @inline(never)
    func deliverTraced(_ next: MessageQueue<Stored, Author>.Element, number: UInt64) {
        let cause = platform_pending_take(address, number)
        guard let cause else { return Handler.withMessage(next.message) { dispatchTraced($0, next.author) } }
        because(of: cause, in: self) { Handler.withMessage(next.message) { dispatchTraced($0, next.author) } }
        platform_cause_release(cause)
    }

    /// Calls the handlers that were there when it began, as the owner.
    @usableFromInline @inline(never)
    func dispatchTraced(_ message: Message, _ author: Author) {
        guard let entries else { return }
        platform_probe_delivery_begin(address, Handler.address(of: author))
        for position in 0..<entries.count {
            let handler = entries.handlers + position
            let isWanted = protect(handler) || revalidate(handler, in: entries)
            receiveTraced(handler, entries.slots[position], message, author, isWanted: isWanted)
        }
        hazard.store(nil, ordering: .releasing)
        platform_probe_delivery_end(address)
    }

    /// Calls the handler of a new observation with a replay, because of the last change.
    @usableFromInline @inline(never)
    func replayTraced(
        _ handler: UnsafeMutablePointer<Handler>, _ message: Message, _ author: Author, to id: ObservationID,
        isWanted: Bool
    ) {
        let slot = withLock { SlotMap.find(id) }
        becauseOfLast { receiveTraced(handler, slot, message, author, isWanted: isWanted) }
    }

    /// The same without order.
    @usableFromInline @inline(never)
    func dispatchTraced(_ message: Message, _ author: Author, in delivery: UnsafeMutablePointer<UnorderedDelivery>) {
        guard let entries else { return }
        platform_probe_delivery_begin(address, Handler.address(of: author))
        for position in 0..<entries.count {
            guard let slot = entries.atomicSlots[position].load(ordering: .relaxed) else { continue }
            let isWanted = protect(slot, delivery) || revalidate(slot)
            receiveTraced(entries.handlers + position, slot, message, author, isWanted: isWanted)
        }
        platform_probe_delivery_end(address)
    }

    /// Calls a handler that is protected, if it is wanted.
    private func receiveTraced(
        _ handler: UnsafeMutablePointer<Handler>, _ slot: SlotPointer?, _ message: Message, _ author: Author,
        isWanted: Bool
    ) {
        let here = platform_context_here().pointee
        let isSentHere = here.core == UnsafeRawPointer(address)
        let cause = isSentHere ? platform_cause_retain(here.cause) : takePending()
        defer { platform_cause_release(cause) }
        guard isWanted, let slot else { return }
        lock()
        // A transform receives, or a mailbox puts it in: no handler of a user's.
        let isUsers =
            Handler.isUsers
            && slot.pointee.details.map {
                $0.pointee.downstreamAddress == nil && (!isSentHere || $0.pointee.continuation == 0)
            } ?? true
        let id = isUsers ? slot.pointee.id : 0
        // It may have been stopped meanwhile, and keeps its slot while it is protected.
        let isAsked = platform_tracing() & UInt32(PLATFORM_ANSWERS) != 0
        let details = slot.pointee.isLiving ? (isAsked ? slot.pointee.makeDetails() : slot.pointee.details) : nil
        let name = CopiedText.of(details?.pointee.name)
        // Where it comes from a mailbox, an executor has said on which thread it runs.
        if isAsked, let details { platform_calls_begin(&details.pointee.calls, cause, isUsers && !isInner) }
        unlock()
        let slice = isUsers ? PLATFORM_HANDLER : PLATFORM_NO_SLICE
        var before = platform_context_enter(cause, address, Int32(slice), id, isUsers ? name : nil)
        platform_free(name)
        receive(handler, message, author)
        let took = platform_context_leave(&before)
        if id != 0, took != 0 { note(took, of: slot, id) }
    }

    /// Notes how long a call took, unless its observation has ended with it.
    private func note(_ took: UInt64, of slot: SlotPointer, _ id: UInt64) {
        lock()
        defer { unlock() }
        guard slot.pointee.id == id, slot.pointee.isLiving, let details = slot.pointee.details else { return }
        platform_calls_end(details.pointee.calls, took)
    }
}

/// What is done on a thread, for what comes later because of that. There is none while nothing asks.
public final class KeptCause {
    private let cause: OpaquePointer

    private init(_ cause: OpaquePointer) { self.cause = cause }

    deinit { platform_cause_release(cause) }

    public static var here: KeptCause? {
        if platform_tracing() == 0 { return nil }
        return platform_cause_retain(platform_context_here().pointee.cause).map(KeptCause.init)
    }

    fileprivate func during<Result>(in core: AnyCore?, _ body: () -> Result) -> Result {
        because(of: cause, in: core, body)
    }
}

extension Optional where Wrapped == KeptCause {
    /// Does something because of that.
    ///
    /// - Parameter core: what it sends from, if it does so in its turn.
    @inline(__always)
    public func during<Result>(in core: AnyCore? = nil, _ body: () -> Result) -> Result {
        if let self { return self.during(in: core, body) }
        return body()
    }
}

private enum CopiedText {
    static func of(_ text: UnsafeMutablePointer<CChar>?) -> UnsafeMutablePointer<CChar>? { text.flatMap { strdup($0) } }
}

extension ObservationID {
    /// Shows what is known of the handler of an observation, and of its calls.
    func show(in edge: inout platform_shown_edge) {
        let index = SlotMap.lockIndex(self)
        platform_lock_acquire(index)
        defer { platform_lock_release(index) }
        guard let slot = SlotMap.find(self), slot.pointee.isLiving, let core = slot.pointee.core else { return }
        if let details = slot.pointee.details { platform_calls_show(details.pointee.calls, &edge) }
        core._withUnsafeGuaranteedRef { core in
            core.revokeIfAny()
            edge.handler = core.handlerIdentity(of: slot)
        }
    }

    /// Answers what has called the handler of an observation last.
    ///
    /// - Returns: As `AnyCore.why`.
    public func why(_ format: Int) -> UnsafeMutablePointer<CChar>? {
        var cause: OpaquePointer?
        let index = SlotMap.lockIndex(self)
        platform_lock_acquire(index)
        if platform_tracing() & UInt32(PLATFORM_ANSWERS) != 0, let slot = SlotMap.find(self), slot.pointee.isLiving,
            let details = slot.pointee.details
        {
            cause = platform_calls_last(details.pointee.calls)
        }
        platform_lock_release(index)
        defer { platform_cause_release(cause) }
        return platform_cause_text(cause, Int32(format))
    }
}
