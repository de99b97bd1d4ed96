// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// A variable that assigns in its turn changes for functions and snapshots when that has come. They read a copy, which its region
// guards: the value itself belongs to the owner of the core.

/// The copy.
final class DeferredContent<Value>: NodeContent {
    var value: Value
    private let core: Unmanaged<AnyCore>

    init(_ value: Value, of core: AnyCore) {
        self.value = value
        self.core = .passUnretained(core)
        super.init()
    }

    override var observable: AnyCore? { core.takeUnretainedValue() }

    override func boxed() -> ValueBox { TypedBox(value) }
}

extension DeferredVariable {
    /// The value; of its moment in a function, a snapshot or a transaction, which depend on it then.
    @usableFromInline @inline(never)
    func getInGraph() -> Value {
        let tracker = TrackerPointer.here
        guard tracker.pointee.view != nil else { return exchange(nil) }
        let node = joined()
        return tracker.value(of: node) { content(of: node)._withUnsafeGuaranteedRef { $0.value } }
    }

    private func content(of node: NodePointer) -> Unmanaged<DeferredContent<Value>> {
        .fromOpaque(node.pointee.content.toOpaque())
    }

    private func joined() -> NodePointer {
        if let node = core.node { return node }
        let content = DeferredContent(exchange(nil), of: core)
        let made = NodePointer.makeSource(
            content, owner: Handler.owner(of: core) ?? Unmanaged.passUnretained(self).toOpaque())
        core.lock()
        if let node = core.node {
            core.unlock()
            made.free()
            return node
        }
        core.join(made)
        core.unlock()
        _ = Unmanaged.passRetained(content)
        // No thread owns from here on that does not know of this; one that has owned before may be about to assign.
        if core.isOwnedElsewhere { enqueueNote() }
        let present = exchange(nil)
        let tracker = TrackerPointer.here
        let region = Regions.enter(made, tracker)
        var displaced: Value?
        if made.pointee.version == 1 {
            displaced = content.value
            content.value = present
        }
        Regions.leave(region, tracker)
        return withExtendedLifetime(displaced) { made }
    }

    /// Notes in its turn what has been assigned before.
    @usableFromInline @inline(never)
    func enqueueNote() {
        core.enqueueBarrier { [self] in
            if noteAssigned(exchangeInTurn(nil)) { handleTurns() }
        }
    }

    /// The value has been assigned, and its message comes next: what functions read changes, and what depends on it. An owner
    /// handles its turn when it owns no more.
    ///
    /// - Returns: Whether this thread has to handle turns after the message, by `handleTurns()`.
    @usableFromInline @inline(never)
    func noteAssigned(_ new: Value) -> Bool {
        let tracker = TrackerPointer.here
        guard let node = core.node else { return false }
        tracker.renewViewOfEffect()
        let region = Regions.enter(node, tracker)
        region.pinViews()
        let now = epoch.load(ordering: .acquiring)
        if node.pointee.stamp < now {
            if platform_pinned() != 0 { node.keepOld(in: region, now: now, tracker) }
            node.pointee.stamp = now
        }
        let displaced = content(of: node)._withUnsafeGuaranteedRef { content in
            let before = content.value
            content.value = new
            return before
        }
        node.pointee.version &+= 1
        region.noteCommit(of: node, tracker)
        if core.isOwned { core.withLock { core.letTurnsWait(for: node, in: region, tracker) } }
        let passes = region.endCommit(tracker)
        tracker.releaseAll()
        return withExtendedLifetime(displaced) { passes }
    }

    @usableFromInline @inline(never)
    func handleTurns() {
        guard let region = core.node?.region else { return }
        if TrackerPointer.here.handleTurns(of: region) { core.reportFailure() }
    }
}
