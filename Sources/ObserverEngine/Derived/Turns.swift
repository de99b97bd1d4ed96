// SPDX-License-Identifier: MIT

import CPlatform

// One thread at a time is the *passer* of a region: it handles turns, as an owner delivers for a core. Others leave their marks
// and go. So the updates of a region have one order (law 32).
//
// A turn has steps: first all values, then the updates, then the effects.

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Region {
    /// Whether this thread has to handle turns now: then it is the passer. The region is entered.
    func wantsPasser(_ tracker: TrackerPointer) -> Bool {
        if pointee.passer != nil || pointee.pending.isEmpty && pointee.effects.isEmpty { return false }
        if pointee.waiting > 0 { return false }
        pointee.passer = tracker
        return true
    }
}

extension Core {
    /// Where an update waits for a delivery in progress, turns wait for it: what comes next in them comes after it (law 34).
    /// Unless another thread handles them. The region is entered, and the lock is held.
    @inlinable @inline(__always)
    func letTurnsWait(for node: NodePointer, in region: RegionPointer, _ tracker: TrackerPointer) {
        if state.load() & CoreState.owned != 0 { letTurnsWaitHere(node, region, tracker) }
    }

    @usableFromInline @inline(never)
    func letTurnsWaitHere(_ node: NodePointer, _ region: RegionPointer, _ tracker: TrackerPointer) {
        guard node.pointee.kind == .derived || node.pointee.outCount > 0 else { return }
        if let passer = region.pointee.passer, passer != tracker { return }
        let action: Barrier = { [core = Unmanaged.passUnretained(self)] in
            // The core outlives what waits in it.
            if region.endWaiting() { core._withUnsafeGuaranteedRef { $0.reportFailure() } }
        }
        guard leaveToOwner(action) else { return }
        Regions.retain(region)
        region.pointee.waiting += 1
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Region {
    /// An update has been delivered that turns have waited for: the last one lets this thread handle them.
    ///
    /// - Returns: Whether something failed.
    fileprivate func endWaiting() -> Bool {
        let tracker = TrackerPointer.here
        let entered = Regions.enter(self, tracker)
        entered.pointee.waiting -= 1
        let passes = entered.wantsPasser(tracker)
        Regions.leave(entered, tracker)
        defer { Regions.release(self) }
        return passes && tracker.handleTurns(of: self)
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Tracker {
    /// Handles turns as the passer of a region, until there are none. Nothing is entered.
    ///
    /// - Returns: Whether something failed.
    @usableFromInline @inline(never)
    func handleTurns(of region: RegionPointer, causedByEffect isCaused: Bool = false) -> Bool {
        if pointee.isInEffect {
            // What an effect sets is handled when it has returned.
            postpone(region)
            return false
        }
        if !isCaused { pointee.turns &+= 1 }
        let outer = (view: pointee.view, transaction: pointee.transaction)
        pointee.view = nil
        pointee.transaction = nil
        Regions.retain(region)
        var hasFailed = false
        while true {
            if pointee.postponed.count > 0 {
                postpone(region)
                if handlePostponed() { hasFailed = true }
                break
            }
            let entered = Regions.enter(region, self)
            guard isPasser(entered) else {
                Regions.leave(entered, self)
                break
            }
            if !entered.pointee.pending.isEmpty {
                if handlePending(entered) { hasFailed = true }
                // One that a handler has left open.
                if pointee.transaction != nil { dropTransaction() }
            } else if let effect = entered.pointee.effects.popFirst() {
                if run(effect, entered) { hasFailed = true }
            } else {
                entered.pointee.passer = nil
                Regions.leave(entered, self)
                break
            }
        }
        Regions.release(region)
        pointee.view = outer.view
        pointee.transaction = outer.transaction
        releaseAll()
        return hasFailed
    }

    /// Whether this thread is the passer, or becomes it. The region is entered.
    @inline(__always)
    private func isPasser(_ entered: RegionPointer) -> Bool {
        // A merge may have made another one the passer.
        guard entered.pointee.passer == self || entered.wantsPasser(self) else { return false }
        if entered.pointee.waiting == 0 { return true }
        entered.pointee.passer = nil
        return false
    }

    /// Runs an effect that was due. The region is entered, and left.
    @inline(__always)
    private func run(_ effect: NodePointer, _ entered: RegionPointer) -> Bool {
        effect.pointee.isPending = false
        if isLetGo(effect) {
            Regions.leave(entered, self)
            return false
        }
        let content = effect.pointee.content.retain()
        Regions.leave(entered, self)
        pointee.isInEffect = true
        var hasFailed = content._withUnsafeGuaranteedRef { $0.runIfChanged(self) }
        pointee.isInEffect = false
        content.release()
        if handlePostponed() { hasFailed = true }
        return hasFailed
    }

    /// Leaves the turns of a region to a passer further out, on this thread.
    func postpone(_ region: RegionPointer) {
        Regions.retain(region)
        pointee.postponed.append(region)
    }

    func handlePostponed() -> Bool {
        var hasFailed = false
        while pointee.postponed.count > 0 {
            if pointee.postponed.count > 1 { return handleAllPostponed() || hasFailed }
            let region = pointee.postponed.popLast().unsafelyUnwrapped
            if handleTurns(of: region, causedByEffect: true) { hasFailed = true }
            Regions.release(region)
        }
        return hasFailed
    }

    /// Handles the turns of several regions. One transaction may have set something in each: then the updates of all come
    /// before the effects, and these in the order in which they were begun (law 34).
    @inline(never)
    private func handleAllPostponed() -> Bool {
        let outer = (view: pointee.view, transaction: pointee.transaction)
        pointee.view = nil
        pointee.transaction = nil
        var regions = Buffer<RegionPointer>()
        var hasFailed = false
        repeat {
            for index in 0..<pointee.postponed.count {
                let region = pointee.postponed[index]
                if regions.contains(region) { Regions.release(region) } else { regions.append(region) }
            }
            pointee.postponed.cut(to: 0)
        } while handleStep(regions, &hasFailed)
        while let region = regions.popLast() { Regions.release(region) }
        regions.removeAll()
        pointee.view = outer.view
        pointee.transaction = outer.transaction
        releaseAll()
        return hasFailed
    }

    /// - Returns: False if there is nothing left: then this thread is the passer of none.
    private func handleStep(_ regions: borrowing Buffer<RegionPointer>, _ hasFailed: inout Bool) -> Bool {
        var hasSent = false
        var first: (region: RegionPointer, number: UInt64)?
        for index in 0..<regions.count {
            let entered = Regions.enter(regions[index], self)
            if !isPasser(entered) {
                Regions.leave(entered, self)
            } else if !entered.pointee.pending.isEmpty {
                hasSent = true
                if handlePending(entered) { hasFailed = true }
                if pointee.transaction != nil { dropTransaction() }
            } else {
                if let number = entered.pointee.effects.firstNumber, number < first?.number ?? .max {
                    first = (regions[index], number)
                }
                Regions.leave(entered, self)
            }
        }
        if hasSent || pointee.postponed.count > 0 { return true }
        guard let first else { return !endPassing(regions) }
        let entered = Regions.enter(first.region, self)
        if isPasser(entered), entered.pointee.pending.isEmpty, let effect = entered.pointee.effects.popFirst() {
            if run(effect, entered) { hasFailed = true }
        } else {
            Regions.leave(entered, self)
        }
        return true
    }

    /// - Returns: False if one has something to do again.
    private func endPassing(_ regions: borrowing Buffer<RegionPointer>) -> Bool {
        var isOver = true
        for index in 0..<regions.count {
            let entered = Regions.enter(regions[index], self)
            if entered.pointee.passer == self {
                if entered.pointee.pending.isEmpty && entered.pointee.effects.isEmpty {
                    entered.pointee.passer = nil
                } else {
                    isOver = false
                }
            }
            Regions.leave(entered, self)
        }
        return isOver
    }

    /// Computes what is pending, and sends the updates. The region is entered, and left.
    private func handlePending(_ entered: RegionPointer) -> Bool {
        var region = entered
        var due = NodeQueue()
        let view = takeView()
        view.link(to: region)
        platform_probe_turn_begin(region)
        defer { platform_probe_turn_end(region) }
        beginToLook()
        while let node = region.pointee.pending.popFirst() {
            if isLetGo(node) || !node.pointee.isObserved {
                node.pointee.isPending = false
                continue
            }
            // It stays pending while it is due, and lives on. Its observable, which lives now, keeps it.
            node.pointee.content._withUnsafeGuaranteedRef { $0.retainObservable() }
            if node.pointee.isSuspect { settle(node, view, &region) }
            due.append(node)
            // The rest sees a later moment.
            if !view.isLive { break }
        }
        Regions.leave(region, self)
        endLook()
        end(view)
        var hasFailed = false
        while let node = due.popFirst() {
            let content = node.pointee.content
            let (again, isSent) = node.sendUpdate(self)
            if !isSent { hasFailed = true }
            node.pointee.isPending = false
            // A commit has overlapped, or a handler has set something.
            let isDue = node.pointee.isSuspect || node.pointee.sentVersion != node.pointee.version
            if isDue, !node.pointee.isDelivering, node.pointee.isObserved, !node.pointee.isClosed {
                node.enqueue(in: again)
            }
            Regions.leave(again, self)
            content._withUnsafeGuaranteedRef { $0.releaseObservable() }
        }
        return hasFailed
    }

    /// Whether a node has been closed while it was in a queue, which it has just left: the queue has kept it.
    @inline(__always)
    private func isLetGo(_ node: NodePointer) -> Bool {
        node.pointee.isQueued = false
        if !node.pointee.isClosed { return false }
        pointee.releases.append(node.pointee.content)
        return true
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Node {
    /// The observable is dead: lets go of what it depends on. Nothing is entered.
    func close(_ tracker: TrackerPointer) {
        guard let region else { return }
        let entered = Regions.enter(region, tracker)
        pointee.isClosed = true
        pointee.isObserved = false
        makeUnlive(tracker, entered)
        // Who takes it out of the queue finds that it is closed.
        if pointee.isQueued { _ = pointee.content.retain() }
        if pointee.isCircle { noteCircle(false, entered) }
        for index in 0..<Int(pointee.dependencyCount) {
            entered.keepForViews(pointee.dependencies![index].source.pointee.owner, tracker)
        }
        pointee.dependencyCount = 0
        if entered.pointee.views != nil { entered.keepForViews(pointee.content.retain(), tracker) }
        Regions.leave(entered, tracker)
    }
}
