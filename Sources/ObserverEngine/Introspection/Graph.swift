// SPDX-License-Identifier: MIT

import CPlatform

/// Observables, and everything that gets the messages they send.
///
/// Each observable is looked at in a moment of its own: the picture is of several moments.
public struct Graph {
    public struct Edge {
        /// The index of the observable.
        public let source: Int
        /// The index of what it feeds; `nil` where a handler is the end.
        public internal(set) var target: Int?
        public let observation: ObservationID
        public let name: CopiedName?
        let downstream: AnyCore?
        /// An object that the observation serves, in the ordinary Swift runtime.
        public let served: AnyObject?
    }

    public private(set) var nodes: [AnyCore] = []
    public private(set) var edges: [Edge] = []
    private var indices = PointerTable()

    public init() {}

    /// Everything that one core's messages reach.
    public init(of core: AnyCore) {
        add(root: core)
        walk()
    }

    /// Adds an observable from which to walk.
    ///
    /// - Returns: Whether it is new.
    @discardableResult
    public mutating func add(root: AnyCore) -> Bool {
        let count = nodes.count
        return add(root) == count
    }

    /// Follows all observations, those of what is found on the way among them.
    public mutating func walk() {
        var index = 0
        while index < nodes.count {
            let first = edges.count
            nodes[index].appendEdges(from: index, to: &edges)
            for edge in first..<edges.count {
                if let downstream = edges[edge].downstream { edges[edge].target = add(downstream) }
            }
            if nodes[index].isGraphed { appendDependencies(from: index) }
            index += 1
        }
    }

    @inline(never)
    private mutating func appendDependencies(from index: Int) {
        for dependent in nodes[index].dependents {
            let target = add(dependent)
            // An effect is no variable, and is not asked what it has read.
            if !dependent.isGraphed { appendDependency(of: target, on: index) }
        }
        for source in nodes[index].dependencies { appendDependency(of: index, on: add(source)) }
    }

    /// What has been read last feeds what has read it.
    private mutating func appendDependency(of target: Int, on source: Int) {
        edges.append(
            Edge(
                source: source, target: target, observation: ObservationID(rawValue: 0), name: nil, downstream: nil,
                served: nil))
    }

    public func contains(_ core: AnyCore) -> Bool {
        indices.value(of: Unmanaged.passUnretained(core).toOpaque()) != nil
    }

    @discardableResult
    private mutating func add(_ core: AnyCore) -> Int {
        let pointer = Unmanaged.passUnretained(core).toOpaque()
        if let index = indices.value(of: pointer) { return index }
        nodes.append(core)
        indices.insert(pointer, nodes.count - 1)
        return nodes.count - 1
    }
}

extension AnyCore {
    /// Appends one edge for each living observation, in their order.
    fileprivate final func appendEdges(from index: Int, to edges: inout [Graph.Edge]) {
        var found: [Graph.Edge] = []
        forEachSlot { slot in
            let details = slot.pointee.details
            let downstream = details?.pointee.downstream?.takeUnretainedValue()
            if isSame(downstream, self) { return }
            // Behind a queue, the observation that users know is the one that this one goes on in.
            let continuation = downstream == nil ? slot.pointee.continuation : 0
            var served: AnyObject?
            #if !hasFeature(Embedded)
                served = details?.pointee.served.flatMap(platform_try_retain).map {
                    Unmanaged.fromOpaque($0).takeRetainedValue()
                }
            #endif
            found.append(
                Graph.Edge(
                    source: index, target: nil,
                    observation: ObservationID(rawValue: continuation != 0 ? continuation : slot.pointee.id),
                    name: CopiedName.adopting(details?.pointee.name.flatMap { strdup($0) }), downstream: downstream,
                    served: served))
        }
        edges += found
    }
}

/// A name that is freed with this.
public final class CopiedName {
    public let text: UnsafeMutablePointer<CChar>

    private init(_ text: UnsafeMutablePointer<CChar>) { self.text = text }

    // Not an initializer that fails: Embedded Swift leaks the object then.
    /// - Parameter text: in memory of `malloc`; `nil` without a name or without memory.
    public static func adopting(_ text: UnsafeMutablePointer<CChar>?) -> CopiedName? { text.map { CopiedName($0) } }

    deinit { platform_free(text) }
}
