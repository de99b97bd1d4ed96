// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

/// What a transform is made from.
final class Upstream {
    /// Set where there is one source, which can change.
    private let link: Switch<ObservableHandle, CHandler>?
    /// Set where there are several.
    private var merged: [ObservableHandle] = []
    private var observationsOfMerged: Keeper?
    /// Set where it remembers messages.
    let memory: Memory?
    /// Set where it makes something of every message and remembers nothing, so that the latest message can be computed.
    let computing: CStep?

    @inline(never)
    init(
        from source: ObservableHandle, to target: Core<CHandler>, keepsSource: Bool = true, computes: Bool = false,
        memory: Memory? = nil, _ step: @escaping CStep
    ) {
        computing = computes ? step : nil
        self.memory = memory
        target.setDepth(above: source.core)
        link = Switch(
            source, keepsSource: keepsSource, core: { $0.core }, feeding: target, destroy: StepSink.destroy
        ) { StepSink.handler(of: $0, by: $1, to: target, step) }
    }

    init(merging sources: [ObservableHandle], to target: Core<CHandler>) {
        computing = nil
        memory = nil
        link = nil
        target.setDepthUnknown()
        let step = passingAll(), keeper = Keeper()
        for source in sources {
            let handler = StepSink.handler(of: source.core, by: nil, to: target, step)
            keeper.keep(source.core.observe(handler, destroy: StepSink.destroy, feeding: target))
        }
        merged = sources
        observationsOfMerged = keeper
    }

    /// The transform is dead, so its source does not change any more. @return What it has kept alive.
    func end() -> [ObservableHandle] {
        observationsOfMerged?.stopAll()
        defer { merged = [] }
        return link.map { $0.end().map { [$0] } ?? [] } ?? merged
    }

    /// The one source, where there is one that it keeps alive.
    var source: ObservableHandle? { link?.source }

    /// What it keeps alive.
    var keptSources: [ObservableHandle] {
        guard let link else { return merged }
        return link.source.map { [$0] } ?? []
    }

    /// Takes in the messages of another source, or of none.
    ///
    /// - Parameter target: the core of the transform.
    func change(to source: ObservableHandle?, for target: Core<CHandler>) -> swo_status {
        guard let link else { return SWO_WRONG_KIND }
        // One change at a time, so that two threads make no cycle together.
        platform_graph_lock_acquire()
        let isCycle = source.map { Graph(of: target).contains($0.core) } ?? false
        if !isCycle { target.setDepthUnknown() }
        let finish = isCycle ? nil : link.change(to: source)
        platform_graph_lock_release()
        guard let finish else { return isCycle ? SWO_INVALID_ARGUMENT : SWO_OK }
        finish()
        source?.isObservedAgain()
        return SWO_OK
    }
}
