// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_graph_walk")
public func swo_graph_walk(
    _ observables: UnsafePointer<OpaquePointer?>?, _ count: Int, _ visitor: UnsafePointer<swo_graph_visitor>?,
    _ context: UnsafeMutableRawPointer?
) -> swo_status {
    guard let visitor, visitor.pointee.size >= MemoryLayout<swo_graph_visitor>.size,
        let graph = Graph.of(observables, count)
    else { return SWO_INVALID_ARGUMENT }
    for (index, node) in graph.nodes.enumerated() {
        visitor.pointee.observable?(context, index, text(node.kind), node.name?.text)
    }
    for edge in graph.edges {
        visitor.pointee.observation?(context, edge.source, edge.target, edge.id.rawValue, edge.name?.text)
    }
    return SWO_OK
}

/// Observables, everything they are made from, and everything that observes them or what is made from them.
final class Graph {
    final class Node {
        let core: Core<CHandler>
        let kind: StaticString
        let name: Name?

        init(_ core: Core<CHandler>, _ kind: StaticString) {
            self.core = core
            self.kind = kind
            name = Name.owning(core.copyName())
        }
    }

    final class Edge {
        let source: Int
        let id: ObservationID
        /// Where the observation leads, if it is not the end.
        let leading: Leading
        var target = -1

        init(_ source: Int, _ id: ObservationID, _ leading: Leading) {
            self.source = source
            self.id = id
            self.leading = leading
        }

        var name: Name? { leading.name }
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []

    /// `nil` if there is no observable where one must be.
    static func of(_ observables: UnsafePointer<OpaquePointer?>?, _ count: Int) -> Graph? {
        guard let observables, count > 0 else { return nil }
        for index in 0..<count where observables[index] == nil { return nil }
        return Graph(observables, count)
    }

    private init(_ observables: UnsafePointer<OpaquePointer?>, _ count: Int) {
        var pending: [ObservableHandle] = []
        for index in 0..<count { pending.append(handle(observables[index]!)) }
        var index = 0
        while index < pending.count {
            let one = pending[index]
            if self.index(of: one.core) == nil {
                nodes.append(Node(one.core, one.kind))
                if let origin = one.origin { pending += origin.keptSources }
            }
            index += 1
        }
        walk()
    }

    /// Only what gets the messages that one core sends, by way of transforms.
    init(sentBy core: Core<CHandler>) {
        nodes.append(Node(core, ""))
        walk()
    }

    func contains(_ core: Core<CHandler>) -> Bool { index(of: core) != nil }

    @inline(never)
    private func walk() {
        var index = 0
        while index < nodes.count {
            walk(index)
            index += 1
        }
    }

    private func walk(_ source: Int) {
        let first = edges.count
        nodes[source].core.forEachObservation { id, handler in
            if let leading = handler.leading { edges.append(Edge(source, leading.id ?? id, leading)) }
        }
        // Without the lock, for nodes have locks of their own.
        for edge in edges[first...] {
            guard let core = edge.leading.target else { continue }
            if index(of: core) == nil { nodes.append(Node(core, edge.leading.kind)) }
            edge.target = index(of: core)!
        }
    }

    @inline(never)
    private func index(of core: Core<CHandler>) -> Int? { nodes.firstIndex { $0.core === core } }
}

/// What is known of a handler: what it sends to, or what its user calls it.
struct Leading {
    var target: Core<CHandler>?
    /// The observation, where it is not the observable's own that is named.
    var id: ObservationID?
    var kind: StaticString = ""
    var name: Name?
}

extension CHandler {
    /// `nil` if this is nobody's observation. Takes no lock.
    @inline(never)
    var leading: Leading? {
        let function = address(of: self.function)
        if function == address(of: Memory.receive) { return nil }
        if function == address(of: Relay.receive) { return context(Relay.self) { $0.leading } }
        if function == address(of: PartIntake.receive) { return context(PartIntake.self) { $0.leading } }
        if function == address(of: Courier.receive) || function == address(of: Courier.ignore) {
            return context(Courier.self) { Leading(id: $0.mailbox.observation, name: $0.name) }
        }
        if function == address(of: Attendant.receive) { return context(Attendant.self) { Leading(name: $0.name) } }
        return Leading()
    }

    private func context<Context: AnyObject>(_ type: Context.Type, _ body: (Context) -> Leading) -> Leading {
        Unmanaged<Context>.fromOpaque(context!)._withUnsafeGuaranteedRef { body($0) }
    }

    private func address(of function: @escaping swo_handler) -> UnsafeRawPointer {
        unsafeBitCast(function, to: UnsafeRawPointer.self)
    }
}
