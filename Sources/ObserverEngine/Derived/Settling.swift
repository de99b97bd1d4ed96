// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What a view knows of a node.
@usableFromInline
enum Known {
    case unknown
    /// What is stored is its value in this view, with its version.
    case stored(UInt64)
    case boxed(Unmanaged<ValueBox>, UInt64)

    /// The version of a result that was not stored: of no other result, not even of itself.
    static let privately: UInt64 = 0

    var version: UInt64? {
        switch self {
        case .unknown: nil
        case .stored(let version): version
        case .boxed(_, let version): version
        }
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Tracker {
    /// What is known of a node in a view. The region is entered.
    @inline(__always)
    func known(_ node: NodePointer, _ view: ViewPointer, _ region: RegionPointer) -> Known {
        let pin = view.pin
        if pin == View.live, !view.pointee.hasOverlay {
            return node.isClean(in: region) ? .stored(node.pointee.version) : .unknown
        }
        return knownOfPast(node, view, region, pin)
    }

    @inline(never)
    private func knownOfPast(_ node: NodePointer, _ view: ViewPointer, _ region: RegionPointer, _ pin: UInt64) -> Known
    {
        if node.isSource {
            if view.pointee.hasOverlay, let box = pointee.transaction?.pointee.written(node) {
                return .boxed(box, Known.privately)
            }
            if let old = node.oldValue(at: pin) { return .boxed(old.pointee.box, old.pointee.version) }
            return .stored(node.pointee.version)
        }
        if let memo = view.pointee.memo.find(node) { return .boxed(memo.box!, memo.version) }
        guard !view.pointee.hasOverlay, node.isClean(in: region), node.pointee.stamp < pin else { return .unknown }
        return .stored(node.pointee.version)
    }

    /// Whether a function runs on this thread: further out. The region is entered.
    @inline(__always)
    func isRunning(_ node: NodePointer) -> Bool {
        isRunning(node, UInt32(node.pointee.computing) | node.pointee.firstRuns.load(ordering: .relaxed))
    }

    /// The same where it is known on how many threads it runs.
    @inline(__always)
    private func isRunning(_ node: NodePointer, _ threads: UInt32) -> Bool { threads != 0 && isInFrames(node) }

    @inline(never)
    private func isInFrames(_ node: NodePointer) -> Bool {
        for index in 0..<pointee.frames.count where pointee.frames[index].node == node { return true }
        return false
    }

    /// An observation of a derived variable begins. Nothing is entered.
    ///
    /// - Returns: Whether its function runs on this thread, and notes that.
    func noteObserved(_ node: NodePointer) -> Bool {
        guard isInFrames(node) else { return false }
        pointee.isObservedInside = true
        return true
    }

    /// Computes what has to be, nearest to the sources first, until a node is known in a view. No recursion. The region is
    /// entered, and may be another one afterwards.
    @inline(never)
    func settle(_ node: NodePointer, _ view: ViewPointer, _ region: inout RegionPointer) {
        let base = pointee.steps.count
        push(node)
        while pointee.steps.count > base {
            let step = pointee.steps.base.unsafelyUnwrapped + (pointee.steps.count - 1)
            let present = step.pointee.node
            if known(present, view, region).version != nil {
                pop()
                continue
            }
            if step.pointee.published != present.pointee.published {
                // It has a result since: begin again.
                step.pointee.published = present.pointee.published
                step.pointee.at = 0
            }
            var isChanged = !present.pointee.hasValue || present.pointee.isCircle
            var stale: NodePointer?
            var at = Int(step.pointee.at)
            while !isChanged, at < Int(present.pointee.dependencyCount) {
                let dependency = present.pointee.dependencies.unsafelyUnwrapped + at
                guard let version = known(dependency.pointee.source, view, region).version else {
                    stale = dependency.pointee.source
                    break
                }
                isChanged = version != dependency.pointee.seen || version == Known.privately
                at += 1
            }
            step.pointee.at = UInt32(at)
            if let stale, !isChanged {
                // What runs further out, or waits here for this, makes a circle: the function tells.
                if isRunning(stale) || isBeingSettled(stale, from: base) { isChanged = true } else { push(stale) }
                if !isChanged { continue }
            }
            if isChanged {
                var entered: RegionPointer? = region
                present.compute(self, view, &entered)
                region = entered.unsafelyUnwrapped
                if view.isLive, !view.pointee.hasOverlay, present.isClean(in: region) { pop() }
            } else if view.isLive, !view.pointee.hasOverlay {
                present.becomeClean(in: region)
                pop()
            } else {
                view.pointee.memo.put(
                    present, .passRetained(present.pointee.content._withUnsafeGuaranteedRef { $0.boxed() }),
                    present.pointee.version)
                pop()
            }
        }
    }

    private func push(_ node: NodePointer) {
        node.pointee.settling &+= 1
        pushStep(node)
    }

    @inline(__always)
    private func pop() { pointee.steps.popLast().unsafelyUnwrapped.node.pointee.settling &-= 1 }

    private func isBeingSettled(_ node: NodePointer, from base: Int) -> Bool {
        guard node.pointee.settling != 0 else { return false }
        for index in base..<pointee.steps.count where pointee.steps[index].node == node { return true }
        return false
    }

    /// Reads a source in a function, a snapshot or a transaction, and notes it.
    ///
    /// - Parameter present: its value now. Its region is entered: no foreign code.
    @inlinable @inline(__always)
    func value<Value>(of source: NodePointer, _ present: () -> Value) -> Value {
        if let region = readPresent(source) {
            let value = present()
            Regions.leave(region, self)
            return value
        }
        return valueOfPast(source, present)
    }

    @usableFromInline @inline(never)
    func valueOfPast<Value>(_ source: NodePointer, _ present: () -> Value) -> Value {
        let (region, known) = read(source).unsafelyUnwrapped
        let value: Value
        if case .boxed(let box, _) = known {
            value = box._withUnsafeGuaranteedRef { ObserverEngine.known($0, as: TypedBox<Value>.self).content }
        } else {
            value = present()
        }
        Regions.leave(region, self)
        releaseAll()
        return value
    }

    /// Reads what is stored now in a live view that has read in this region before, and notes it: the usual case of `read()`.
    ///
    /// - Returns: The region, which is left entered; `nil` if nothing was done.
    @usableFromInline @inline(__always)
    func readPresent(_ node: NodePointer) -> RegionPointer? {
        let view = pointee.view.unsafelyUnwrapped
        guard let parts = node.region else { return nil }
        let region = Regions.enter(parts, self)
        if UInt32(node.pointee.computing) | node.pointee.firstRuns.load(ordering: .relaxed) == 0, view.isLive,
            !view.pointee.hasOverlay, node.pointee.stamp <= view.pointee.verified,
            region.pointee.views?.pointee.view == view, node.isClean(in: region)
        {
            note(node, node.pointee.version, region)
            return region
        }
        Regions.leave(region, self)
        return nil
    }

    /// Reads in a function, a snapshot or a transaction, and notes it. Leaves the region of the node entered.
    ///
    /// - Returns: `nil` if the node is being computed on this thread: then nothing is entered.
    @usableFromInline @inline(__always)
    func read(_ node: NodePointer) -> (region: RegionPointer, known: Known)? {
        let view = pointee.view.unsafelyUnwrapped
        if node.region == nil {
            if isRunning(node, node.pointee.firstRuns.load(ordering: .relaxed)) { return nil }
            withRoomOnStack(node, view, nil)
        }
        var region = Regions.enter(node, self)
        if isRunning(node) {
            Regions.leave(region, self)
            return nil
        }
        while true {
            if view.isLive {
                view.link(to: region)
                if node.pointee.stamp > view.pointee.verified {
                    Regions.leave(region, self)
                    view.verify(self)
                    region = Regions.enter(node, self)
                    continue
                }
            }
            let known = known(node, view, region)
            if let version = known.version {
                note(node, version, region)
                return (region, known)
            }
            withUnsafeMutablePointer(to: &region) { withRoomOnStack(node, view, $0) }
        }
    }

    /// Computes what is not known, on a stack with room for it: functions that are read for the first time wait for one
    /// another, and their chain may be long.
    ///
    /// - Parameter region: is entered; `nil` where none is, because the node has never been computed.
    @inline(__always)
    private func withRoomOnStack(
        _ node: NodePointer, _ view: ViewPointer, _ region: UnsafeMutablePointer<RegionPointer>?
    ) {
        let here = UInt(platform_stack_here())
        if pointee.frames.count <= 1 { pointee.stack = here }
        let call = StackCall(tracker: self, node: node, view: view, region: region)
        if pointee.stack &- here < TrackerPointer.mostOfStack || here > pointee.stack { return makeCall(call) }
        continueOnNewStack(call)
    }

    /// A thread may have this much at least, of what its stacks have.
    private static var mostOfStack: UInt { 192 << 10 }

    @inline(never)
    private func continueOnNewStack(_ call: StackCall) {
        let before = pointee.stack
        var call = call
        withUnsafeMutablePointer(to: &call) { call in
            let isDone = platform_call_on_new_stack(
                { context in
                    let call = context!.assumingMemoryBound(to: StackCall.self).pointee
                    call.tracker.pointee.stack = UInt(platform_stack_here())
                    call.tracker.makeCall(call)
                }, call)
            // Without memory for a stack it goes on with what there is.
            if !isDone { makeCall(call.pointee) }
        }
        pointee.stack = before
    }

    @inline(__always)
    fileprivate func makeCall(_ call: StackCall) {
        if let region = call.region {
            settle(call.node, call.view, &region.pointee)
        } else {
            computeFirst(call.node, call.view)
        }
    }

    /// Computes what has never been computed. Nothing is entered, also afterwards.
    @inline(never)
    private func computeFirst(_ node: NodePointer, _ view: ViewPointer) {
        var region: RegionPointer?
        node.compute(self, view, &region)
        Regions.leave(region.unsafelyUnwrapped, self)
    }

    /// Notes that the innermost function has read a version. The region is entered.
    @inline(__always)
    private func note(_ node: NodePointer, _ version: UInt64, _ region: RegionPointer) {
        guard let frame else { return }
        guard let reader = frame.pointee.node else {
            guard let transaction = pointee.transaction else { return }
            transaction.pointee.noteRead(node, version, in: frame.pointee.run)
            return noteForEffect(node, version, region, transaction)
        }
        note(node, version, region, reader, frame)
    }

    /// Whether the innermost is the block of a transaction, right in a function.
    var isInTransactionOfEffect: Bool {
        let inner = pointee.frames.count - 1
        return inner > 0 && pointee.transaction?.pointee.frame == inner
    }

    /// An effect depends on what a transaction of its own reads (law 34), except for what that has set itself.
    @inline(never)
    private func noteForEffect(
        _ node: NodePointer, _ version: UInt64, _ region: RegionPointer,
        _ transaction: UnsafeMutablePointer<Transaction>
    ) {
        guard isInTransactionOfEffect, version != Known.privately || !node.isSource else { return }
        let frame = pointee.frames.base.unsafelyUnwrapped + (pointee.frames.count - 2)
        guard let reader = frame.pointee.node else { return }
        // Of what was computed with values that nobody else sees, the version counts that others see.
        note(node, version == Known.privately ? node.pointee.version : version, region, reader, frame)
    }

    @inline(__always)
    private func note(
        _ node: NodePointer, _ version: UInt64, _ region: RegionPointer, _ reader: NodePointer,
        _ frame: UnsafeMutablePointer<Frame>
    ) {
        // Another thread's note only costs a second entry.
        if node.pointee.reader == frame.pointee.run { return }
        node.pointee.reader = frame.pointee.run
        let index = pointee.records.count - frame.pointee.first
        let isKnown =
            reader.region.map(Regions.root) == region && index < Int(reader.pointee.dependencyCount)
            && reader.pointee.dependencies.unsafelyUnwrapped[index].source == node
        if !isKnown { node.retainOwner() }
        pointee.records.append(ReadRecord(source: node, seen: version, isKept: !isKnown))
    }

    /// A value for who reads outside of functions. The region is left entered.
    @usableFromInline @inline(never)
    func readOutside(_ node: NodePointer) -> (region: RegionPointer, known: Known, view: ViewPointer) {
        let view = takeView(), outer = pointee.view, transaction = pointee.transaction
        pointee.view = view
        pointee.transaction = nil
        defer {
            pointee.view = outer
            pointee.transaction = transaction
        }
        let (region, known) = read(node).unsafelyUnwrapped
        return (region, known, view)
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Node {
    /// The region is entered.
    @inline(__always)
    func becomeClean(in region: RegionPointer) {
        if pointee.isLive { pointee.isSuspect = false } else { pointee.checked = region.pointee.clock }
        pointee.stamp = epoch.load(ordering: .acquiring)
    }
}

private struct StackCall {
    let tracker: TrackerPointer
    let node: NodePointer
    let view: ViewPointer
    let region: UnsafeMutablePointer<RegionPointer>?
}
