// SPDX-License-Identifier: MIT

import CPlatform

/// What a live page asks of the engine (`inspecting.h`).
enum Inspection {
    /// Everything that something observes or reads, and what that feeds.
    fileprivate static func graph() -> Graph {
        var graph = Graph()
        // What has no kind, a mailbox or a combination, is found behind what feeds it.
        for core in Tracing.observed() where !core.isInner { graph.add(root: core) }
        graph.walk()
        return graph
    }
}

@_cdecl("observer_inspect_record")
public func observer_inspect_record(_ isWanted: Bool, _ values: Bool) {
    if isWanted {
        Tracing.begin(PLATFORM_INSPECTION, values: values)
    } else {
        Tracing.end(PLATFORM_INSPECTION)
    }
}

/// Stops the process at the next change of an observable that is still there; at none any more: `nil`.
@_cdecl("observer_inspect_stop_at")
public func observer_inspect_stop_at(_ core: UnsafeRawPointer?) {
    platform_stop_at(core)
    if core != nil {
        Tracing.begin(PLATFORM_STOP, values: false)
    } else {
        Tracing.end(PLATFORM_STOP)
    }
}

/// The name of a core that somebody keeps, in memory of `malloc`.
@_cdecl("observer_inspect_core_name")
public func observer_inspect_core_name(_ core: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    Unmanaged<AnyCore>.fromOpaque(core)._withUnsafeGuaranteedRef { $0.copyName() }
}

@_cdecl("observer_inspect_show")
public func observer_inspect_show(_ viewer: UnsafePointer<platform_viewer>, _ values: Bool) {
    let graph = Inspection.graph()
    for core in graph.nodes {
        let name = CopiedName.adopting(core.copyName())
        core.withKind { kind in
            var node = platform_shown_node()
            node.core = UnsafeRawPointer(core.address)
            node.kind = kind
            node.name = name.map { UnsafePointer($0.text) }
            node.is_observable = !core.isInner
            node.last = core.copyLastCause()
            platform_show_node(viewer, &node, values)
            platform_cause_release(node.last)
        }
    }
    for edge in graph.edges {
        var shown = platform_shown_edge()
        shown.source = UnsafeRawPointer(graph.nodes[edge.source].address)
        if let target = edge.target { shown.target = UnsafeRawPointer(graph.nodes[target].address) }
        shown.observation = edge.observation.rawValue
        shown.name = edge.name.map { UnsafePointer($0.text) }
        if edge.target == nil { edge.observation.show(in: &shown) }
        platform_show_edge(viewer, &shown)
    }
    platform_show_derived(viewer, values)
}

/// Calls with the observable that has an address, if there is one that something observes.
public func withObserved<Result>(_ address: UnsafeRawPointer, _ body: (AnyCore) -> Result) -> Result? {
    for core in Inspection.graph().nodes where UnsafeRawPointer(core.address) == address { return body(core) }
    return nil
}

extension AnyCore {
    /// Calls `body` under the lock, unless this has been closed: until then it has what belongs to it.
    public final func whileOpen<Result>(_ body: () -> Result?) -> Result? {
        lock()
        defer { unlock() }
        return state.load() & CoreState.closed == 0 ? body() : nil
    }
}
