// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What variables share that depend on one another: one lock, one clock, one queue of turns.
///
/// Regions merge when a function first reads across them, and never wait for one another otherwise. A thread is inside for
/// some instructions at a time, and never while foreign code runs (law 11).
///
/// One that a thread has entered some times in a row is *biased* to it: that thread enters without the lock, and without an
/// atomic operation. It says where it is (`platform_guest`), and looks at `bias` again; who takes the lock clears `bias`, has
/// all threads pass a fence, and waits until that one is somewhere else.
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
    /// The badge of the thread that enters without the lock, or 0. Changed with the lock.
    let bias = Atomic<UInt>(0)
    let lockIndex: UInt32
    /// How often the thread has to come again that was here last, with the lock, for this to be biased to it.
    var entriesToBias: UInt32 = 0
    var visitor: UInt = 0
    var wasRevoked = false
    /// How high the tree is that has been merged into this.
    var rank: UInt32 = 0
    /// The views that have read in here, the newest first.
    var views: UnsafeMutablePointer<ViewLink>?
    /// Numbers these.
    var linked: UInt64 = 0
    /// The nodes with old values.
    var withOld = Buffer<NodePointer>()
    /// What is observed and may have changed.
    var pending = NodeQueue()
    /// The effects that are due.
    var effects = EffectQueue()
    /// The thread that handles turns, by what it notes.
    var passer: TrackerPointer?
    /// How many updates wait for a delivery in progress, and turns with them.
    var waiting: UInt32 = 0
    /// How often another thread has changed something while the passer handled turns.
    var interruptions: UInt64 = 0
    /// What views may still look at.
    var limbo = Limbo()
    /// What depends on itself, and has failed because of that: computed again with every commit.
    var circles = Buffer<NodePointer>()
    /// The next one that is used again.
    var spare: RegionPointer?

    init(lockIndex: UInt32) { self.lockIndex = lockIndex }
}

@usableFromInline
typealias RegionPointer = UnsafeMutablePointer<Region>

private nonisolated(unsafe) var spares: RegionPointer?
private let regionsMade = Atomic<UInt32>(0)

@usableFromInline
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

    /// Enters the region that this is a part of by now.
    @usableFromInline @inline(__always)
    static func enter(_ region: RegionPointer, _ tracker: TrackerPointer) -> RegionPointer {
        let guest = tracker.pointee.guest
        let root = root(region)
        platform_guest_enter(guest, root)
        if root.pointee.bias.load(ordering: .relaxed) == platform_guest_badge(guest),
            root.pointee.parent.load(ordering: .relaxed) == nil
        {
            return root
        }
        return enterLocking(root, tracker)
    }

    @inline(never)
    private static func enterLocking(_ region: RegionPointer, _ tracker: TrackerPointer) -> RegionPointer {
        platform_guest_leave(tracker.pointee.guest)
        var root = region
        while true {
            root = self.root(root)
            lock(root, tracker)
            if root.pointee.parent.load(ordering: .relaxed) == nil {
                root.countEntry(tracker)
                return root
            }
            platform_region_lock_release(root.pointee.lockIndex)
        }
    }

    /// Takes the lock of a region, and with it what is biased to another thread.
    static func lock(_ region: RegionPointer, _ tracker: TrackerPointer) {
        platform_region_lock_acquire(region.pointee.lockIndex)
        region.revoke(tracker)
    }

    @usableFromInline @inline(__always)
    static func enter(_ node: NodePointer, _ tracker: TrackerPointer) -> RegionPointer { enter(node.region!, tracker) }

    @usableFromInline @inline(__always)
    static func leave(_ region: RegionPointer, _ tracker: TrackerPointer) {
        if platform_guest_is_inside(tracker.pointee.guest, region) {
            platform_guest_leave(tracker.pointee.guest)
        } else {
            platform_region_lock_release(region.pointee.lockIndex)
        }
    }

    static func retain(_ region: RegionPointer) { region.pointee.references.add(1, ordering: .relaxed) }

    /// Nothing is entered.
    static func release(_ region: RegionPointer) {
        var next: RegionPointer? = region
        while let one = next {
            guard one.pointee.references.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
            next = one.pointee.parent.load(ordering: .relaxed)?.assumingMemoryBound(to: Region.self)
            // No node, so no view: nobody is in here.
            one.pointee.limbo.removeAll()
            one.pointee.withOld.removeAll()
            one.pointee.effects.removeAll()
            one.pointee.circles.removeAll()
            platform_merge_lock_acquire()
            one.pointee.spare = spares
            spares = one
            platform_merge_lock_release()
        }
    }

    /// Makes one region of two. Nothing is entered.
    static func merge(_ one: RegionPointer, _ other: RegionPointer, _ tracker: TrackerPointer) {
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
        into.revoke(tracker)
        from.revoke(tracker)
        if into.pointee.rank == from.pointee.rank { into.pointee.rank += 1 }
        while let link = from.pointee.views {
            link.unlink()
            link.pushFront(of: into)
        }
        into.pointee.pending.append(all: &from.pointee.pending)
        into.pointee.effects.append(all: &from.pointee.effects)
        while let node = from.pointee.withOld.popLast() { node.list(in: into) }
        from.pointee.withOld.removeAll()
        into.pointee.limbo.append(all: &from.pointee.limbo, linked: into.pointee.linked)
        for index in 0..<from.pointee.circles.count { into.pointee.circles.append(from.pointee.circles[index]) }
        from.pointee.circles.removeAll()
        into.pointee.waiting += from.pointee.waiting
        from.pointee.waiting = 0
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

// The lock is held.
extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Region {
    /// Takes this from the other thread that it is biased to.
    @inline(__always)
    func revoke(_ tracker: TrackerPointer) {
        let bias = pointee.bias.load(ordering: .relaxed)
        if bias != 0, bias != tracker.badge { revoke(bias) }
    }

    @inline(never)
    private func revoke(_ bias: UInt) {
        pointee.bias.store(0, ordering: .relaxed)
        pointee.wasRevoked = true
        pointee.visitor = 0
        platform_fence_others()
        let guest = UnsafeMutablePointer<platform_guest>(bitPattern: bias).unsafelyUnwrapped
        var pauses = 0
        while platform_guest_is_inside(guest, self) {
            if pauses < 100 { platform_pause() } else { platform_stand_by() }
            pauses += 1
        }
    }

    /// Notes that a thread enters, and biases this to it once it has done so often enough.
    fileprivate func countEntry(_ tracker: TrackerPointer) {
        let badge = tracker.badge
        if pointee.visitor != badge {
            pointee.visitor = badge
            pointee.entriesToBias = pointee.wasRevoked ? SendsToBias.again : UInt32(SendsToBias.first)
        }
        pointee.entriesToBias &-= 1
        if pointee.entriesToBias == 0, badge != 0, platform_fences_others() {
            pointee.bias.store(badge, ordering: .relaxed)
        }
    }
}
