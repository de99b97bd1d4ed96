// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// A variable that has the value of a function over others (laws 26 to 32).
///
/// What its function reads while it runs is what it depends on. The function runs without a lock, on the thread that reads or on
/// the one that handles the turn; two threads may run it at once.
public final class DerivedVariable<Value, Handler: MessageHandler>: NodeContent {
    public typealias Function = () -> Derivation<Value>

    private typealias Body = DerivedBody<Value, Handler>

    /// Has this, as long as it lasts, and so does its observable, until it closes this.
    private let carrier: Unmanaged<Core<Handler>>
    private let node = NodePointer.allocate(capacity: 1)
    private let body: UnsafeMutablePointer<DerivedBody<Value, Handler>>

    /// - Parameters:
    ///   - core: carries the updates.
    ///   - isEqual: whether a new value changes nothing (law 16). Runs without a lock.
    ///   - isPlain: whether releasing a value runs no foreign code.
    ///   - author: says who the author of the updates is. It does not keep this.
    public init(
        core: Core<Handler>, author: @escaping () -> Handler.Author, isEqual: @escaping (Value, Value) -> Bool,
        isPlain: @escaping (Value) -> Bool = { _ in _isPOD(Value.self) },
        makeMessage: @escaping (_ old: Value, _ new: Value) -> Handler.Stored, function: @escaping Function
    ) {
        carrier = .passUnretained(core)
        body = .allocate(capacity: 1)
        body.initialize(
            to: DerivedBody(
                isEqual: isEqual, isPlain: isPlain, makeMessage: makeMessage, function: function, author: author))
        super.init()
        node.initialize(to: Node(.derived, .passUnretained(self)))
        node.pointee.owner = .fromOpaque(Handler.owner(of: core) ?? Unmanaged.passUnretained(self).toOpaque())
        _ = Unmanaged.passRetained(self)
        core.join(node)
    }

    public var core: Core<Handler> { carrier.takeUnretainedValue() }

    /// Says who is kept alive by what depends on this, instead of this itself. No function has read it yet.
    public func isOwned<Owner: AnyObject>(by owner: Owner) {
        node.pointee.owner = .fromOpaque(Unmanaged.passUnretained(owner).toOpaque())
    }

    deinit {
        node.free()
        #if hasFeature(Embedded)
            body.deinitialize(count: 1)
            body.deallocate()
        #else
            // The function may hold the next one of a long chain.
            unwinding { [body] in
                body.deinitialize(count: 1)
                body.deallocate()
            }
        #endif
    }

    /// The observable is dead, and has closed its core: lets go of what it depends on.
    public func close() {
        let tracker = TrackerPointer.here
        node.close(tracker)
        tracker.releaseAll()
    }

    /// The function of one moment between the call and its return; inside of functions of theirs.
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
        return value
    }

    @inline(never)
    private func getInView(_ tracker: TrackerPointer, _ node: NodePointer) -> Derivation<Value> {
        guard let (region, known) = tracker.read(node) else {
            let failure = DerivedFailure(circle: tracker.noteCircle(node))
            tracker.noteFailure(failure)
            return .failure(failure)
        }
        let value = self.value(known)
        Regions.leave(region, tracker)
        if case .failure(let failure) = value { tracker.noteFailure(failure) }
        tracker.releaseAll()
        return value
    }

    /// The region is entered.
    private func value(_ known: Known) -> Derivation<Value> {
        guard case .boxed(let box, _) = known else { return body.pointee.stored }
        return box._withUnsafeGuaranteedRef { ObserverEngine.known($0, as: TypedBox<Derivation<Value>>.self).content }
    }

    override func boxed() -> ValueBox { TypedBox(body.pointee.stored) }

    override var observable: AnyCore? { node.pointee.isClosed ? nil : core }

    override func copyName() -> UnsafeMutablePointer<CChar>? { core.copyName() }

    override func compute(_ tracker: TrackerPointer, _ view: ViewPointer, _ region: inout RegionPointer?) {
        var before: Derivation<Value>?
        var seen: UInt64 = 0
        if let region {
            if node.pointee.hasValue { (before, seen) = (body.pointee.stored, node.pointee.version) }
            node.pointee.computing &+= 1
            Regions.leave(region, tracker)
        }
        let isFirst = region == nil
        if isFirst { node.pointee.firstRuns.add(1, ordering: .relaxed) }
        tracker.pushFrame(node)
        let outer = tracker.pointee.view
        tracker.pointee.view = view
        platform_probe_compute_begin(carrier.toOpaque())
        let result = body.pointee.function()
        platform_probe_compute_end(carrier.toOpaque())
        tracker.pointee.view = outer
        let frame = tracker.popFrame()
        if isFirst { node.pointee.firstRuns.subtract(1, ordering: .relaxed) }
        var isEqual = before.map { areEqual($0, result) } ?? false
        var entered = node.enterOneRegion(tracker, nil, frame)
        while node.pointee.hasValue, node.pointee.version != seen {
            (before, seen) = (body.pointee.stored, node.pointee.version)
            Regions.leave(entered, tracker)
            isEqual = before.map { areEqual($0, result) } ?? false
            entered = node.enterOneRegion(tracker, nil, frame)
        }
        if !isFirst { node.pointee.computing &-= 1 }
        node.pointee.runs &+= 1
        if isEqual { node.pointee.vain &+= 1 }
        var displaced: (last: Value?, failure: DerivedFailure?)
        switch node.publish(tracker, view, entered, frame) {
        case .privately:
            view.pointee.memo.put(node, .passRetained(TypedBox(result)), Known.privately)
        case .stored:
            if !isEqual || !node.pointee.hasValue {
                displaced = (body.pointee.last, body.pointee.failure)
                node.pointee.hasValue = true
                node.pointee.version += 1
                body.pointee.store(result)
            }
            if !view.isLive {
                view.pointee.memo.put(node, .passRetained(TypedBox(result)), node.pointee.version)
            }
        }
        if !isPlain(displaced) || before.map({ !isPlain($0) }) ?? false {
            // What was there before is released without the region.
            Regions.leave(entered, tracker)
            before = nil
            displaced = (nil, nil)
            entered = Regions.enter(node, tracker)
        }
        region = entered
    }

    private func areEqual(_ one: Derivation<Value>, _ other: Derivation<Value>) -> Bool {
        switch (one, other) {
        case (.value(let one), .value(let other)): return body.pointee.isEqual(one, other)
        case (.failure(let one), .failure(let other)): return one.isSame(as: other)
        default: return false
        }
    }

    private func isPlain(_ one: Derivation<Value>) -> Bool {
        guard case .value(let value) = one else { return false }
        return body.pointee.isPlain(value)
    }

    private func isPlain(_ displaced: (last: Value?, failure: DerivedFailure?)) -> Bool {
        displaced.failure == nil && displaced.last.map { body.pointee.isPlain($0) } ?? true
    }

    // MARK: Turns

    /// An observation has begun. Call this before it has come to those who began it.
    public func observationsBegan() {
        if !node.pointee.isFollowed.exchange(true, ordering: .relaxed) {
            let itself = Unmanaged.passUnretained(self)
            core.follow { _ in itself._withUnsafeGuaranteedRef { $0.observationsChanged() } }
        }
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
        _ = tracker.popFrame()
        withExtendedLifetime(displaced) {}
        if passes { _ = tracker.handleTurns(of: node.region!) }
    }

    private func observationsChanged() {
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
        let displaced = body.pointee.sent
        node.pointee.isObserved = true
        node.makeLive(tracker, region)
        body.pointee.sent = body.pointee.last
        node.pointee.sentVersion = node.pointee.version
        if node.pointee.isSuspect, !node.pointee.isPending { node.enqueue(in: region) }
        return displaced
    }

    override func sendUpdate(_ node: NodePointer, _ tracker: TrackerPointer) -> Bool {
        let region = Regions.enter(node, tracker)
        guard node.pointee.sentVersion != node.pointee.version, !node.pointee.isDelivering, node.pointee.isObserved
        else {
            Regions.leave(region, tracker)
            return false
        }
        node.pointee.sentVersion = node.pointee.version
        let before = body.pointee.sent
        guard case .value(let new) = body.pointee.stored else {
            Regions.leave(region, tracker)
            return true
        }
        body.pointee.sent = new
        node.pointee.isDelivering = true
        // It may be released from here on.
        let core = core
        Regions.leave(region, tracker)
        let old = before ?? new
        var hasFailed = false
        if before == nil || !body.pointee.isEqual(old, new) {
            hasFailed =
                core.isBlocked
                ? false : core.send(stored: body.pointee.makeMessage(old, new), author: body.pointee.author()) != .sent
        }
        let again = Regions.enter(node, tracker)
        node.pointee.isDelivering = false
        Regions.leave(again, tracker)
        return hasFailed
    }

    /// The present value for a new observer: the one sent last.
    public func replay(author: Handler.Author) -> [Replayed<Handler>] {
        willBeObserved()
        guard let region = node.region else { return [] }
        let tracker = TrackerPointer.here
        let entered = Regions.enter(region, tracker)
        let sent = node.pointee.isObserved ? body.pointee.sent : body.pointee.last
        Regions.leave(entered, tracker)
        return sent.map { [Replayed(body.pointee.makeMessage($0, $0), author)] } ?? []
    }
}

/// What a derived variable has, in one block of memory.
struct DerivedBody<Value, Handler: MessageHandler> {
    // First what no thread reads without the region, for the thread sanitizer.

    /// The last value, also where the last run has failed.
    var last: Value?
    var failure: DerivedFailure?
    var sent: Value?

    let isEqual: (Value, Value) -> Bool
    let isPlain: (Value) -> Bool
    let makeMessage: (Value, Value) -> Handler.Stored
    let function: () -> Derivation<Value>
    let author: () -> Handler.Author

    init(
        isEqual: @escaping (Value, Value) -> Bool, isPlain: @escaping (Value) -> Bool,
        makeMessage: @escaping (Value, Value) -> Handler.Stored, function: @escaping () -> Derivation<Value>,
        author: @escaping () -> Handler.Author
    ) {
        self.isEqual = isEqual
        self.isPlain = isPlain
        self.makeMessage = makeMessage
        self.function = function
        self.author = author
    }

    var stored: Derivation<Value> { failure.map { .failure($0) } ?? .value(last.unsafelyUnwrapped) }

    mutating func store(_ result: Derivation<Value>) {
        switch result {
        case .value(let value):
            last = value
            failure = nil
        case .failure(let new): failure = new
        }
    }
}
