// SPDX-License-Identifier: MIT

// What is live is told of changes. The region is entered; worklists without recursion.

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Node {
    /// Tells all that depends on this and is live, near ones first, that it may have changed.
    @inline(__always)
    func mark(in region: RegionPointer) {
        if pointee.outCount != 0 { markAll(region) }
    }

    @inline(never)
    private func markAll(_ region: RegionPointer) {
        var last = self
        pointee.nextMarked = nil
        var next: NodePointer? = self
        while let node = next {
            let outs = node.pointee.outs.unsafelyUnwrapped
            for index in 0..<Int(node.pointee.outCount) {
                let target = outs[index].target
                if target.pointee.isSuspect { continue }
                target.suspect(in: region)
                if target.pointee.outCount == 0 { continue }
                target.pointee.nextMarked = nil
                last.pointee.nextMarked = target
                last = target
            }
            next = node.pointee.nextMarked
        }
    }

    @inline(__always)
    private func suspect(in region: RegionPointer) {
        pointee.isSuspect = true
        if pointee.isObserved, !pointee.isPending { enqueue(in: region) }
    }

    /// Puts this into the queue of turns.
    func enqueue(in region: RegionPointer) {
        pointee.isPending = true
        pointee.isQueued = true
        if pointee.kind == .effect { region.pointee.effects.append(self) } else { region.pointee.pending.append(self) }
    }

    func addOut(_ index: Int) {
        let dependency = pointee.dependencies.unsafelyUnwrapped + index
        let source = dependency.pointee.source
        if source.pointee.outCount == source.pointee.outRoom {
            let room = source.pointee.outRoom == 0 ? 2 : source.pointee.outRoom * 2
            let outs = UnsafeMutablePointer<Out>.allocate(capacity: Int(room))
            if let before = source.pointee.outs {
                outs.moveInitialize(from: before, count: Int(source.pointee.outCount))
                UnsafeMutableRawPointer(before).deallocate()
            }
            source.pointee.outs = outs
            source.pointee.outRoom = room
        }
        dependency.pointee.slot = source.pointee.outCount
        source.pointee.outs![Int(source.pointee.outCount)] = Out(target: self, dependency: UInt32(index))
        source.pointee.outCount += 1
    }

    func removeOut(_ dependency: UnsafeMutablePointer<Dependency>) {
        let source = dependency.pointee.source
        source.pointee.outCount -= 1
        let outs = source.pointee.outs!
        let last = outs[Int(source.pointee.outCount)]
        if dependency.pointee.slot != source.pointee.outCount {
            outs[Int(dependency.pointee.slot)] = last
            last.target.pointee.dependencies![Int(last.dependency)].slot = dependency.pointee.slot
        }
        if source.pointee.outCount == 0, source.pointee.outRoom > 8 {
            UnsafeMutableRawPointer(outs).deallocate()
            source.pointee.outs = nil
            source.pointee.outRoom = 0
        }
    }

    /// From now on commits mark this and what it depends on.
    func makeLive(_ tracker: TrackerPointer, _ region: RegionPointer) {
        let base = tracker.pointee.steps.count
        tracker.pushStep(self)
        while tracker.pointee.steps.count > base {
            let node = tracker.pointee.steps.popLast().unsafelyUnwrapped.node
            if node.pointee.isLive || node.isSource { continue }
            let isClean = node.isClean(in: region)
            node.pointee.isLive = true
            node.pointee.isSuspect = !isClean
            for index in 0..<Int(node.pointee.dependencyCount) {
                node.addOut(index)
                let source = node.pointee.dependencies![index].source
                // What a clean one depends on is clean, whatever a merge has done to the clock.
                if isClean, !source.pointee.isLive { source.pointee.checked = region.pointee.clock }
                if !source.isSource { tracker.pushStep(source) }
            }
        }
    }

    /// What nothing observes any more, directly or through others, is not told of changes.
    func makeUnlive(_ tracker: TrackerPointer, _ region: RegionPointer) {
        let base = tracker.pointee.steps.count
        tracker.pushStep(self)
        while tracker.pointee.steps.count > base {
            let node = tracker.pointee.steps.popLast().unsafelyUnwrapped.node
            if !node.pointee.isLive || node.pointee.isObserved || node.pointee.outCount != 0 { continue }
            node.pointee.isLive = false
            node.pointee.checked = node.pointee.isSuspect ? 0 : region.pointee.clock
            for index in 0..<Int(node.pointee.dependencyCount) {
                let dependency = node.pointee.dependencies! + index
                node.removeOut(dependency)
                if !dependency.pointee.source.isSource { tracker.pushStep(dependency.pointee.source) }
            }
        }
    }

    /// Replaces what this depends on by what a run has read. The records' owners go over to this.
    ///
    /// - Parameter areClean: whether all of it is still as it was read.
    @inline(__always)
    func relink(_ tracker: TrackerPointer, _ region: RegionPointer, from first: Int, count: Int, areClean: Bool) {
        let records = tracker.pointee.records.base.map { $0 + first }
        let before = Int(pointee.dependencyCount)
        var same = 0
        while same < before, same < count, pointee.dependencies![same].source == records.unsafelyUnwrapped[same].source
        {
            if records.unsafelyUnwrapped[same].isKept {
                region.keepForViews(records.unsafelyUnwrapped[same].source.pointee.owner, tracker)
            }
            records.unsafelyUnwrapped[same].isKept = false
            pointee.dependencies![same].seen = records.unsafelyUnwrapped[same].seen
            same += 1
        }
        if same == before, same == count { return }
        relinkRest(tracker, region, from: first, count: count, same: same, areClean: areClean)
    }

    /// The same from where they differ.
    @inline(never)
    private func relinkRest(
        _ tracker: TrackerPointer, _ region: RegionPointer, from first: Int, count: Int, same: Int, areClean: Bool
    ) {
        let records = tracker.pointee.records.base.map { $0 + first }
        let before = Int(pointee.dependencyCount)
        // What it still depends on is made live before the others are made not to be.
        for index in same..<count where !records.unsafelyUnwrapped[index].isKept {
            records.unsafelyUnwrapped[index].source.retainOwner()
        }
        let gone = UnsafeMutablePointer<Dependency>.allocate(capacity: before - same + 1)
        for index in same..<before {
            if pointee.isLive { removeOut(pointee.dependencies! + index) }
            gone[index - same] = pointee.dependencies![index]
        }
        if count > Int(pointee.dependencyRoom) {
            let wider = UnsafeMutablePointer<Dependency>.allocate(capacity: count)
            if let old = pointee.dependencies { wider.moveInitialize(from: old, count: same) }
            freeDependencies()
            pointee.dependencies = wider
            pointee.dependencyRoom = UInt32(count)
        }
        pointee.dependencyCount = UInt32(count)
        for index in same..<count {
            (pointee.dependencies! + index).initialize(
                to: Dependency(
                    source: records.unsafelyUnwrapped[index].source, seen: records.unsafelyUnwrapped[index].seen,
                    slot: 0))
            guard pointee.isLive else { continue }
            addOut(index)
            let source = records.unsafelyUnwrapped[index].source
            // A merge may have changed the clock since: one that is suspect would not be marked, nor what depends on it.
            if areClean, !source.pointee.isLive { source.pointee.checked = region.pointee.clock }
            source.makeLive(tracker, region)
        }
        for index in 0..<(before - same) {
            let source = gone[index].source
            if pointee.isLive, !source.isSource { source.makeUnlive(tracker, region) }
            region.keepForViews(source.pointee.owner, tracker)
        }
        UnsafeMutableRawPointer(gone).deallocate()
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Tracker {
    @inline(__always)
    func pushStep(_ node: NodePointer) {
        pointee.steps.append(SettlingStep(node: node, at: 0, published: node.pointee.published))
    }
}
