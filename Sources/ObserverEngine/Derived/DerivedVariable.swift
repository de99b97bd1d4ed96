// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What makes a derived variable: its function, and what is done with its values. No function of it is called with a lock,
/// where nothing else is said.
public protocol DerivingRule {
    associatedtype Value
    associatedtype Handler: MessageHandler

    /// Calls the function.
    func derive() -> Derivation<Value>
    /// Whether a new value changes nothing (law 16).
    func isEqual(_ old: Value, _ new: Value) -> Bool
    /// The same of values that can be compared and released without foreign code; `nil` of all others. The region is entered.
    func isEqualPlain(_ old: Value, _ new: Value) -> Bool?
    func makeMessage(_ old: Value, _ new: Value) -> Handler.Stored
    /// The author of the updates.
    func author(of core: Core<Handler>) -> Handler.Author
    /// The last run has returned, and there will be none.
    func end()
}

extension DerivingRule {
    @inlinable public func isEqualPlain(_ old: Value, _ new: Value) -> Bool? { nil }
    public func end() {}
}

/// A variable that has the value of a function over others (laws 26 to 32).
///
/// What its function reads while it runs is what it depends on. The function runs without a lock, on the thread that reads or on
/// the one that handles the turn; two threads may run it at once.
public final class DerivedVariable<Rule: DerivingRule>: NodeContent {
    public typealias Value = Rule.Value
    public typealias Handler = Rule.Handler

    /// Has this, as long as it lasts, and so does its observable, until it closes this.
    @usableFromInline let carrier: Unmanaged<Core<Handler>>
    /// In front of the body, in one block of memory.
    @usableFromInline let node: NodePointer

    /// - Parameter core: carries the updates.
    @inlinable
    public init(core: Core<Handler>, rule: Rule) {
        carrier = .passUnretained(core)
        node = .make(.derived, before: MemoryLayout<DerivedBody<Rule>>.self)
        super.init()
        node.begin(.derived, self)
        body.initialize(to: DerivedBody(rule: rule))
        #if !hasFeature(Embedded)
            node.pointee.run = DerivedRun(
                compute: { known($0, as: Self.self).computeHere($1, $2, &$3) },
                sendUpdate: { known($0, as: Self.self).sendUpdateHere($1) })
        #endif
        begin()
    }

    /// From here on its core knows it.
    @usableFromInline
    func begin() {
        node.pointee.owner = .fromOpaque(Handler.owner(of: core) ?? Unmanaged.passUnretained(self).toOpaque())
        _ = Unmanaged.passRetained(self)
        core.join(node)
    }

    @inlinable public var core: Core<Handler> { carrier.takeUnretainedValue() }

    @usableFromInline var body: UnsafeMutablePointer<DerivedBody<Rule>> {
        @inlinable @inline(__always) get { node.body(DerivedBody<Rule>.self) }
    }

    /// Says who is kept alive by what depends on this, instead of this itself. No function has read it yet.
    public func isOwned<Owner: AnyObject>(by owner: Owner) {
        node.pointee.owner = .fromOpaque(Unmanaged.passUnretained(owner).toOpaque())
    }

    deinit {
        #if hasFeature(Embedded)
            Self.end(node)
        #else
            // The function may hold the next one of a long chain.
            unwinding { [node] in Self.end(node) }
        #endif
    }

    private static func end(_ node: NodePointer) {
        let body = node.body(DerivedBody<Rule>.self)
        body.pointee.rule.end()
        if let sent = body.pointee.sent {
            sent.deinitialize(count: 1)
            sent.deallocate()
        }
        body.deinitialize(count: 1)
        node.free()
    }

    /// The observable is dead, and has closed its core: lets go of what it depends on.
    public func close() {
        let tracker = TrackerPointer.here
        node.close(tracker)
        tracker.releaseAll()
    }

    /// The function of one moment between the call and its return; inside of functions of theirs.
    @inlinable
    public func get() -> Derivation<Value> {
        let tracker = TrackerPointer.here
        if tracker.pointee.view != nil { return getInView(tracker, node) }
        if let region = node.region {
            let region = Regions.enter(region, tracker)
            if node.isClean(in: region) {
                let value = body.pointee.stored
                Regions.leave(region, tracker)
                return value
            }
            Regions.leave(region, tracker)
        }
        let (region, known, view) = tracker.readOutside(node)
        let value = self.value(known)
        Regions.leave(region, tracker)
        tracker.end(view)
        tracker.releaseAll()
        return value
    }

    /// Reads the value in place, where there is one and it is stored.
    ///
    /// - Parameter read: runs no foreign code and releases nothing.
    /// - Returns: What it returns; `nil` where `get()` has to be asked.
    @inline(__always)
    public func read<Result>(_ read: (borrowing Value) -> Result?) -> Result? {
        let tracker = TrackerPointer.here
        let region: RegionPointer
        if tracker.pointee.view != nil {
            guard let entered = tracker.readPresent(node) else { return nil }
            region = entered
        } else {
            guard let present = node.region else { return nil }
            region = Regions.enter(present, tracker)
            guard node.isClean(in: region) else {
                Regions.leave(region, tracker)
                return nil
            }
        }
        let result = body.pointee.failure == nil ? read(body.pointee.last.unsafelyUnwrapped) : nil
        Regions.leave(region, tracker)
        return result
    }

    @inlinable @inline(never)
    func getInView(_ tracker: TrackerPointer, _ node: NodePointer) -> Derivation<Value> {
        guard let (region, known) = tracker.read(node) else {
            return .failure(tracker.noteFailure(inCircle: node))
        }
        let value = self.value(known)
        Regions.leave(region, tracker)
        if case .failure(let failure) = value { tracker.noteFailure(failure) }
        tracker.releaseAll()
        return value
    }

    /// The region is entered.
    @inlinable
    func value(_ known: Known) -> Derivation<Value> {
        if case .boxed(let box, _) = known { return content(of: box) }
        return body.pointee.stored
    }

    @usableFromInline @inline(never)
    func content(of box: Unmanaged<ValueBox>) -> Derivation<Value> {
        box._withUnsafeGuaranteedRef { known($0, as: TypedBox<Derivation<Value>>.self).content }
    }

    override func boxed() -> ValueBox { TypedBox(body.pointee.stored) }

    override func retainObservable() { _ = carrier.retain() }
    override func releaseObservable() { carrier.release() }

    override var observable: AnyCore? { node.pointee.isClosed ? nil : core }

    override func copyName() -> UnsafeMutablePointer<CChar>? { core.copyName() }

    #if hasFeature(Embedded)
        override func compute(_ tracker: TrackerPointer, _ view: ViewPointer, _ region: inout RegionPointer?) {
            computeHere(tracker, view, &region)
        }

        override func sendUpdate(_ tracker: TrackerPointer) -> (region: RegionPointer, isSent: Bool) {
            sendUpdateHere(tracker)
        }
    #endif

    @inlinable @inline(__always)
    func computeHere(_ tracker: TrackerPointer, _ view: ViewPointer, _ region: inout RegionPointer?) {
        let isFirst = region == nil
        let outer = node.beginRun(tracker, view, region)
        platform_probe_compute_begin(carrier.toOpaque())
        let result = _slowPath(Tracing.isOn) ? deriveTraced() : body.pointee.rule.derive()
        platform_probe_compute_end(carrier.toOpaque())
        let (entered, frame) = node.endRun(tracker, outer: outer, isFirst: isFirst)
        if _slowPath(Tracing.isOn) {
            region = publishTraced(result, tracker, view, entered, frame)
        } else {
            region = publish(result, tracker, view, entered, frame)
        }
        if tracker.pointee.isObservedInside { beginSendingAfterRun(tracker, &region) }
    }

    /// An observation that has begun inside of the function receives what changes after this run. The region is entered, and
    /// may be another one afterwards.
    @usableFromInline @inline(never)
    func beginSendingAfterRun(_ tracker: TrackerPointer, _ region: inout RegionPointer?) {
        if tracker.pointee.frames.count == 0 { tracker.pointee.isObservedInside = false }
        guard core.hasObservations, !node.pointee.isObserved else { return }
        let displaced = beginSending(tracker, node, region.unsafelyUnwrapped)
        Regions.leave(region.unsafelyUnwrapped, tracker)
        withExtendedLifetime(displaced) {}
        region = Regions.enter(node, tracker)
    }

    /// Stores a result, or has the view keep it. The region is entered.
    ///
    /// - Returns: The region that is entered afterwards.
    @inlinable @inline(__always)
    func publish(
        _ result: Derivation<Value>, _ tracker: TrackerPointer, _ view: ViewPointer, _ region: RegionPointer,
        _ frame: Frame
    ) -> RegionPointer {
        guard node.pointee.hasValue, body.pointee.failure == nil, case .value(let new) = result,
            let isEqual = body.pointee.rule.isEqualPlain(body.pointee.last.unsafelyUnwrapped, new)
        else { return publishComparing(result, tracker, view, region, frame) }
        if isEqual { node.pointee.vain &+= 1 }
        let publication = node.publish(tracker, view, region, frame)
        if publication == .stored, !isEqual {
            node.pointee.version += 1
            body.pointee.last = new
        }
        if publication == .privately || !view.isLive { keep(result, publication, in: view) }
        return region
    }

    /// The same where foreign code compares.
    @inlinable @inline(never)
    func publishComparing(
        _ result: Derivation<Value>, _ tracker: TrackerPointer, _ view: ViewPointer, _ region: RegionPointer,
        _ frame: Frame
    ) -> RegionPointer {
        var entered = region
        var isEqual = false
        while node.pointee.hasValue {
            let (before, seen) = (body.pointee.stored, node.pointee.version)
            Regions.leave(entered, tracker)
            isEqual = tracker.comparing { areEqual(before, result) }
            entered = node.enterOneRegion(tracker, frame)
            if node.pointee.version == seen { break }
        }
        if isEqual { node.pointee.vain &+= 1 }
        var displaced: (last: Value?, failure: DerivedFailure?)
        let publication = node.publish(tracker, view, entered, frame)
        if publication == .stored, !isEqual || !node.pointee.hasValue {
            displaced = (body.pointee.last, body.pointee.failure)
            node.pointee.hasValue = true
            node.pointee.version += 1
            body.pointee.store(result)
        }
        if publication == .privately || !view.isLive { keep(result, publication, in: view) }
        if displaced.last == nil, displaced.failure == nil { return entered }
        // What was there before is released without the region.
        Regions.leave(entered, tracker)
        displaced = (nil, nil)
        return Regions.enter(node, tracker)
    }

    @usableFromInline @inline(never)
    func keep(_ result: Derivation<Value>, _ publication: Publication, in view: ViewPointer) {
        view.pointee.memo.put(
            node, .passRetained(TypedBox(result)),
            publication == .stored ? node.pointee.version : Known.privately)
    }

    @inlinable
    func areEqual(_ one: Derivation<Value>, _ other: Derivation<Value>) -> Bool {
        switch (one, other) {
        case (.value(let one), .value(let other)): return body.pointee.rule.isEqual(one, other)
        case (.failure(let one), .failure(let other)): return one.isSame(as: other)
        default: return false
        }
    }

    // MARK: Turns

    /// An observation has begun. Call this before it has come to those who began it.
    public func observationsBegan() {
        if TrackerPointer.here.noteObserved(node) { return }
        willBeObserved()
        observationsChanged()
    }

    private func willBeObserved() {
        let tracker = TrackerPointer.here
        if let region = node.region {
            let entered = Regions.enter(region, tracker)
            let isObserved = node.pointee.isObserved
            Regions.leave(entered, tracker)
            if isObserved { return }
        }
        tracker.pushFrame(nil, sets: true)
        let (region, _, view) = tracker.readOutside(node)
        let displaced = beginSending(tracker, node, region)
        let passes = region.wantsPasser(tracker)
        Regions.leave(region, tracker)
        tracker.end(view)
        tracker.popFrame()
        withExtendedLifetime(displaced) {}
        if passes { _ = tracker.handleTurns(of: node.region!) }
    }

    override func observationsChanged() {
        let tracker = TrackerPointer.here
        guard let region = node.region else { return }
        let entered = Regions.enter(region, tracker)
        let isObserved = core.hasObservations && !node.pointee.isClosed
        var displaced: Value?
        if isObserved, !node.pointee.isObserved {
            displaced = beginSending(tracker, node, entered)
        } else if !isObserved, node.pointee.isObserved {
            node.pointee.isObserved = false
            node.makeUnlive(tracker, entered)
        }
        let passes = entered.wantsPasser(tracker)
        Regions.leave(entered, tracker)
        withExtendedLifetime(displaced) {}
        if passes { _ = tracker.handleTurns(of: node.region!) }
        tracker.releaseAll()
    }

    /// From here on updates are sent, the first one from the present value. The region is entered.
    private func beginSending(_ tracker: TrackerPointer, _ node: NodePointer, _ region: RegionPointer) -> Value? {
        if node.pointee.isClosed { return nil }
        if body.pointee.sent == nil {
            body.pointee.sent = .allocate(capacity: 1)
            body.pointee.sent.unsafelyUnwrapped.initialize(to: nil)
        }
        let displaced = body.pointee.sent.unsafelyUnwrapped.pointee
        node.pointee.isObserved = true
        node.makeLive(tracker, region)
        if !hasWaitingUpdates() {
            body.pointee.sent.unsafelyUnwrapped.pointee = body.pointee.last
            node.pointee.sentVersion = node.pointee.version
        } else if node.pointee.sentVersion != node.pointee.version, !node.pointee.isPending {
            // The new observation receives what waits: it goes on from there.
            node.enqueue(in: region)
        }
        if node.pointee.isSuspect, !node.pointee.isPending { node.enqueue(in: region) }
        return displaced
    }

    /// Whether updates wait in the line of the core. The region is entered.
    private func hasWaitingUpdates() -> Bool {
        let core = core
        core.lock()
        defer { core.unlock() }
        guard let backlog = core.backlog, let inbox = backlog.pointee.inbox else { return false }
        return backlog.pointee.changes.first(delivered: inbox.popped) != nil
    }

    @inlinable @inline(__always)
    func sendUpdateHere(_ tracker: TrackerPointer) -> (region: RegionPointer, isSent: Bool) {
        let region = Regions.enter(node, tracker)
        guard node.pointee.sentVersion != node.pointee.version, !node.pointee.isDelivering, node.pointee.isObserved
        else { return (region, true) }
        node.pointee.sentVersion = node.pointee.version
        guard body.pointee.failure == nil else { return (region, false) }
        let isSent = deliver(node, tracker, region)
        let again = Regions.enter(node, tracker)
        node.pointee.isDelivering = false
        return (again, isSent)
    }

    /// The region is entered, and left: what this releases is released without it.
    ///
    /// - Returns: Whether nothing has failed.
    @inlinable @inline(never)
    func deliver(_ node: NodePointer, _ tracker: TrackerPointer, _ region: RegionPointer) -> Bool {
        let sent = body.pointee.sent.unsafelyUnwrapped
        let new = body.pointee.last.unsafelyUnwrapped
        let before = sent.pointee
        var isEqual = before.map { body.pointee.rule.isEqualPlain($0, new) } ?? false
        node.pointee.isDelivering = true
        var entered = region
        if isEqual == nil {
            Regions.leave(entered, tracker)
            isEqual = body.pointee.rule.isEqual(before.unsafelyUnwrapped, new)
            entered = Regions.enter(node, tracker)
        }
        let isTraced = carrier._withUnsafeGuaranteedRef { $0.isTraced }
        if isEqual == false, isTraced { return sendTraced(before, new, tracker, entered) }
        // Together with its place in the line of the core: a replay comes before both or after both.
        sent.pointee = new
        let isHeard = carrier._withUnsafeGuaranteedRef { core in
            guard isEqual == false, !core.isBlocked else {
                Regions.leave(entered, tracker)
                return true
            }
            let message = body.pointee.rule.makeMessage(before ?? new, new)
            let author = body.pointee.rule.author(of: core)
            core.lock()
            let sending = core.decide(change: message, author)
            if sending.isLeft { core.letTurnsWait(for: node, in: entered, tracker) }
            core.unlock()
            Regions.leave(entered, tracker)
            return core.perform(sending, message, author) == .sent
        }
        return withExtendedLifetime((before, new)) { isHeard }
    }

    /// The present value for a new observer: the one sent last, as of the updates that have been delivered.
    ///
    /// - Parameter oldValue: the value with which an update begins. Runs under the lock: no foreign code.
    public func replay(
        oldValue: (borrowing Handler.Stored) -> Value, author: Handler.Author
    ) -> [Replayed<Handler>] {
        let tracker = TrackerPointer.here
        // Inside of the function there is no value yet.
        if tracker.noteObserved(node) { return [] }
        willBeObserved()
        guard let region = node.region else { return [] }
        let entered = Regions.enter(region, tracker)
        var sent = node.pointee.isObserved ? body.pointee.sent.unsafelyUnwrapped.pointee : body.pointee.last
        let core = core
        core.lock()
        if let backlog = core.backlog, let inbox = backlog.pointee.inbox,
            let number = backlog.pointee.changes.first(delivered: inbox.popped)
        {
            sent = oldValue(inbox[number].message)
        }
        core.unlock()
        Regions.leave(entered, tracker)
        return sent.map { [Replayed(body.pointee.rule.makeMessage($0, $0), author)] } ?? []
    }

    /// Sends the value that was sent last once more; what nobody observes is not sent.
    public func sendLatest(author: Handler.Author) -> Outcome {
        Transactions.outsideUnlessComputing { sendLatestNow(author) }
    }

    private func sendLatestNow(_ author: Handler.Author) -> Outcome {
        guard let region = node.region else { return .sent }
        let tracker = TrackerPointer.here
        let entered = Regions.enter(region, tracker)
        guard node.pointee.isObserved, let sent = body.pointee.sent?.pointee else {
            Regions.leave(entered, tracker)
            return .sent
        }
        return core.sendLatest(
            author, { body.pointee.rule.makeMessage(sent, sent) }, leave: { Regions.leave(entered, tracker) })
    }
}

/// What a derived variable has behind its node.
@usableFromInline
struct DerivedBody<Rule: DerivingRule> {
    // First what no thread reads without the region, for the thread sanitizer.

    /// The last value, also where the last run has failed.
    @usableFromInline var last: Rule.Value?
    @usableFromInline var failure: DerivedFailure?
    /// The value sent last, once it has been observed.
    @usableFromInline var sent: UnsafeMutablePointer<Rule.Value?>?
    @usableFromInline let rule: Rule

    @inlinable init(rule: Rule) { self.rule = rule }

    @inlinable var stored: Derivation<Rule.Value> { failure.map { .failure($0) } ?? .value(last.unsafelyUnwrapped) }

    @inlinable
    mutating func store(_ result: Derivation<Rule.Value>) {
        switch result {
        case .value(let value):
            last = value
            failure = nil
        case .failure(let new): failure = new
        }
    }
}
