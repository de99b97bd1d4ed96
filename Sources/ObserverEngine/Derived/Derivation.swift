// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// What a function has made: a value, or the failure that is its value then (law 30).
public enum Derivation<Value> {
    case value(Value)
    case failure(DerivedFailure)
}

/// Why there is no value. A vocabulary has subclasses.
open class DerivedFailure {
    /// Whether a variable needs its own value.
    public let isCircle: Bool
    /// The names of the variables on the way there: "a -> b -> a". In memory of `malloc`; `nil` where there was none.
    public let circle: UnsafeMutablePointer<CChar>?

    public init() {
        isCircle = false
        circle = nil
    }

    /// - Parameter circle: is taken over.
    init(circle: UnsafeMutablePointer<CChar>?) {
        isCircle = true
        self.circle = circle
    }

    deinit { if let circle { platform_free(circle) } }

    /// Whether another one says the same: then nothing has changed. Runs without a lock.
    open func isSame(as other: DerivedFailure) -> Bool {
        guard let circle, let other = other.circle else { return isCircle && other.isCircle }
        return strcmp(circle, other) == 0
    }
}

/// A value in a box.
final class TypedBox<Value>: ValueBox {
    let content: Value

    init(_ content: Value) { self.content = content }
}

/// What is to be done with a result.
@usableFromInline
enum Publication {
    /// It is stored, as the region is entered.
    case stored
    /// Only the view has it.
    case privately
}

// What a function has read, and what becomes of its result.
extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Node {
    /// The function is about to run, in a view. The region is entered, if there is one, and left.
    ///
    /// - Returns: The view of what runs further out.
    @usableFromInline @inline(__always)
    func beginRun(_ tracker: TrackerPointer, _ view: ViewPointer, _ region: RegionPointer?) -> ViewPointer? {
        if let region {
            pointee.computing &+= 1
            Regions.leave(region, tracker)
        } else {
            pointee.firstRuns.add(1, ordering: .relaxed)
        }
        tracker.pushFrame(self)
        let outer = tracker.pointee.view
        tracker.pointee.view = view
        return outer
    }

    /// The function has returned. The one region of all that it has read is entered.
    @usableFromInline @inline(__always)
    func endRun(
        _ tracker: TrackerPointer, outer: ViewPointer?, isFirst: Bool
    ) -> (region: RegionPointer, frame: Frame) {
        tracker.pointee.view = outer
        let frame = tracker.popFrame()
        if isFirst { pointee.firstRuns.subtract(1, ordering: .relaxed) }
        let region = enterOneRegion(tracker, frame)
        if !isFirst { pointee.computing &-= 1 }
        pointee.runs &+= 1
        return (region, frame)
    }

    /// Enters the one region of a node and all that its function has read; makes it, if need be.
    @usableFromInline @inline(__always)
    func enterOneRegion(_ tracker: TrackerPointer, _ frame: Frame) -> RegionPointer {
        let records = tracker.pointee.records
        if self.region == nil { joinRegion(of: records.count > frame.first ? records[frame.first].source : nil) }
        var region = Regions.enter(self, tracker)
        var index = frame.first
        while index < records.count {
            let other = records[index].source.region!
            index += 1
            if other == region || Regions.root(other) == region { continue }
            Regions.leave(region, tracker)
            Regions.merge(self.region!, other, tracker)
            // What came before is in here, too.
            region = Regions.enter(self, tracker)
        }
        return region
    }

    /// Gives this the region of what it has read, or one of its own.
    @inline(never)
    private func joinRegion(of source: NodePointer?) {
        let region: RegionPointer
        if let source {
            region = Regions.root(source.region!)
            Regions.retain(region)
        } else {
            region = Regions.make()
        }
        let (isFirst, _) = pointee.regionPointer.compareExchange(
            expected: nil, desired: UnsafeMutableRawPointer(region), ordering: .acquiringAndReleasing)
        if !isFirst { Regions.release(region) }
    }

    /// Decides what becomes of a result, and notes what it depends on. The region is entered.
    @usableFromInline
    func publish(
        _ tracker: TrackerPointer, _ view: ViewPointer, _ region: RegionPointer, _ frame: Frame
    ) -> Publication {
        let count = tracker.pointee.records.count - frame.first
        let pin = view.pin
        let isNow = pin == View.live && !view.pointee.hasOverlay
        let at = isNow ? epoch.load(ordering: .acquiring) + 1 : pin
        // A clean one must not become suspect: what depends on it is clean, too, and would not be marked again.
        let isPrivate =
            pointee.isClosed || !isNow && (view.pointee.hasOverlay || at < pointee.resultAt || isClean(in: region))
        if isPrivate {
            tracker.noteReads(of: view, from: frame.first)
            forgetRecords(tracker, region, frame)
            return .privately
        }
        pointee.resultAt = at
        relink(tracker, region, from: frame.first, count: count, areClean: isNow)
        tracker.pointee.records.cut(to: frame.first)
        pointee.published &+= 1
        if frame.isCircle != pointee.isCircle { noteCircle(frame.isCircle, region) }
        if isNow {
            becomeClean(in: region)
        } else if pointee.isLive {
            pointee.isSuspect = true
        } else {
            pointee.checked = 0
        }
        return .stored
    }

    func forgetRecords(_ tracker: TrackerPointer, _ region: RegionPointer, _ frame: Frame) {
        for index in frame.first..<tracker.pointee.records.count {
            let record = tracker.pointee.records[index]
            if record.isKept { region.keepForViews(record.source.pointee.owner, tracker) }
        }
        tracker.pointee.records.cut(to: frame.first)
    }

    func noteCircle(_ isCircle: Bool, _ region: RegionPointer) {
        pointee.isCircle = isCircle
        if isCircle { return region.pointee.circles.append(self) }
        for index in 0..<region.pointee.circles.count where region.pointee.circles[index] == self {
            return region.pointee.circles.remove(at: index)
        }
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Tracker {
    /// What the innermost function has read is needed by itself, which is what that reads of it.
    @usableFromInline
    func noteFailure(inCircle node: NodePointer) -> DerivedFailure {
        let failure = DerivedFailure(circle: noteCircle(node))
        noteFailure(failure)
        return failure
    }

    /// A node that is being computed on this thread is needed by what it needs: notes who is on the way.
    ///
    /// - Returns: The names on the way, in memory of `malloc`.
    func noteCircle(_ node: NodePointer) -> UnsafeMutablePointer<CChar>? {
        var names = Text()
        var isOnTheWay = false
        for index in 0..<pointee.frames.count {
            let frame = pointee.frames[index]
            if frame.node == node { isOnTheWay = true }
            guard isOnTheWay else { continue }
            let inner = index + 1 < pointee.frames.count ? pointee.frames[index + 1] : nil
            if let running = frame.node {
                pointee.frames.base![index].isCircle = true
                names.append(name: running)
                names.append(" -> ")
            }
            // What is being settled needs the next one without running yet.
            for step in frame.step..<(inner?.step ?? pointee.steps.count) where pointee.steps[step].node != inner?.node
            {
                names.append(name: pointee.steps[step].node)
                names.append(" -> ")
            }
        }
        names.append(name: node)
        return names.take()
    }
}

/// A text that grows, in memory of `malloc`.
private struct Text {
    private var bytes = Buffer<CChar>()

    mutating func append(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { bytes.append(CChar(bitPattern: text.utf8Start[index])) }
    }

    mutating func append(name node: NodePointer) {
        guard let name = node.pointee.content._withUnsafeGuaranteedRef({ $0.copyName() }) else {
            return append("a derived variable without a name")
        }
        for index in 0..<strlen(name) { bytes.append(name[index]) }
        platform_free(name)
    }

    mutating func take() -> UnsafeMutablePointer<CChar>? {
        bytes.append(0)
        defer { bytes.removeAll() }
        return bytes.base.flatMap { strdup($0) }
    }
}
