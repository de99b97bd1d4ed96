// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What variables share that depend on one another: one lock, one clock, one queue of turns.
///
/// Regions merge when a function first reads across them, and never wait for one another otherwise. A thread is inside for
/// some instructions at a time, and never while foreign code runs (law 11).
///
/// Its memory is used again, and never freed: so a pointer at one that has been merged away can still be asked.
@usableFromInline
struct Region: ~Copyable {
    /// Goes on with every commit.
    var clock: UInt64 = 1
    /// Where it has been merged into. Set inside, with the lock of merging.
    let parent = Atomic<UnsafeMutableRawPointer?>(nil)
    /// The nodes that were made in here, and the regions that were merged into this one.
    let references = Atomic<Int>(0)
    let lockIndex: UInt32
    /// How high the tree is that has been merged into this.
    var rank: UInt32 = 0
    /// The views that have read in here, the newest first.
    var views: UnsafeMutablePointer<ViewLink>?
    /// Numbers these.
    var linked: UInt64 = 0
    /// The nodes with old values.
    var withOld: NodePointer?
    /// What is observed and may have changed.
    var pending = NodeQueue()
    /// The effects that are due.
    var effects = NodeQueue()
    /// The thread that handles turns, by what it notes.
    var passer: TrackerPointer?
    /// How often another thread has changed something while the passer handled turns.
    var interruptions: UInt64 = 0
    /// What views may still look at.
    var limbo = Buffer<Limbo>()
    /// What depends on itself, and has failed because of that: computed anew with every commit.
    var circles = Buffer<NodePointer>()
    /// The next one that is used again.
    var spare: RegionPointer?

    init(lockIndex: UInt32) { self.lockIndex = lockIndex }
}

typealias RegionPointer = UnsafeMutablePointer<Region>

private nonisolated(unsafe) var spares: RegionPointer?
private let regionsMade = Atomic<UInt32>(0)

enum Regions {
    /// A new one, with one reference.
    static func make() -> RegionPointer {
        platform_merge_lock_acquire()
        let spare = spares
        if let spare { spares = spare.pointee.spare }
        platform_merge_lock_release()
        if let spare {
            spare.pointee.references.store(1, ordering: .relaxed)
            spare.pointee.parent.store(nil, ordering: .relaxed)
            spare.pointee.rank = 0
            return spare
        }
        let number = regionsMade.wrappingAdd(1, ordering: .relaxed).newValue
        let made = UnsafeMutablePointer<Region>.allocate(capacity: 1)
        made.initialize(to: Region(lockIndex: number % UInt32(PLATFORM_LOCKS)))
        made.pointee.references.store(1, ordering: .relaxed)
        return made
    }

    static func root(_ region: RegionPointer) -> RegionPointer {
        var root = region
        while let parent = root.pointee.parent.load(ordering: .acquiring) {
            root = parent.assumingMemoryBound(to: Region.self)
        }
        return root
    }

    static func enter(_ region: RegionPointer) -> RegionPointer {
        var root = region
        while true {
            root = self.root(root)
            platform_region_lock_acquire(root.pointee.lockIndex)
            if root.pointee.parent.load(ordering: .relaxed) == nil { return root }
            platform_region_lock_release(root.pointee.lockIndex)
        }
    }

    @inline(__always)
    static func enter(_ node: NodePointer) -> RegionPointer { enter(node.region!) }

    @inline(__always)
    static func leave(_ region: RegionPointer) { platform_region_lock_release(region.pointee.lockIndex) }

    static func retain(_ region: RegionPointer) { region.pointee.references.add(1, ordering: .relaxed) }

    /// Nothing is entered.
    static func release(_ region: RegionPointer) {
        var next: RegionPointer? = region
        while let one = next {
            guard one.pointee.references.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
            next = one.pointee.parent.load(ordering: .relaxed)?.assumingMemoryBound(to: Region.self)
            platform_merge_lock_acquire()
            one.pointee.spare = spares
            spares = one
            platform_merge_lock_release()
        }
    }

    /// Makes one region of two. Nothing is entered.
    static func merge(_ one: RegionPointer, _ other: RegionPointer) {
        platform_merge_lock_acquire()
        defer { platform_merge_lock_release() }
        var (into, from) = (root(one), root(other))
        if into == from { return }
        if into.pointee.rank < from.pointee.rank { swap(&into, &from) }
        let (low, high) = (
            min(into.pointee.lockIndex, from.pointee.lockIndex), max(into.pointee.lockIndex, from.pointee.lockIndex)
        )
        platform_region_lock_acquire(low)
        if high != low { platform_region_lock_acquire(high) }
        if into.pointee.rank == from.pointee.rank { into.pointee.rank += 1 }
        while let link = from.pointee.views {
            link.unlink()
            link.pushFront(of: into)
        }
        into.pointee.pending.append(all: &from.pointee.pending)
        into.pointee.effects.append(all: &from.pointee.effects)
        while let node = from.pointee.withOld {
            from.pointee.withOld = node.pointee.nextOld
            node.pointee.nextOld = into.pointee.withOld
            into.pointee.withOld = node
        }
        for index in 0..<from.pointee.limbo.count {
            // Views of both regions may look at it now: all of them have to end.
            var one = from.pointee.limbo[index]
            one.linked = into.pointee.linked
            into.pointee.limbo.append(one)
        }
        from.pointee.limbo.removeAll()
        for index in 0..<from.pointee.circles.count { into.pointee.circles.append(from.pointee.circles[index]) }
        from.pointee.circles.removeAll()
        if into.pointee.passer == nil { into.pointee.passer = from.pointee.passer }
        from.pointee.passer = nil
        // So nothing unobserved is taken for clean.
        into.pointee.clock = max(into.pointee.clock, from.pointee.clock) + 1
        retain(into)
        from.pointee.parent.store(UnsafeMutableRawPointer(into), ordering: .releasing)
        if high != low { platform_region_lock_release(high) }
        platform_region_lock_release(low)
    }
}
