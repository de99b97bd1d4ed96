// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// A variable joins a graph when a function, a snapshot or a transaction first uses it. From then on its core is biased to no
// thread, so every get and set comes by here; one that has not joined costs nothing more than before.

/// A variable as a node's content.
final class SourceContent<Value, Handler: MessageHandler>: NodeContent {
    private let variable: Unmanaged<Variable<Value, Handler>>

    init(_ variable: Variable<Value, Handler>) { self.variable = .passUnretained(variable) }

    override var observable: AnyCore? { variable._withUnsafeGuaranteedRef { $0.core } }

    override func boxed() -> ValueBox { variable._withUnsafeGuaranteedRef { TypedBox($0.value) } }

    override func compare(_ box: ValueBox) -> (isChange: Bool, version: UInt64) {
        variable._withUnsafeGuaranteedRef { variable in
            let (old, seen) = variable.versionedInRegion()
            let isEqual = variable.isEqual(old, known(box, as: TypedBox<Value>.self).content)
            return (!isEqual, seen)
        }
    }

    override func isStill(_ version: UInt64) -> Bool { variable._withUnsafeGuaranteedRef { $0.version == version } }

    override func assign(
        _ box: ValueBox, author: ValueBox, _ region: RegionPointer, now: UInt64, after isHeard: inout Bool,
        _ tracker: TrackerPointer
    ) -> () -> Outcome {
        let author = known(author, as: TypedBox<Handler.Author>.self).content
        let value = known(box, as: TypedBox<Value>.self).content
        return variable._withUnsafeGuaranteedRef { variable in
            let assigned = variable.assignInRegion(value, author, nil, region, now: now, tracker)
            if assigned.update == nil, isHeard {
                let kept = variable.keepingPlace(assigned)
                return { variable.send(kept) }
            }
            if assigned.update != nil { isHeard = true }
            return { variable.send(assigned) }
        }
    }
}

extension Variable {
    /// The node of this, which joins the graph with it.
    @inlinable @inline(__always)
    func joined() -> NodePointer { core.node ?? join() }

    @usableFromInline @inline(never)
    func join() -> NodePointer {
        let content = SourceContent(self)
        let made = NodePointer.makeSource(
            content, owner: Handler.owner(of: core) ?? Unmanaged.passUnretained(self).toOpaque())
        core.lock()
        if let node = core.node {
            core.unlock()
            made.free()
            return node
        }
        // All of it before others see the node, and read in its region.
        version |= Self.inGraph
        KeptElsewhere.hand(to: made, of: core)
        let hasOld = made.pointee.old != nil
        core.join(made)
        core.unlock()
        if hasOld {
            let tracker = TrackerPointer.here
            let region = Regions.enter(made, tracker)
            // Unless a commit has kept one since.
            if made.pointee.isListed == false { made.list(in: region) }
            Regions.leave(region, tracker)
        }
        // The node has it, as long as it lasts.
        _ = Unmanaged.passRetained(content)
        return made
    }

    /// Whether a get or a set has to be made by the rules of graphs and transactions.
    @inlinable @inline(__always)
    var isInGraph: Bool { platform_has_graphs() && (core.isGraphed || platform_looks_first()) }

    /// Marks a version that was read in a graph, and the version of a variable that has joined one: so a set that began without
    /// the graph finds another one.
    @inlinable static var inGraph: UInt64 { 1 << 63 }
    @inlinable static var readInGraph: UInt64 { 1 << 62 }
    @inlinable func wasReadInGraph(_ version: UInt64) -> Bool { version & Self.readInGraph != 0 }
    /// What is read in a function that must not set anything, and in a transaction.
    @inlinable static var readInFunction: UInt64 { .max }
    @inlinable static var readInTransaction: UInt64 { .max - 1 }

    /// What a function, a snapshot or a transaction reads, or any thread of what has joined.
    @inlinable @inline(never)
    func getInGraph() -> Value {
        let tracker = TrackerPointer.here
        guard tracker.pointee.view != nil else { return versionedInRegion().value }
        return tracker.value(of: joined()) { value }
    }

    /// Reads the value in place, where this has joined a graph, and the present one is to be read.
    ///
    /// - Parameter read: runs no foreign code and releases nothing.
    /// - Returns: What it returns; `nil` where `get()` has to be asked.
    @inline(__always)
    public func readInGraph<Result>(_ read: (borrowing Value) -> Result?) -> Result? {
        guard let node = core.node else { return nil }
        let tracker = TrackerPointer.here
        let region: RegionPointer
        if tracker.pointee.view != nil {
            guard let entered = tracker.readPresent(node) else { return nil }
            region = entered
        } else {
            region = Regions.enter(node, tracker)
        }
        let result = read(value)
        Regions.leave(region, tracker)
        return result
    }

    /// The present value, in no view.
    @inlinable
    func versionedInRegion() -> (value: Value, version: UInt64) {
        guard let region = core.node?.region else {
            core.lock()
            defer { core.unlock() }
            return (value, version)
        }
        let tracker = TrackerPointer.here
        let entered = Regions.enter(region, tracker)
        defer { Regions.leave(entered, tracker) }
        return (value, version)
    }

    /// What a set begins with. In a function that may not set anything the version says so.
    @inlinable @inline(never)
    func versionedInGraph() -> (value: Value, version: UInt64) {
        let tracker = TrackerPointer.here
        if tracker.isComputing { return (versionedInRegion().value, Self.readInFunction) }
        if tracker.pointee.transaction != nil { return (versionedInRegion().value, Self.readInTransaction) }
        let (value, version) = versionedInRegion()
        return (value, version | Self.readInGraph)
    }

    /// The same for what a change is computed from: a transaction depends on it.
    @usableFromInline @inline(never)
    func versionedAndNoted() -> (value: Value, version: UInt64) {
        let (value, version) = versionedLocked()
        return (version == Self.readInTransaction ? getInGraph() : value, version)
    }

    /// - Returns: `nil` if the value has changed meanwhile.
    @inlinable @inline(never)
    func assignInGraph(
        _ old: Value, _ new: Value, _ seen: UInt64, _ author: Handler.Author, _ isHeard: Bool?
    ) -> Outcome? {
        let tracker = TrackerPointer.here
        if tracker.isComputing { return .computing }
        if let transaction = tracker.pointee.transaction { return write(new, author, transaction) }
        let seen = seen & ~Self.readInGraph
        guard let node = core.node else {
            if platform_pinned() != 0 { keepElsewhere(seen) }
            return tracker.callingHandlers { assignLocked(old, new, seen, author, isHeard) }
        }
        tracker.renewViewOfEffect()
        let region = Regions.enter(node, tracker)
        guard version == seen else {
            Regions.leave(region, tracker)
            return nil
        }
        let assigned = assignInRegion(new, author, isHeard, region, now: region.pinViews(), tracker)
        let passes = region.endCommit(tracker)
        var outcome = tracker.callingHandlers { send(assigned) }
        if passes, tracker.handleTurns(of: region), outcome == .sent { outcome = .handlerFailed }
        tracker.releaseAll()
        return withExtendedLifetime(old) { outcome }
    }

    @usableFromInline @inline(never)
    func write(
        _ new: Value, _ author: Handler.Author, _ transaction: UnsafeMutablePointer<Transaction>
    ) -> Outcome {
        transaction.pointee.write(joined(), TypedBox(new), author: TypedBox(author))
        return .sent
    }

    /// Keeps the present value for a view that is pinned, and may read this first.
    @usableFromInline
    func keepElsewhere(_ seen: UInt64) {
        core.lock()
        defer { core.unlock() }
        if version == seen { KeptElsewhere.keep(TypedBox(value), of: core) }
    }

    /// Changes the value, whose region is entered and has its views pinned. Its update has its place in the order then.
    @inlinable
    func assignInRegion(
        _ new: Value, _ author: Handler.Author, _ isHeard: Bool?, _ region: RegionPointer, now: UInt64,
        _ tracker: TrackerPointer
    ) -> Assigned {
        let node = core.node.unsafelyUnwrapped
        node.beginChange(in: region, now: now, tracker)
        core.lock()
        let old = value
        version &+= 1
        value = new
        platform_probe_set(core.address, Handler.address(of: author))
        node.pointee.version &+= 1
        let before: Handler.Author?
        let update: (sending: Sending, message: Handler.Stored)?
        if batch != nil {
            before = holdBack(old, author)
            update = nil
        } else if isHeard ?? core.isHeard {
            let message = makeMessage(old, new)
            before = nil
            let sending = core.decide(change: message, author)
            update = (sending, message)
            if sending.isLeft { core.letTurnsWait(for: node, in: region, tracker) }
        } else {
            before = nil
            update = nil
        }
        let cause = Tracing.isOn ? core.makeCause(author) : nil
        if let update, cause != nil { core.noteWaiting(update.sending, cause) }
        core.unlock()
        region.noteCommit(of: node, tracker)
        return Assigned(old: old, new: new, author: author, before: before, update: update, cause: cause)
    }

    /// Keeps the place of an update that nothing hears yet: handlers that are called before may begin to observe this.
    @inline(never)
    fileprivate func keepingPlace(_ made: Assigned) -> Assigned {
        core.lock()
        defer { core.unlock() }
        let message = makeMessage(made.old, made.new)
        guard batch == nil, let sending = core.keepPlace(change: message, made.author) else { return made }
        return Assigned(
            old: made.old, new: made.new, author: made.author, before: made.before, update: (sending, message),
            cause: made.cause)
    }

    /// What an assignment has left to do when nothing is entered.
    @usableFromInline
    struct Assigned {
        @usableFromInline let old: Value
        @usableFromInline let new: Value
        @usableFromInline let author: Handler.Author
        /// The author of the batch before.
        @usableFromInline let before: Handler.Author?
        @usableFromInline let update: (sending: Sending, message: Handler.Stored)?
        @usableFromInline let cause: OpaquePointer?

        @inlinable
        init(
            old: Value, new: Value, author: Handler.Author, before: Handler.Author?,
            update: (sending: Sending, message: Handler.Stored)?, cause: OpaquePointer?
        ) {
            self.old = old
            self.new = new
            self.author = author
            self.before = before
            self.update = update
            self.cause = cause
        }
    }

    /// Sends the update of an assignment. What it has replaced is released after that, so when nothing is entered (law 11).
    @inlinable
    func send(_ assigned: Assigned) -> Outcome {
        withExtendedLifetime((assigned.old, assigned.before)) {
            if let cause = assigned.cause {
                return core.sendTraced(
                    stored: assigned.update?.message ?? makeMessage(assigned.old, assigned.new), cause
                ) {
                    assigned.update.map { core.perform($0.sending, $0.message, assigned.author) } ?? .sent
                }
            }
            guard let update = assigned.update else { return .sent }
            return core.perform(update.sending, update.message, assigned.author)
        }
    }
}
