// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// Runs a function once, and again after each turn in which something that it has read has changed (law 34).
///
/// Its core has one observation, which is the effect for those who stop it: each run is a message to its handler, which calls
/// `run()`.
public final class Effect<Handler: MessageHandler>: NodeContent {
    /// Runs the function.
    ///
    /// - Returns: Whether it has not failed.
    public typealias Function = () -> Bool

    private let node = NodePointer.make(.effect, before: MemoryLayout<Int>.self)
    private let body: UnsafeMutablePointer<EffectBody<Handler>>
    // The turn that has caused it last, and how often in a row. The region guards them.
    @exclusivity(unchecked) private var turn: UInt64 = 0
    @exclusivity(unchecked) private var inARow: UInt32 = 0

    /// - Parameters:
    ///   - core: has no observations but the effect's.
    ///   - message: what makes the handler call `run()`. It ends the run that it is made of when it ends itself.
    public init(
        core: Core<Handler>, message: @escaping (DueRun) -> Handler.Stored, author: Handler.Author,
        function: @escaping Function
    ) {
        body = .allocate(capacity: 1)
        body.initialize(to: EffectBody(core: core, message: message, author: author, function: function))
        super.init()
        node.begin(.effect, self)
        node.pointee.reader = effectsBegun.wrappingAdd(1, ordering: .relaxed).newValue
        node.pointee.regionPointer.store(UnsafeMutableRawPointer(Regions.make()), ordering: .relaxed)
        node.pointee.isLive = true
        node.pointee.isObserved = true
        node.pointee.hasValue = true
    }

    deinit {
        node.free()
        body.deinitialize(count: 1)
        body.deallocate()
    }

    override var observable: AnyCore? { node.pointee.isClosed ? nil : body.pointee.core }

    override func copyName() -> UnsafeMutablePointer<CChar>? { body.pointee.core.copyName() }

    override func boxed() -> ValueBox { ValueBox() }

    /// The effect has been stopped, and lets go of what it depends on.
    public func close() {
        let tracker = TrackerPointer.here
        node.close(tracker)
        tracker.releaseAll()
    }

    /// Runs the function, and notes what it depends on from now on. Where that runs first, begins.
    ///
    /// - Returns: Whether it has not failed.
    @discardableResult
    public func run() -> Bool {
        let tracker = TrackerPointer.here
        var region = Regions.enter(node, tracker)
        if node.pointee.isClosed {
            Regions.leave(region, tracker)
            return true
        }
        node.pointee.isSuspect = false
        node.pointee.runs &+= 1
        Regions.leave(region, tracker)
        let outer = tracker.pointee.view, transaction = tracker.pointee.transaction
        let wasInEffect = tracker.pointee.isInEffect
        let view = tracker.takeView()
        tracker.pointee.view = view
        tracker.pointee.transaction = nil
        tracker.pointee.isInEffect = true
        tracker.pushFrame(node, sets: true)
        platform_probe_compute_begin(body.pointee.core.address)
        let isDone = body.pointee.function()
        platform_probe_compute_end(body.pointee.core.address)
        while Transactions.isOpen { tracker.dropTransaction() }
        let frame = tracker.popFrame()
        tracker.pointee.isInEffect = wasInEffect
        tracker.pointee.view = outer
        tracker.pointee.transaction = transaction
        region = node.enterOneRegion(tracker, frame)
        if node.pointee.isClosed {
            node.forgetRecords(tracker, region, frame)
        } else {
            let count = tracker.pointee.records.count - frame.first
            node.relink(tracker, region, from: frame.first, count: count, areClean: false)
            tracker.pointee.records.cut(to: frame.first)
            node.pointee.published &+= 1
            if !node.pointee.isSuspect, hasChanged(node, region) {
                node.pointee.isSuspect = true
                if !node.pointee.isPending { node.enqueue(in: region) }
            } else if node.pointee.isSuspect, !node.pointee.isPending {
                node.enqueue(in: region)
            }
        }
        let passes = region.wantsPasser(tracker)
        Regions.leave(region, tracker)
        tracker.end(view)
        if passes { _ = tracker.handleTurns(of: region) }
        if !wasInEffect { _ = tracker.handlePostponed() }
        return isDone
    }

    /// Whether something may have changed since this has read it. The region is entered.
    private func hasChanged(_ node: NodePointer, _ region: RegionPointer) -> Bool {
        for index in 0..<Int(node.pointee.dependencyCount) {
            let dependency = node.pointee.dependencies![index]
            if !dependency.source.isClean(in: region) || dependency.source.pointee.version != dependency.seen {
                return true
            }
        }
        return false
    }

    override func runIfChanged(_ tracker: TrackerPointer) -> Bool {
        var region = Regions.enter(node, tracker)
        guard !node.pointee.isClosed, node.pointee.isSuspect else {
            Regions.leave(region, tracker)
            return false
        }
        let runs = node.pointee.runs, published = node.pointee.published
        let view = tracker.takeView()
        view.link(to: region)
        if !lookAtSources(tracker, view, &region, resting: false) {
            if countAsRead(view, region, since: runs, published), !node.pointee.isPending, !node.pointee.isClosed {
                node.enqueue(in: region)
            }
            Regions.leave(region, tracker)
            tracker.end(view)
            return false
        }
        let isTooOften = countRun(node, region)
        Regions.leave(region, tracker)
        tracker.end(view)
        if isTooOften {
            while rest(tracker, runs) {}
            return true
        }
        let body = body, core = body.pointee.core, run = DueRun(of: self, runs)
        func send() -> Outcome { core.send(stored: body.pointee.message(run), author: body.pointee.author) }
        let outcome = core.isTraced ? core.becauseOfLatest(of: node.sources, send) : send()
        return outcome != .sent
    }

    /// A run that was asked for has been lost: rests until another change comes. Nothing is entered.
    public func rest() { rest(ifNotRunSince: nil) }

    override func rest(ifNotRunSince runs: UInt32?) {
        let tracker = TrackerPointer.here
        let outer = tracker.pointee.view, transaction = tracker.pointee.transaction
        tracker.pointee.view = nil
        tracker.pointee.transaction = nil
        while rest(tracker, runs) {}
        tracker.pointee.view = outer
        tracker.pointee.transaction = transaction
    }

    /// It causes itself without end, or its run is lost: what there is now counts as read. Nothing is entered.
    ///
    /// - Returns: Whether something has been changed meanwhile: then it has to rest again.
    private func rest(_ tracker: TrackerPointer, _ runs: UInt32?) -> Bool {
        var region = Regions.enter(node, tracker)
        let now = node.pointee.runs, published = node.pointee.published
        guard !node.pointee.isClosed, node.pointee.isSuspect, now == runs ?? now else {
            Regions.leave(region, tracker)
            return false
        }
        let view = tracker.takeView()
        view.link(to: region)
        _ = lookAtSources(tracker, view, &region, resting: true)
        let again = countAsRead(view, region, since: now, published)
        Regions.leave(region, tracker)
        tracker.end(view)
        return again
    }

    /// It is suspect no more, unless something has been changed since it was looked at. A run that has begun or ended meanwhile
    /// knows better. The region is entered.
    ///
    /// - Returns: Whether it has to be looked at again.
    private func countAsRead(
        _ view: ViewPointer, _ region: RegionPointer, since runs: UInt32, _ published: UInt32
    ) -> Bool {
        guard node.pointee.runs == runs, node.pointee.published == published else { return false }
        node.pointee.isSuspect = !view.isLive
        return node.pointee.isSuspect
    }

    /// Settles what this has read: what is suspect would tell of no other change. The region is entered, and may be another
    /// one afterwards.
    ///
    /// - Parameter resting: whether the present versions count as those that it has read.
    /// - Returns: Whether one has changed: then it was the last that was looked at, unless this rests.
    private func lookAtSources(
        _ tracker: TrackerPointer, _ view: ViewPointer, _ region: inout RegionPointer, resting: Bool
    ) -> Bool {
        let published = node.pointee.published
        var index = 0
        while !node.pointee.isClosed, node.pointee.published == published, index < Int(node.pointee.dependencyCount) {
            let dependency = node.pointee.dependencies! + index
            guard let version = tracker.known(dependency.pointee.source, view, region).version else {
                tracker.settle(dependency.pointee.source, view, &region)
                continue
            }
            if resting {
                dependency.pointee.seen = version
            } else if version != dependency.pointee.seen {
                return true
            }
            index += 1
        }
        return false
    }

    /// Counts the runs in a row of which other threads cause none.
    private func countRun(_ node: NodePointer, _ region: RegionPointer) -> Bool {
        let turn = TrackerPointer.here.pointee.turns &+ region.pointee.interruptions
        if self.turn != turn {
            self.turn = turn
            inARow = 0
        }
        inARow += 1
        return inARow > 100
    }
}

/// A run of an effect that a message has asked for.
public struct DueRun {
    private let effect: Unmanaged<NodeContent>
    /// How often the effect had run by then.
    private let runs: UInt32

    fileprivate init(of effect: NodeContent, _ runs: UInt32) {
        self.effect = .passRetained(effect)
        self.runs = runs
    }

    /// The message has ended. If it was lost, so that the effect has not run, the effect rests until another change comes. Once
    /// only, and nothing is entered.
    public func end() {
        effect._withUnsafeGuaranteedRef { $0.rest(ifNotRunSince: runs) }
        effect.release()
    }
}

/// What an effect has, in one block of memory.
private struct EffectBody<Handler: MessageHandler> {
    let core: Core<Handler>
    let message: (DueRun) -> Handler.Stored
    let author: Handler.Author
    let function: () -> Bool

    init(
        core: Core<Handler>, message: @escaping (DueRun) -> Handler.Stored, author: Handler.Author,
        function: @escaping () -> Bool
    ) {
        self.core = core
        self.message = message
        self.author = author
        self.function = function
    }
}

private let effectsBegun = Atomic<UInt64>(0)

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Tracker {
    /// An effect that sets something reads of the moment after that from then on. Nothing is entered.
    @inline(__always)
    @usableFromInline
    func renewViewOfEffect() {
        if pointee.view != nil, pointee.isInEffect { renewView() }
    }

    @inline(never)
    private func renewView() {
        guard let view = pointee.view else { return }
        view.end(self)
        view.begin()
    }
}
