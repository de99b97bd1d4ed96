// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What a thread notes while it computes. Its own, except that others compare its address.
@usableFromInline
struct Tracker: ~Copyable {
    /// What runs on this thread, the innermost last.
    var frames = Buffer<Frame>()
    /// The moment as of which the innermost function, snapshot or transaction reads.
    @usableFromInline var view: ViewPointer?
    /// How many of these and of others need getters to look here.
    var looks: UInt32 = 0
    /// What has been read, by the frames, the outermost first.
    var records = Buffer<ReadRecord>()
    /// What is being settled.
    var steps = Buffer<SettlingStep>()
    @usableFromInline var transaction: UnsafeMutablePointer<Transaction>?
    /// What waits for its release until nothing is entered.
    var releases = Buffer<Unmanaged<NodeContent>>()
    var boxes = Buffer<Unmanaged<ValueBox>>()
    var isReleasing = false
    /// How many runs there have been on this thread, above the thread's number.
    var runs: UInt64 = 0
    var spareViews = Buffer<ViewPointer>()
    /// Where the stack was when the first of these frames began on it.
    var stack: UInt = 0
    /// Set while an effect runs: regions whose turns are handled afterwards.
    var isInEffect = false
    var postponed = Buffer<RegionPointer>()
    /// Whether something has been observed from inside of its own function, which may still run.
    @usableFromInline var isObservedInside = false
    /// The views of functions that have called handlers, the innermost last.
    var closed = Buffer<ViewPointer?>()
    /// How often this thread has begun to handle turns that no effect has caused.
    var turns: UInt64 = 0

    /// What regions know the thread as: one of a table, or, where that is full, one to which nothing is ever biased.
    let guest: UnsafeMutablePointer<platform_guest>
    /// What a region bears that is biased to this thread; 0 if none is ever.
    let badge: UInt

    init(number: UInt64) {
        runs = number << 40
        if let taken = platform_guest_take() {
            guest = taken
            badge = UInt(bitPattern: taken)
        } else {
            guest = .allocate(capacity: 1)
            var none = platform_guest()
            none.badge = 1
            guest.initialize(to: none)
            badge = 0
        }
    }
}

@usableFromInline
typealias TrackerPointer = UnsafeMutablePointer<Tracker>

/// A function that runs, or what keeps reads from being noted.
@usableFromInline
struct Frame {
    /// `nil` where nothing is noted.
    var node: NodePointer?
    var first: Int
    /// How much was being settled when it began.
    var step: Int
    var run: UInt64
    /// Whether it may set variables.
    var sets: Bool
    /// Whether it has met itself.
    var isCircle = false
    /// What it has read last that has failed. Owned.
    var failure: Unmanaged<DerivedFailure>?
}

struct ReadRecord {
    var source: NodePointer
    var seen: UInt64
    /// Whether this keeps the source's owner: not where the node that runs has kept it since its last run.
    var isKept: Bool
}

struct SettlingStep {
    var node: NodePointer
    var at: UInt32
    var published: UInt32
}

private let trackers = Atomic<UInt64>(0)

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Tracker {
    /// That of the calling thread, if it has one.
    static var present: TrackerPointer? {
        platform_computing()?.assumingMemoryBound(to: Tracker.self)
    }

    @usableFromInline static var here: TrackerPointer { present ?? make() }

    var badge: UInt { @inline(__always) get { pointee.badge } }

    @inline(never)
    private static func make() -> TrackerPointer {
        let made = TrackerPointer.allocate(capacity: 1)
        made.initialize(to: Tracker(number: trackers.wrappingAdd(1, ordering: .relaxed).newValue))
        platform_note_computing(made)
        besideFunctionOf.store(
            unsafeBitCast(
                changeBesideFunction as @convention(c) (UnsafeMutableRawPointer, Bool) -> Bool, to: UInt.self),
            ordering: .relaxed)
        platform_end_computing_with { $0.map { $0.assumingMemoryBound(to: Tracker.self).end() } }
        return made
    }

    /// The thread ends.
    private func end() {
        // What its last releases call may need this once more.
        platform_note_computing(self)
        dropTransaction()
        releaseAll()
        platform_note_computing(nil)
        if pointee.badge != 0 { platform_guest_give_back(pointee.guest) } else { pointee.guest.deallocate() }
        for index in 0..<pointee.spareViews.count {
            pointee.spareViews[index].pointee.links.removeAll()
            if let link = pointee.spareViews[index].pointee.spareLink { UnsafeMutableRawPointer(link).deallocate() }
            UnsafeMutableRawPointer(pointee.spareViews[index]).deallocate()
        }
        pointee.spareViews.removeAll()
        pointee.frames.removeAll()
        pointee.records.removeAll()
        pointee.steps.removeAll()
        pointee.releases.removeAll()
        pointee.boxes.removeAll()
        pointee.postponed.removeAll()
        pointee.closed.removeAll()
        UnsafeMutableRawPointer(self).deallocate()
    }

    func takeView() -> ViewPointer {
        if let spare = pointee.spareViews.popLast() {
            spare.begin()
            return spare
        }
        let view = ViewPointer.allocate(capacity: 1)
        view.initialize(to: View())
        view.begin()
        return view
    }

    /// Ends a view. Nothing is entered.
    @usableFromInline
    func end(_ view: ViewPointer) {
        view.end(self)
        pointee.spareViews.append(view)
    }

    var frame: UnsafeMutablePointer<Frame>? {
        @inline(__always) get {
            pointee.frames.count == 0 ? nil : pointee.frames.base.unsafelyUnwrapped + (pointee.frames.count - 1)
        }
    }

    /// Begins to run a function in a view. While it runs, getters look here.
    @inline(__always)
    func pushFrame(_ node: NodePointer?, sets: Bool = false) {
        pointee.runs += 1
        pointee.frames.append(
            Frame(
                node: node, first: pointee.records.count, step: pointee.steps.count, run: pointee.runs, sets: sets))
        beginToLook()
    }

    /// Ends it.
    @inline(__always) @discardableResult
    func popFrame() -> Frame {
        let frame = frame.unsafelyUnwrapped.pointee
        pointee.frames.cut(to: pointee.frames.count - 1)
        endLook()
        frame.failure?.release()
        return frame
    }

    /// Calls what compares results: what that reads is not noted among what has been read to be published.
    @usableFromInline @inline(never)
    func comparing(_ compare: () -> Bool) -> Bool {
        pushFrame(nil, sets: frame?.pointee.sets ?? true)
        let isEqual = compare()
        popFrame()
        return isEqual
    }

    /// From here on getters look here.
    @inline(__always)
    func beginToLook() {
        if pointee.looks == 0 { platform_look_first() }
        pointee.looks &+= 1
    }

    @inline(__always)
    func endLook() {
        pointee.looks &-= 1
        if pointee.looks == 0 { platform_look_no_more() }
    }

    /// Calls handlers: they read what is there now, and what runs further out does not depend on it.
    @inlinable
    func callingHandlers<Result>(_ call: () -> Result) -> Result {
        pointee.view == nil ? call() : callingHandlersInside(call)
    }

    @usableFromInline @inline(never)
    func callingHandlersInside<Result>(_ call: () -> Result) -> Result {
        let outer = (view: pointee.view, transaction: pointee.transaction)
        pointee.view = nil
        pointee.transaction = nil
        pushFrame(nil, sets: true)
        let result = call()
        // One that a handler has left open.
        dropTransaction()
        _ = popFrame()
        pointee.view = outer.view
        pointee.transaction = outer.transaction
        return result
    }

    /// Whether a function that must not set anything runs on this thread.
    @usableFromInline var isComputing: Bool { frame.map { !$0.pointee.sets } ?? false }

    /// Keeps a failure that the innermost function has read.
    @usableFromInline
    func noteFailure(_ failure: DerivedFailure) {
        guard let frame else { return }
        let before = frame.pointee.failure
        frame.pointee.failure = .passRetained(failure)
        before?.release()
    }

    func discard(_ old: UnsafeMutablePointer<OldValue>) {
        pointee.boxes.append(old.pointee.box)
        UnsafeMutableRawPointer(old).deallocate()
    }

    /// Releases what waits for it: nothing is entered. What ends with it takes its turn here, too, because a chain may be long.
    @usableFromInline @inline(__always)
    func releaseAll() {
        if pointee.releases.count > 0 || pointee.boxes.count > 0 { releaseThem() }
    }

    @inline(never)
    private func releaseThem() {
        if pointee.isReleasing { return }
        pointee.isReleasing = true
        while true {
            if let box = pointee.boxes.popLast() {
                box.release()
            } else if let object = pointee.releases.popLast() {
                object.release()
            } else {
                break
            }
        }
        pointee.isReleasing = false
    }
}

/// Begins to call handlers beside the function that runs on a thread, or ends that. In a transaction they are a part of that.
///
/// - Returns: Whether one runs, or a snapshot is read.
private func changeBesideFunction(_ computing: UnsafeMutableRawPointer, _ begins: Bool) -> Bool {
    let tracker = computing.assumingMemoryBound(to: Tracker.self)
    if !begins {
        tracker.popFrame()
        tracker.pointee.view = tracker.pointee.closed.popLast().unsafelyUnwrapped
        return true
    }
    guard let frame = tracker.frame else { return false }
    let isInTransaction = tracker.pointee.transaction != nil
    if isInTransaction ? !tracker.isInTransactionOfEffect : tracker.pointee.view == nil { return false }
    let sets = frame.pointee.sets
    tracker.pushFrame(nil, sets: sets)
    tracker.pointee.closed.append(tracker.pointee.view)
    // What sets nothing is seen as of the moment of the function.
    if sets, !isInTransaction { tracker.pointee.view = nil }
    return true
}
