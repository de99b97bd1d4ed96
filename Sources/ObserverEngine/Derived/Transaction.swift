// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What a thread has set and read in a transaction (law 33). Nothing is locked while it is open.
@usableFromInline
struct Transaction {
    struct Write {
        static let none = -1

        var node: NodePointer
        var box: Unmanaged<ValueBox>
        var author: Unmanaged<ValueBox>
        /// The place of the write before of the same node, or `none`.
        var before: Int
    }

    struct Read {
        var node: NodePointer
        var seen: UInt64
    }

    /// In the order in which they were made: of several of one variable the last one counts.
    var writes = Buffer<Write>()
    /// The place of each node's last one there.
    private var places = PointerTable()
    var reads = Buffer<Read>()
    /// Where the transactions began that have joined it.
    var joined = Buffer<Int>()
    let view: ViewPointer
    let outer: ViewPointer?
    /// Its place among what runs on its thread.
    let frame: Int

    init(view: ViewPointer, outer: ViewPointer?, frame: Int) {
        self.view = view
        self.outer = outer
        self.frame = frame
    }

    private func place(of node: NodePointer) -> Int {
        places.value(of: UnsafeMutableRawPointer(node)) ?? Write.none
    }

    func written(_ node: NodePointer) -> Unmanaged<ValueBox>? {
        let place = place(of: node)
        return place == Write.none ? nil : writes[place].box
    }

    /// The last write of each variable, in the order in which they were first set.
    fileprivate var changes: [Write] {
        var changes: [Write] = []
        changes.reserveCapacity(writes.count)
        for index in 0..<writes.count where writes[index].before == Write.none {
            changes.append(writes[place(of: writes[index].node)])
        }
        return changes
    }

    fileprivate mutating func takeBackLast() -> Write? {
        guard let write = writes.popLast() else { return nil }
        places.set(UnsafeMutableRawPointer(write.node), write.before)
        return write
    }

    mutating func write(_ node: NodePointer, _ box: ValueBox, author: ValueBox) {
        node.retainOwner()
        let before = place(of: node)
        places.set(UnsafeMutableRawPointer(node), writes.count)
        writes.append(
            Write(node: node, box: .passRetained(box), author: .passRetained(author), before: before))
        view.pointee.hasOverlay = true
        // What was computed with the value before.
        view.pointee.memo.removeAll()
    }

    /// - Parameter run: that of the transaction's frame.
    mutating func noteRead(_ node: NodePointer, _ version: UInt64, in run: UInt64) {
        // Another thread's note only costs a second entry.
        if version == Known.privately || node.pointee.reader == run { return }
        node.pointee.reader = run
        node.retainOwner()
        reads.append(Read(node: node, seen: version))
    }
}

/// What became of a transaction.
public enum Commit {
    case done(Outcome)
    /// Another thread has changed what it has read: nothing has happened.
    case conflict
    /// None is open on this thread.
    case none
}

public enum Transactions {
    /// Begins a transaction on this thread, or joins the one that is open.
    ///
    /// - Returns: False in a function that must not set anything.
    public static func begin() -> Bool {
        let tracker = TrackerPointer.here
        if tracker.isComputing { return false }
        if let open = tracker.pointee.transaction {
            open.pointee.joined.append(open.pointee.writes.count)
            return true
        }
        let made = UnsafeMutablePointer<Transaction>.allocate(capacity: 1)
        let view = tracker.takeView()
        made.initialize(
            to: Transaction(view: view, outer: tracker.pointee.view, frame: tracker.pointee.frames.count))
        tracker.pointee.view = view
        tracker.pointee.transaction = made
        tracker.pushFrame(nil, sets: true)
        return true
    }

    /// How many are open on this thread, those that have joined included.
    public static var depth: Int {
        guard let open = TrackerPointer.present?.pointee.transaction else { return 0 }
        return open.pointee.joined.count + 1
    }

    /// Whether one is open on this thread.
    public static var isOpen: Bool { TrackerPointer.present?.pointee.transaction != nil }

    /// Calls a function as if none were open on this thread, and nothing were read at one moment.
    public static func outside<Result>(_ function: () -> Result) -> Result {
        guard let tracker = TrackerPointer.present else { return function() }
        return tracker.callingHandlers(function)
    }

    /// The same, unless a function that must not set anything runs here: what it calls must not, either.
    public static func outsideUnlessComputing<Result>(_ function: () -> Result) -> Result {
        guard let tracker = TrackerPointer.present, !tracker.isComputing else { return function() }
        return tracker.callingHandlers(function)
    }

    /// Takes back what the innermost one has set.
    ///
    /// - Returns: False if none is open on this thread.
    public static func abort() -> Bool {
        guard let tracker = TrackerPointer.present, let open = tracker.pointee.transaction else { return false }
        if let mark = open.pointee.joined.popLast() {
            while open.pointee.writes.count > mark {
                tracker.drop(open.pointee.takeBackLast().unsafelyUnwrapped)
            }
            open.pointee.view.pointee.hasOverlay = mark > 0
            open.pointee.view.pointee.memo.removeAll()
            tracker.releaseAll()
            return true
        }
        tracker.dropTransaction()
        return true
    }

    /// Makes one turn of what was set, unless it joins another one.
    public static func commit() -> Commit {
        guard let tracker = TrackerPointer.present, let open = tracker.pointee.transaction else { return .none }
        if open.pointee.joined.popLast() != nil { return .done(.sent) }
        return tracker.commit(open)
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Tracker {
    fileprivate func drop(_ write: Transaction.Write) {
        pointee.boxes.append(write.box)
        pointee.boxes.append(write.author)
        pointee.releases.append(write.node.pointee.owner)
    }

    /// Aborts the transaction that is open, if one is.
    func dropTransaction() {
        guard let open = pointee.transaction else { return }
        closeTransaction(open)
        end(open.pointee.view)
        free(open)
    }

    /// From here on the thread is in no transaction.
    private func closeTransaction(_ open: UnsafeMutablePointer<Transaction>) {
        popFrame()
        pointee.transaction = nil
        pointee.view = open.pointee.outer
    }

    private func free(_ open: UnsafeMutablePointer<Transaction>) {
        while let write = open.pointee.writes.popLast() { drop(write) }
        while let read = open.pointee.reads.popLast() { pointee.releases.append(read.node.pointee.owner) }
        open.pointee.writes.removeAll()
        open.pointee.reads.removeAll()
        open.pointee.joined.removeAll()
        open.deinitialize(count: 1)
        UnsafeMutableRawPointer(open).deallocate()
        releaseAll()
    }

    fileprivate func commit(_ open: UnsafeMutablePointer<Transaction>) -> Commit {
        closeTransaction(open)
        let isInTime: Bool
        var performs: [() -> Outcome] = []
        performs.reserveCapacity(open.pointee.writes.count)
        var isHeard = false
        // Whether a passer further out on this thread handles a part of the turn.
        var isFurtherOut = false
        var passes = Buffer<RegionPointer>()
        let changes = open.pointee.changes
        renewViewOfEffect()
        while true {
            // Comparing is foreign code: what another thread sets meanwhile is found by its version.
            var compared: [(isChange: Bool, version: UInt64)] = []
            compared.reserveCapacity(changes.count)
            for write in changes {
                compared.append(
                    write.node.pointee.content._withUnsafeGuaranteedRef { content in
                        write.box._withUnsafeGuaranteedRef { content.compare($0) }
                    })
            }
            let regions = enterAll(open, changes)
            defer { leaveAll(regions) }
            if !isUnchanged(open) {
                isInTime = false
                break
            }
            var isCompared = true
            for (index, write) in changes.enumerated()
            where !write.node.pointee.content._withUnsafeGuaranteedRef({ $0.isStill(compared[index].version) }) {
                isCompared = false
            }
            if !isCompared { continue }
            isInTime = true
            // Its own view need not be pinned by it.
            for index in 0..<open.pointee.view.pointee.links.count {
                let link = open.pointee.view.pointee.links[index]
                link.unlink()
                open.pointee.view.forget(link)
            }
            open.pointee.view.pointee.links.cut(to: 0)
            for region in regions { region.forgetWhatNoViewSees(self) }
            if !compared.contains(where: { $0.isChange }) { break }
            for region in regions { region.pinViews() }
            let now = epoch.load(ordering: .acquiring)
            for (index, write) in changes.enumerated() where compared[index].isChange {
                let region = Regions.root(write.node.region!)
                performs.append(
                    write.node.pointee.content._withUnsafeGuaranteedRef { content in
                        write.box._withUnsafeGuaranteedRef { box in
                            write.author._withUnsafeGuaranteedRef { author in
                                content.assign(box, author: author, region, now: now, after: &isHeard, self)
                            }
                        }
                    })
            }
            for region in regions {
                region.markCircles()
                let isPasser = region.pointee.passer == self
                if isPasser { isFurtherOut = true }
                if isPasser || region.wantsPasser(self) {
                    Regions.retain(region)
                    passes.append(region)
                }
            }
            break
        }
        end(open.pointee.view)
        var outcome = Outcome.sent
        for perform in performs {
            let one = callingHandlers(perform)
            if one != .sent { outcome = one }
        }
        if passes.count > 1 {
            for index in 0..<passes.count { postpone(passes[index]) }
            if !isFurtherOut, !pointee.isInEffect {
                pointee.turns &+= 1
                if handlePostponed(), outcome == .sent { outcome = .handlerFailed }
            }
        } else if passes.count == 1, !isFurtherOut, handleTurns(of: passes[0]), outcome == .sent {
            outcome = .handlerFailed
        }
        for index in 0..<passes.count { Regions.release(passes[index]) }
        passes.removeAll()
        free(open)
        return isInTime ? .done(outcome) : .conflict
    }

    /// Whether what it has read is unchanged. Its regions are entered.
    private func isUnchanged(_ open: UnsafeMutablePointer<Transaction>) -> Bool {
        if open.pointee.view.isLive { return true }
        // A derived variable is as it was if what it was computed from is: no function runs here.
        var waiting = Buffer<Transaction.Read>()
        defer { waiting.removeAll() }
        for index in 0..<open.pointee.reads.count { waiting.append(open.pointee.reads[index]) }
        var seen = PointerTable()
        while let read = waiting.popLast() {
            let node = read.node
            if node.pointee.version != read.seen { return false }
            if node.isSource || node.isClean(in: Regions.root(node.region!)) { continue }
            if !node.pointee.hasValue || node.pointee.isCircle { return false }
            let key = UnsafeMutableRawPointer(node)
            if seen.value(of: key) != nil { continue }
            seen.insert(key, 0)
            for index in 0..<Int(node.pointee.dependencyCount) {
                let dependency = node.pointee.dependencies.unsafelyUnwrapped[index]
                waiting.append(Transaction.Read(node: dependency.source, seen: dependency.seen))
            }
        }
        return true
    }

    /// What was computed for the view alone depends on what the function has read.
    func noteReads(of view: ViewPointer, from first: Int) {
        guard let open = pointee.transaction, open.pointee.view == view else { return }
        let run = pointee.frames[open.pointee.frame].run
        for index in first..<pointee.records.count {
            open.pointee.noteRead(pointee.records[index].source, pointee.records[index].seen, in: run)
        }
    }

    /// Enters all regions of what was set or read.
    private func enterAll(_ open: UnsafeMutablePointer<Transaction>, _ changes: [Transaction.Write]) -> [RegionPointer]
    {
        while true {
            var regions: [RegionPointer] = []
            regions.reserveCapacity(changes.count)
            var places = PointerTable()
            func add(_ region: UnsafeMutableRawPointer) {
                let root = Regions.root(region.assumingMemoryBound(to: Region.self))
                if root == regions.last || places.value(of: UnsafeMutableRawPointer(root)) != nil { return }
                places.insert(UnsafeMutableRawPointer(root), regions.count)
                regions.append(root)
            }
            for write in changes { add(UnsafeMutableRawPointer(write.node.region!)) }
            for index in 0..<open.pointee.reads.count {
                add(UnsafeMutableRawPointer(open.pointee.reads[index].node.region!))
            }
            for index in 0..<open.pointee.view.pointee.links.count {
                add(open.pointee.view.pointee.links[index].pointee.region.load(ordering: .acquiring)!)
            }
            acquireAll(regions)
            var isRight = true
            for region in regions where region.pointee.parent.load(ordering: .relaxed) != nil { isRight = false }
            for index in 0..<open.pointee.view.pointee.links.count {
                let region = open.pointee.view.pointee.links[index].pointee.region.load(ordering: .relaxed)!
                if places.value(of: region) == nil { isRight = false }
            }
            if isRight { return regions }
            leaveAll(regions)
        }
    }

    /// A bit for each of the locks that some regions have, which they share.
    private func locks(of regions: [RegionPointer]) -> UInt64 {
        var locks: UInt64 = 0
        for region in regions { locks |= 1 << UInt64(region.pointee.lockIndex) }
        return locks
    }

    /// Takes the locks in their order.
    private func acquireAll(_ regions: [RegionPointer]) {
        var locks = locks(of: regions)
        while locks != 0 {
            platform_region_lock_acquire(UInt32(locks.trailingZeroBitCount))
            locks &= locks &- 1
        }
        for region in regions { region.revoke(self) }
    }

    private func leaveAll(_ regions: [RegionPointer]) {
        var locks = locks(of: regions)
        while locks != 0 {
            platform_region_lock_release(UInt32(locks.trailingZeroBitCount))
            locks &= locks &- 1
        }
    }
}
