// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_graph_walk")
public func swo_graph_walk(
    _ observables: UnsafePointer<OpaquePointer?>?, _ count: Int, _ visitor: UnsafePointer<swo_graph_visitor>?,
    _ context: UnsafeMutableRawPointer?
) -> swo_status {
    guard let visitor, visitor.pointee.size >= MemoryLayout<swo_graph_visitor>.size,
        let graph = graph(of: observables, count)
    else { return SWO_INVALID_ARGUMENT }
    for (index, node) in graph.nodes.enumerated() {
        let name = CopiedName.adopting(node.copyName())
        visitor.pointee.observable?(context, index, kindText(of: node), name?.text)
    }
    for edge in graph.edges {
        visitor.pointee.observation?(
            context, edge.source, edge.target ?? -1, edge.observation.rawValue, edge.name?.text)
    }
    return SWO_OK
}

@_cdecl("swo_graph_dot")
public func swo_graph_dot(
    _ observables: UnsafePointer<OpaquePointer?>?, _ count: Int, _ out: UnsafeMutablePointer<swo_value>?
) -> swo_status {
    guard let out, let graph = graph(of: observables, count) else { return SWO_INVALID_ARGUMENT }
    guard let dot = graph.dot(kind: { UnsafePointer(kindText(of: $0)) }) else { return SWO_NO_MEMORY }
    var value = swo_text_sized(dot.text, dot.count)
    value.owned = 1
    out.pointee = value
    return SWO_OK
}

/// Observables, everything they are made from, and everything that observes them or what is made from them; `nil` if
/// there is no observable where one must be.
private func graph(
    of observables: UnsafePointer<OpaquePointer?>?, _ count: Int, function: StaticString = #function
) -> Graph? {
    guard let observables, count > 0 else { return nil }
    for index in 0..<count where observables[index] == nil { return nil }
    var pending = (0..<count).map { handle(observables[$0]!, function: function) }
    var graph = Graph()
    var index = 0
    while index < pending.count {
        let one = pending[index]
        if graph.add(root: one.core), let upstream = one.role.upstream { pending += upstream.keptSources }
        index += 1
    }
    graph.walk()
    return graph
}

func kindText(of core: AnyCore) -> UnsafePointer<CChar> {
    (core.kind ?? UnsafeRawPointer(text("combined"))).assumingMemoryBound(to: CChar.self)
}
