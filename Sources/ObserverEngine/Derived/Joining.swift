// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

extension AnyCore {
    /// Whether this has joined a graph.
    @inlinable final var isGraphed: Bool { state.load() & CoreState.graphed != 0 }

    /// What the graph knows this as.
    @usableFromInline final var node: NodePointer? {
        // What was stored before the bit rose.
        guard state.loadAcquiring() & CoreState.graphed != 0 else { return nil }
        return nodePointer?.assumingMemoryBound(to: Node.self)
    }

    /// Makes this known to the graph as a node. The lock is held, or no other thread knows this yet.
    @usableFromInline
    final func join(_ node: NodePointer) {
        endingOfNodes.store(
            unsafeBitCast(endNode as @convention(c) (UnsafeMutableRawPointer) -> Void, to: UInt.self),
            ordering: .relaxed)
        tellingNodes.store(
            unsafeBitCast(tellNode as @convention(c) (UnsafeMutableRawPointer) -> Void, to: UInt.self),
            ordering: .relaxed)
        setNode(node)
        state.joinGraph()
        // It may be biased to the calling thread, which is not busy then, or it would own.
        if state.load() & (CoreState.biased | CoreState.owned) == CoreState.biased { state.endBias() }
    }

    /// Whether another thread owns this now.
    final var isOwnedElsewhere: Bool {
        state.load() & CoreState.owned != 0 && owner.load(ordering: .relaxed) != platform_thread()
    }

    final var hasObservations: Bool { withLock { living > 0 } }
}

/// An observation of an observable with this node has ended.
func tellNode(_ node: UnsafeMutableRawPointer) {
    node.assumingMemoryBound(to: Node.self).pointee.content._withUnsafeGuaranteedRef { $0.observationsChanged() }
}

/// A variable with this node has died: so nothing depends on it.
func endNode(_ node: UnsafeMutableRawPointer) {
    let node = node.assumingMemoryBound(to: Node.self)
    // A derived variable frees its own.
    guard node.isSource else { return node.pointee.content.release() }
    let tracker = TrackerPointer.here
    let region = Regions.enter(node, tracker)
    if node.pointee.isListed {
        node.unlist(in: region)
        while let old = node.pointee.old {
            node.pointee.old = old.pointee.next
            tracker.discard(old)
        }
    }
    Regions.leave(region, tracker)
    node.pointee.content.release()
    node.free()
    tracker.releaseAll()
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Region {
    /// A node has another value: tells what depends on it. The region is entered.
    @usableFromInline
    func noteCommit(of node: NodePointer, _ tracker: TrackerPointer) {
        pointee.clock &+= 1
        if let passer = pointee.passer, passer != tracker { pointee.interruptions &+= 1 }
        node.mark(in: self)
    }

    /// A commit has made its changes. The region is entered, and left.
    ///
    /// - Returns: Whether this thread has to handle turns now.
    @usableFromInline @inline(__always)
    func endCommit(_ tracker: TrackerPointer) -> Bool {
        markCircles()
        let passes = wantsPasser(tracker)
        forgetWhatNoViewSees(tracker)
        Regions.leave(self, tracker)
        return passes
    }

    /// What depends on itself is computed again with every commit. The region is entered.
    @inline(__always)
    func markCircles() {
        if pointee.circles.count != 0 { markThem() }
    }

    @inline(never)
    private func markThem() {
        for index in 0..<pointee.circles.count {
            let node = pointee.circles[index]
            guard node.pointee.isLive, !node.pointee.isSuspect else { continue }
            node.pointee.isSuspect = true
            if node.pointee.isObserved, !node.pointee.isPending { node.enqueue(in: self) }
            node.mark(in: self)
        }
    }
}
