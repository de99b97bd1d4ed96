// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// The moment as of which a function, a snapshot or a transaction reads.
///
/// It is *live* while no commit overlaps with it: it reads what is there. The first commit in a region that it has read in
/// *pins* it, before it changes anything: from then on the view reads the past, for which commits keep old values.
///
/// `pin` is atomic, the links belong to their regions, and the rest to the thread of the view.
@usableFromInline
struct View: ~Copyable {
    static let live = UInt64.max

    /// No tick up to this epoch has pinned it.
    var verified: UInt64 = 0
    /// `live`, or the epoch whose stamps it does not see.
    let pin = Atomic<UInt64>(View.live)
    var links = Buffer<UnsafeMutablePointer<ViewLink>>()
    /// One that is used again.
    var spareLink: UnsafeMutablePointer<ViewLink>?
    /// What was computed for this moment alone.
    var memo = Memo()
    /// The next one that is pinned. Guarded by the lock of the pins.
    var nextPinned: ViewPointer?
    /// Whether it shows a transaction what it has set, which only the transaction sees.
    var hasOverlay = false

    init() {}
}

@usableFromInline
typealias ViewPointer = UnsafeMutablePointer<View>

/// Says in a region which view has read there.
struct ViewLink: ~Copyable {
    var next: UnsafeMutablePointer<ViewLink>?
    let view: ViewPointer
    /// Changes when regions merge, inside both.
    let region: Atomic<UnsafeMutableRawPointer?>
    var previous: UnsafeMutablePointer<ViewLink>?
    var number: UInt64 = 0

    init(_ view: ViewPointer) {
        self.view = view
        region = Atomic(nil)
    }
}

// The region is entered.
extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == ViewLink {
    func pushFront(of region: RegionPointer) {
        pointee.next = region.pointee.views
        pointee.previous = nil
        pointee.next?.pointee.previous = self
        region.pointee.views = self
        region.pointee.linked += 1
        pointee.number = region.pointee.linked
        pointee.region.store(UnsafeMutableRawPointer(region), ordering: .releasing)
    }

    func unlink() {
        let region = pointee.region.load(ordering: .relaxed)!.assumingMemoryBound(to: Region.self)
        if let previous = pointee.previous {
            previous.pointee.next = pointee.next
        } else {
            region.pointee.views = pointee.next
        }
        pointee.next?.pointee.previous = pointee.previous
    }
}

/// The global clock: ticks only when a commit pins a view.
let epoch = Atomic<UInt64>(1)
private nonisolated(unsafe) var firstPinned: ViewPointer?

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == View {
    var pin: UInt64 { @inline(__always) get { pointee.pin.load(ordering: .acquiring) } }
    @usableFromInline var isLive: Bool { @inline(__always) get { pin == View.live } }

    func begin() {
        pointee.pin.store(View.live, ordering: .relaxed)
        pointee.verified = epoch.load(ordering: .acquiring)
    }

    /// Notes in a region, which is entered, that this reads there.
    @inline(__always)
    func link(to region: RegionPointer) {
        var link = region.pointee.views
        while let one = link {
            if one.pointee.view == self { return }
            link = one.pointee.next
        }
        linkAgain(to: region)
    }

    @inline(never)
    private func linkAgain(to region: RegionPointer) {
        let link: UnsafeMutablePointer<ViewLink>
        if let spare = pointee.spareLink {
            link = spare
            pointee.spareLink = nil
        } else {
            link = .allocate(capacity: 1)
            link.initialize(to: ViewLink(self))
        }
        pointee.links.append(link)
        link.pushFront(of: region)
    }

    /// Learns whether a tick since `verified` has pinned this. Nothing is entered.
    @inline(never)
    func verify(_ tracker: TrackerPointer) {
        let now = epoch.load(ordering: .sequentiallyConsistent)
        // A commit that is about to pin this has done so when these can be entered.
        for index in 0..<pointee.links.count { Regions.leave(enter(pointee.links[index], tracker), tracker) }
        pointee.verified = now
    }

    /// Enters the region of a link, which may merge meanwhile.
    func enter(_ link: UnsafeMutablePointer<ViewLink>, _ tracker: TrackerPointer) -> RegionPointer {
        while true {
            let region = Regions.enter(
                link.pointee.region.load(ordering: .acquiring)!.assumingMemoryBound(to: Region.self), tracker)
            if link.pointee.region.load(ordering: .relaxed) == UnsafeMutableRawPointer(region) { return region }
            Regions.leave(region, tracker)
        }
    }

    /// Ends it: nothing is entered. Foreign code may run: what was kept for this alone is released.
    func end(_ tracker: TrackerPointer) {
        for index in 0..<pointee.links.count {
            let link = pointee.links[index]
            let region = enter(link, tracker)
            link.unlink()
            region.forgetWhatNoViewSees(tracker)
            Regions.leave(region, tracker)
            forget(link)
        }
        pointee.links.cut(to: 0)
        if !isLive { unpin(tracker) }
        pointee.memo.removeAll()
        pointee.hasOverlay = false
        tracker.releaseAll()
    }

    /// A link is in no region any more.
    func forget(_ link: UnsafeMutablePointer<ViewLink>) {
        if pointee.spareLink == nil { pointee.spareLink = link } else { UnsafeMutableRawPointer(link).deallocate() }
    }

    private func unpin(_ tracker: TrackerPointer) {
        platform_pins_lock_acquire()
        if firstPinned == self {
            firstPinned = pointee.nextPinned
        } else {
            var one = firstPinned
            while let next = one?.pointee.nextPinned, next != self { one = next }
            one?.pointee.nextPinned = pointee.nextPinned
        }
        let isLast = platform_pin(-1) == 0
        let orphans = isLast ? KeptElsewhere.takeAll() : nil
        platform_pins_lock_release()
        KeptElsewhere.release(orphans, tracker)
    }
}

// The region is entered.
extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Region {
    /// Pins all live views, before a commit changes anything in here.
    ///
    /// - Returns: The epoch of the commit.
    @usableFromInline @inline(__always) @discardableResult
    func pinViews() -> UInt64 {
        if pointee.views != nil { pinThem() }
        return epoch.load(ordering: .acquiring)
    }

    @inline(never)
    private func pinThem() {
        var now: UInt64 = 0
        var link = pointee.views
        while let one = link {
            link = one.pointee.next
            let view = one.pointee.view
            guard view.isLive else { continue }
            if now == 0 {
                platform_pins_lock_acquire()
                // First the count, then the tick: who sees the epoch knows that old values are wanted.
                _ = platform_pin(1)
                now = epoch.add(1, ordering: .sequentiallyConsistent).newValue
            } else {
                _ = platform_pin(1)
            }
            guard view.isLive else {
                // A commit in another region was faster.
                _ = platform_pin(-1)
                continue
            }
            view.pointee.nextPinned = firstPinned
            firstPinned = view
            view.pointee.pin.store(now, ordering: .releasing)
        }
        guard now != 0 else { return }
        platform_pins_lock_release()
        platform_have_all_look()
    }

    /// Moves what no view can look at any more to what the thread releases when it is outside.
    @inline(__always)
    func forgetWhatNoViewSees(_ tracker: TrackerPointer) {
        if !pointee.limbo.isEmpty || pointee.withOld.count > 0 { forget(tracker) }
    }

    @inline(never)
    private func forget(_ tracker: TrackerPointer) {
        forgetOld(tracker)
        guard !pointee.limbo.isEmpty else { return }
        var oldest = UInt64.max
        var link = pointee.views
        while let one = link {
            oldest = Swift.min(oldest, one.pointee.number)
            link = one.pointee.next
        }
        while let object = pointee.limbo.popFirst(before: oldest) { tracker.pointee.releases.append(object) }
    }

    private func forgetOld(_ tracker: TrackerPointer) {
        // A view of another region may be pinned, and read here next.
        guard platform_pinned() == 0 else { return }
        while let node = pointee.withOld.popLast() {
            node.pointee.isListed = false
            while let old = node.pointee.old {
                node.pointee.old = old.pointee.next
                tracker.discard(old)
            }
        }
    }

    /// Releases an object when no view can look at it any more.
    func keepForViews(_ object: Unmanaged<NodeContent>, _ tracker: TrackerPointer) {
        if pointee.views == nil {
            tracker.pointee.releases.append(object)
        } else {
            pointee.limbo.append(object, linked: pointee.linked)
        }
    }
}

/// Objects that views may still look at, and the number of the view that was the newest by then: that only rises.
struct Limbo {
    private var entries = Buffer<(object: Unmanaged<NodeContent>, linked: UInt64)>()
    private var gone = 0

    var isEmpty: Bool { @inline(__always) get { entries.count == 0 } }

    mutating func append(_ object: Unmanaged<NodeContent>, linked: UInt64) { entries.append((object, linked)) }

    /// The first one that none of the views looks at from this one on.
    mutating func popFirst(before oldest: UInt64) -> Unmanaged<NodeContent>? {
        guard gone < entries.count, entries[gone].linked < oldest else { return nil }
        let object = entries[gone].object
        gone += 1
        // Moves the rest only where that is less than what has gone.
        if gone * 2 >= entries.count {
            for index in gone..<entries.count { entries[index - gone] = entries[index] }
            entries.cut(to: entries.count - gone)
            gone = 0
        }
        return object
    }

    /// All views of two regions may look at what has gone from one of them.
    mutating func append(all other: inout Limbo, linked: UInt64) {
        for index in other.gone..<other.entries.count { append(other.entries[index].object, linked: linked) }
        other.removeAll()
    }

    mutating func removeAll() {
        entries.removeAll()
        gone = 0
    }
}

/// A value that was there before, for pinned views.
struct OldValue {
    var next: UnsafeMutablePointer<OldValue>?
    var stamp: UInt64
    let version: UInt64
    let box: Unmanaged<ValueBox>
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Node {
    /// Puts this among those with old values. The region is entered.
    func list(in region: RegionPointer) {
        pointee.isListed = true
        pointee.place = UInt32(region.pointee.withOld.count)
        region.pointee.withOld.append(self)
    }

    /// The same back.
    func unlist(in region: RegionPointer) {
        pointee.isListed = false
        region.pointee.withOld.remove(at: Int(pointee.place))
        if pointee.place < region.pointee.withOld.count {
            region.pointee.withOld[Int(pointee.place)].pointee.place = pointee.place
        }
    }

    /// A commit is about to change the value. The region is entered.
    @usableFromInline @inline(__always)
    func beginChange(in region: RegionPointer, now: UInt64, _ tracker: TrackerPointer) {
        guard pointee.stamp < now else { return }
        if platform_pinned() != 0 { keepOld(in: region, now: now, tracker) }
        pointee.stamp = now
    }

    /// Keeps the present value, before a commit changes it. The region is entered.
    @inline(never)
    func keepOld(in region: RegionPointer, now: UInt64, _ tracker: TrackerPointer) {
        if !pointee.isListed { list(in: region) }
        let box = Unmanaged.passRetained(pointee.content._withUnsafeGuaranteedRef { $0.boxed() })
        let old = UnsafeMutablePointer<OldValue>.allocate(capacity: 1)
        old.initialize(
            to: OldValue(next: pointee.old, stamp: pointee.stamp, version: pointee.version, box: box))
        pointee.old = old
        trimOld(upTo: now, tracker)
    }

    /// Drops the old values between two that views want.
    private func trimOld(upTo stampAfter: UInt64, _ tracker: TrackerPointer) {
        platform_pins_lock_acquire()
        defer { platform_pins_lock_release() }
        var upper = stampAfter
        var before: UnsafeMutablePointer<OldValue>?
        var next = pointee.old
        while let one = next {
            next = one.pointee.next
            var isWanted = false
            var view = firstPinned
            while let pinned = view, !isWanted {
                let pin = pinned.pin
                isWanted = one.pointee.stamp < pin && pin <= upper
                view = pinned.pointee.nextPinned
            }
            upper = one.pointee.stamp
            // The newest one stays, which keeps the node in the list of its region.
            if isWanted || before == nil {
                before = one
            } else {
                before.unsafelyUnwrapped.pointee.next = next
                tracker.discard(one)
            }
        }
    }

    /// The value as of a pin: `nil` if it is the present one.
    @inline(__always)
    func oldValue(at pin: UInt64) -> UnsafeMutablePointer<OldValue>? {
        if pointee.stamp < pin { return nil }
        var old = pointee.old
        while let one = old {
            if one.pointee.stamp < pin { return one }
            old = one.pointee.next
        }
        fail("an old value is missing")
    }
}
