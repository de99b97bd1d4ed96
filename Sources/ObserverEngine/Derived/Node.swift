// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// A variable that functions read, or a derived variable, as the graph knows it. Guarded by its region, where nothing else is
/// said.
///
/// *Live* is what is observed, directly or through others: only that is told of changes (`outs`). What is not live is
/// validated when it is read.
///
/// *Clean*: not suspect, if live; otherwise validated at the present clock of its region.
@usableFromInline
struct Node: ~Copyable {
    // First what no thread reads without the region: the thread sanitizer takes a change of any field for one of the first.

    /// Changes with the value.
    @usableFromInline var version: UInt64 = 1
    /// Set once: for a variable when a function first reads it, for a derived variable when it has first been computed.
    let regionPointer = Atomic<UnsafeMutableRawPointer?>(nil)
    /// What has the value.
    let content: Unmanaged<NodeContent>
    /// What is kept alive by those who depend on this. Another object of Swift, retained as one of these.
    var owner: Unmanaged<NodeContent>
    /// The version that was sent last, while it is observed.
    @usableFromInline var sentVersion: UInt64 = 0
    /// The epoch in which the value came.
    var stamp: UInt64 = 0
    /// The moment of the stored result, in epochs.
    var resultAt: UInt64 = 0
    /// While it is not live: it is clean if this is the clock of its region.
    var checked: UInt64 = 0
    /// The run that has noted this last. Of an effect, which nothing reads: its number.
    var reader: UInt64 = 0
    /// What it has read in its last run, in the order of reading.
    var dependencies: UnsafeMutablePointer<Dependency>?
    var dependencyCount: UInt32 = 0
    var dependencyRoom: UInt32 = 0
    /// The live ones that depend on this.
    var outs: UnsafeMutablePointer<Out>?
    var outCount: UInt32 = 0
    var outRoom: UInt32 = 0
    var nextPending: NodePointer?
    var nextMarked: NodePointer?
    /// Values before, the newest first.
    var old: UnsafeMutablePointer<OldValue>?
    /// Its place among those of its region that have old values, if it `isListed`.
    var place: UInt32 = 0
    /// How often a result was stored.
    var published: UInt32 = 0
    /// How often the function ran, and how often the value was equal afterwards.
    var runs: UInt32 = 0
    @usableFromInline var vain: UInt32 = 0
    /// How many threads run its function before it has a region.
    let firstRuns = Atomic<UInt32>(0)
    /// How many threads run its function, and how often it is being settled.
    var computing: UInt16 = 0
    var settling: UInt16 = 0
    let kind: NodeKind
    #if !hasFeature(Embedded)
        /// Of a derived variable.
        @usableFromInline var run: DerivedRun?
    #endif
    var isLive = false
    var isSuspect = false
    /// It waits in the queue of turns, or is due in the present one.
    var isPending = false
    var isQueued = false
    @usableFromInline var hasValue = false
    @usableFromInline var isDelivering = false
    @usableFromInline var isObserved = false
    var isClosed = false
    /// It is among those of its region that have old values.
    var isListed = false
    /// Its failure comes from depending on itself.
    var isCircle = false

    init(_ kind: NodeKind, _ content: Unmanaged<NodeContent>) {
        self.kind = kind
        self.content = content
        owner = content
    }
}

@usableFromInline
enum NodeKind: UInt8 {
    case source
    case derived
    case effect
}

@usableFromInline
typealias NodePointer = UnsafeMutablePointer<Node>

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Node {
    /// Memory for a node that has dependencies: behind it is room for the first ones, and then for a body.
    @inlinable
    static func make<Body>(_ kind: NodeKind, before body: MemoryLayout<Body>.Type) -> NodePointer {
        UnsafeMutableRawPointer.allocate(
            byteCount: bodyOffset(body) + body.size, alignment: Swift.max(body.alignment, MemoryLayout<Node>.alignment)
        ).assumingMemoryBound(to: Node.self)
    }

    @usableFromInline
    func begin(_ kind: NodeKind, _ content: NodeContent) {
        initialize(to: Node(kind, .passUnretained(content)))
        pointee.dependencies = inlineDependencies
        pointee.dependencyRoom = 2
    }

    @inlinable @inline(__always)
    func body<Body>(_ type: Body.Type) -> UnsafeMutablePointer<Body> {
        (UnsafeMutableRawPointer(self) + Self.bodyOffset(MemoryLayout<Body>.self)).assumingMemoryBound(to: Body.self)
    }

    @inlinable @inline(__always)
    static func bodyOffset<Body>(_ body: MemoryLayout<Body>.Type) -> Int {
        let end = MemoryLayout<Node>.stride + 2 * MemoryLayout<Dependency>.stride
        return (end + body.alignment - 1) & ~(body.alignment - 1)
    }

    private var inlineDependencies: UnsafeMutablePointer<Dependency> {
        UnsafeMutableRawPointer(self + 1).assumingMemoryBound(to: Dependency.self)
    }

    /// Frees what was room for dependencies.
    func freeDependencies() {
        guard let dependencies = pointee.dependencies, dependencies != inlineDependencies else { return }
        UnsafeMutableRawPointer(dependencies).deallocate()
    }

    /// That of a variable, in a region of its own. Keeping the owner keeps the variable.
    static func makeSource(_ content: NodeContent, owner: UnsafeMutableRawPointer) -> NodePointer {
        let node = NodePointer.allocate(capacity: 1)
        node.initialize(to: Node(.source, .passUnretained(content)))
        node.pointee.owner = .fromOpaque(owner)
        node.pointee.hasValue = true
        node.pointee.regionPointer.store(UnsafeMutableRawPointer(Regions.make()), ordering: .relaxed)
        return node
    }

    @usableFromInline var region: RegionPointer? {
        @inline(__always) get {
            pointee.regionPointer.load(ordering: .acquiring)?.assumingMemoryBound(to: Region.self)
        }
    }

    var isSource: Bool { @inline(__always) get { pointee.kind == .source } }

    /// The region is entered.
    @usableFromInline @inline(__always)
    func isClean(in region: RegionPointer) -> Bool {
        if pointee.kind == .source { return true }
        return pointee.isLive ? !pointee.isSuspect : pointee.hasValue && pointee.checked == region.pointee.clock
    }

    func retainOwner() { _ = pointee.owner.retain() }

    /// Frees what the graph has of it. It is in no queue, nothing depends on it, and no view can look at it.
    func free() {
        if let region { Regions.release(region) }
        freeDependencies()
        if let outs = pointee.outs { UnsafeMutableRawPointer(outs).deallocate() }
        UnsafeMutableRawPointer(self).deallocate()
    }
}

@usableFromInline
struct Dependency {
    var source: NodePointer
    var seen: UInt64
    /// Its place in the source's ways back.
    var slot: UInt32
}

struct Out {
    var target: NodePointer
    var dependency: UInt32
}

/// Nodes in line, by `nextPending`.
struct NodeQueue {
    var first: NodePointer?
    var last: NodePointer?

    var isEmpty: Bool { @inline(__always) get { first == nil } }

    @inline(__always)
    mutating func append(_ node: NodePointer) {
        node.pointee.nextPending = nil
        if let last { last.pointee.nextPending = node } else { first = node }
        last = node
    }

    @inline(__always)
    mutating func popFirst() -> NodePointer? {
        guard let node = first else { return nil }
        first = node.pointee.nextPending
        if first == nil { last = nil }
        node.pointee.nextPending = nil
        return node
    }

    mutating func append(all other: inout NodeQueue) {
        guard let begin = other.first else { return }
        if let last { last.pointee.nextPending = begin } else { first = begin }
        last = other.last
        other = NodeQueue()
    }
}

/// Effects that are due: the one that was begun first comes first. A heap.
struct EffectQueue {
    private var heap = Buffer<NodePointer>()

    var isEmpty: Bool { @inline(__always) get { heap.count == 0 } }

    var firstNumber: UInt64? { isEmpty ? nil : heap[0].pointee.reader }

    mutating func append(_ effect: NodePointer) {
        var place = heap.count
        heap.append(effect)
        while place > 0, Self.isBefore(effect, heap[(place - 1) / 2]) {
            heap[place] = heap[(place - 1) / 2]
            place = (place - 1) / 2
        }
        heap[place] = effect
    }

    @inline(__always)
    mutating func popFirst() -> NodePointer? { isEmpty ? nil : takeFirst() }

    @inline(never)
    private mutating func takeFirst() -> NodePointer {
        let last = heap.popLast().unsafelyUnwrapped
        guard heap.count > 0 else { return last }
        let first = heap[0]
        var place = 0
        while true {
            var next = 2 * place + 1
            if next + 1 < heap.count, Self.isBefore(heap[next + 1], heap[next]) { next += 1 }
            guard next < heap.count, Self.isBefore(heap[next], last) else { break }
            heap[place] = heap[next]
            place = next
        }
        heap[place] = last
        return first
    }

    mutating func append(all other: inout EffectQueue) {
        for index in 0..<other.heap.count { append(other.heap[index]) }
        other.removeAll()
    }

    mutating func removeAll() { heap.removeAll() }

    private static func isBefore(_ one: NodePointer, _ other: NodePointer) -> Bool {
        one.pointee.reader < other.pointee.reader
    }
}

#if !hasFeature(Embedded)
    /// What runs a derived variable where its types are known: a method that is called through the class would look all
    /// of them up.
    @usableFromInline
    struct DerivedRun {
        @usableFromInline typealias Compute = (NodeContent, TrackerPointer, ViewPointer, inout RegionPointer?) -> Void
        @usableFromInline typealias SendUpdate = (NodeContent, TrackerPointer) -> (region: RegionPointer, isSent: Bool)

        let compute: Compute
        let sendUpdate: SendUpdate

        @usableFromInline
        init(compute: @escaping Compute, sendUpdate: @escaping SendUpdate) {
            self.compute = compute
            self.sendUpdate = sendUpdate
        }
    }
#endif

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Node {
    /// Runs the function and stores its result. The region is entered, if there is one; afterwards it is.
    @inline(__always)
    func compute(_ tracker: TrackerPointer, _ view: ViewPointer, _ region: inout RegionPointer?) {
        pointee.content._withUnsafeGuaranteedRef { content in
            #if hasFeature(Embedded)
                content.compute(tracker, view, &region)
            #else
                pointee.run.unsafelyUnwrapped.compute(content, tracker, view, &region)
            #endif
        }
    }

    /// Sends what has changed since this last sent, if anything. Nothing is entered; afterwards the region is.
    @inline(__always)
    func sendUpdate(_ tracker: TrackerPointer) -> (region: RegionPointer, isSent: Bool) {
        pointee.content._withUnsafeGuaranteedRef { content in
            #if hasFeature(Embedded)
                content.sendUpdate(tracker)
            #else
                pointee.run.unsafelyUnwrapped.sendUpdate(content, tracker)
            #endif
        }
    }
}

/// What has the value of a node.
///
/// Stores nothing: so a subclass can have an object of its own (CONTRIBUTING, "Compilers").
public class NodeContent {
    #if hasFeature(Embedded)
        func compute(_ tracker: TrackerPointer, _ view: ViewPointer, _ region: inout RegionPointer?) {
            fail("only what has a function computes")
        }

        func sendUpdate(_ tracker: TrackerPointer) -> (region: RegionPointer, isSent: Bool) {
            fail("only derived variables send updates")
        }
    #endif

    /// The present value in a box. The region is entered.
    func boxed() -> ValueBox { fail("every node has a value") }

    /// The core of its observable, unless that is dead. The region is entered.
    var observable: AnyCore? { nil }

    /// What people call it, in memory of `malloc`.
    func copyName() -> UnsafeMutablePointer<CChar>? { nil }

    /// Compares a value that is to be set with the present one, without the region.
    ///
    /// - Returns: Whether it changes anything, and the version that it was compared with.
    func compare(_ box: ValueBox) -> (isChange: Bool, version: UInt64) { fail("only variables are set") }

    /// Whether the value still has that version. The region is entered.
    func isStill(_ version: UInt64) -> Bool { fail("only variables are set") }

    /// Sets a value in a transaction that commits. The region is entered, and the views are pinned.
    ///
    /// - Parameter isHeard: whether an update of the turn is heard so far.
    /// - Returns: Sends the update, in its place in the order.
    func assign(
        _ box: ValueBox, author: ValueBox, _ region: RegionPointer, now: UInt64, after isHeard: inout Bool,
        _ tracker: TrackerPointer
    ) -> () -> Outcome { fail("only variables are set") }

    /// Runs an effect, if what it has read has changed. Nothing is entered.
    ///
    /// - Returns: Whether something failed.
    func runIfChanged(_ tracker: TrackerPointer) -> Bool { fail("only effects run") }

    /// What there is now counts as read by an effect, unless it has begun to run since it had run that often, if that is known.
    /// Nothing is entered.
    func rest(ifNotRunSince runs: UInt32?) { fail("only effects run") }

    /// Keep the observable, and this with it, during a turn.
    func retainObservable() { fail("only derived variables send updates") }
    func releaseObservable() { fail("only derived variables send updates") }

    /// An observation of this has ended. Nothing is entered.
    func observationsChanged() {}

    @usableFromInline init() {}
}

/// An old value, or one that only a view has. Subclasses have the value.
public class ValueBox {
    @usableFromInline init() {}
}
