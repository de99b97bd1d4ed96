// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

/// What a transform is made from.
final class Upstream {
    /// Set where there is one source, which can change.
    private let link: Switch<ObservableHandle, CHandler>?
    /// Set where it passes on what was chosen last.
    private let chosen: Switches<ObservableHandle, CHandler>?
    /// Set where there are several, or those that choose.
    private var merged: [ObservableHandle] = []
    private var observationsOfMerged: Keeper?
    /// Set where what comes from several goes into one line.
    private var junction: Junction<CHandler>?
    /// Set where it knows the latest message of several, until it ends.
    private let latest: Guarded<LatestList?>
    /// Whether it knows the latest message of several.
    let combines: Bool
    /// Set where it waits for a clock.
    private var timing: Timing<CHandler>?
    private var whileObserved: RefCount<ObservableHandle>?
    /// Set where it remembers messages.
    let memory: Memory?
    /// Set where it makes something of every message and remembers nothing, so that the latest message can be computed.
    let computing: CStep?

    @inline(never)
    init(
        from source: ObservableHandle, to target: Core<CHandler>, keepsSource: Bool = true, computes: Bool = false,
        memory: Memory? = nil, timing: Timing<CHandler>? = nil, _ step: @escaping CStep
    ) {
        computing = computes ? step : nil
        self.memory = memory
        self.timing = timing
        combines = false
        chosen = nil
        latest = Guarded(nil)
        target.setDepth(above: source.core)
        link = Switch(
            source, keepsSource: keepsSource, core: { $0.core }, feeding: target, destroy: StepSink.destroy
        ) { StepSink.handler(of: $0, by: $1, to: target, step) }
    }

    init(merging sources: [ObservableHandle], to target: Core<CHandler>) {
        computing = nil
        combines = false
        latest = Guarded(nil)
        memory = nil
        link = nil
        chosen = nil
        target.setDepth(above: sources.map { $0.core })
        let step = passingAll(), keeper = Keeper()
        for source in sources {
            let handler = StepSink.handler(of: source.core, by: nil, to: target, step)
            keeper.keep(source.core.observe(handler, destroy: StepSink.destroy, feeding: target))
        }
        merged = sources
        observationsOfMerged = keeper
    }

    /// Of what has no source.
    init(timing: Timing<CHandler>) {
        computing = nil
        combines = false
        latest = Guarded(nil)
        memory = nil
        link = nil
        chosen = nil
        self.timing = timing
    }

    /// Lets several sources feed a junction, each as a part, in their order.
    ///
    /// - Parameter chosen: links to other sources, which the junction changes.
    init(
        joining sources: [ObservableHandle], _ junction: Junction<CHandler>, to target: Core<CHandler>,
        latest: LatestList? = nil, choosing chosen: Switches<ObservableHandle, CHandler>? = nil
    ) {
        computing = nil
        combines = latest != nil
        self.latest = Guarded(latest)
        memory = nil
        link = nil
        self.chosen = chosen
        self.junction = junction
        if chosen == nil { target.setDepth(above: sources.map { $0.core }) } else { target.setDepthUnknown() }
        let keeper = Keeper()
        for part in sources.indices {
            keeper.keep(JunctionSink.observe(sources[part].core, as: part, of: junction, to: target))
        }
        merged = sources
        observationsOfMerged = keeper
    }

    /// Lets what waits for a clock begin and end with the observations of the transform.
    func waitWhileObserved(_ target: Core<CHandler>) {
        guard let timing else { return }
        let made = RefCount<ObservableHandle>(of: target)
        made.follow()
        made.set(ObservedWork(begin: { timing.begin() }, end: { timing.pause() }), for: nil)
        whileObserved = made
    }

    /// Whether it has to know of the observations of the transform.
    var waits: Bool { timing != nil }

    /// The latest messages of all its sources, where it passes these on, and has not ended.
    var latestOfAll: LatestList? { combines ? latest.withLock { $0 } : nil }

    /// An observation of the transform has begun.
    func isObservedAgain(_ observable: ObservableHandle) { whileObserved?.settle(observable) }

    /// The transform is dead, so its source does not change any more. @return What it has kept alive.
    func end() -> [ObservableHandle] {
        observationsOfMerged?.stopAll()
        junction?.close()
        timing?.end()
        whileObserved?.set(nil, for: nil)
        // Released here, without the lock, while what they are of is still kept.
        let latest =
            combines
            ? latest.withLock { latest in
                defer { latest = nil }
                return latest
            } : nil
        withExtendedLifetime(latest) {}
        defer { merged = [] }
        return merged + (chosen?.end() ?? []) + [link?.end()].compactMap { $0 }
    }

    /// The one source, where there is one that it keeps alive.
    var source: ObservableHandle? { link?.source }

    /// What it keeps alive.
    var keptSources: [ObservableHandle] {
        merged + (chosen?.sources ?? []) + [source].compactMap { $0 }
    }

    /// Takes in the messages of another source, or of none.
    ///
    /// - Parameter target: the core of the transform.
    func change(to source: ObservableHandle?, for target: Core<CHandler>) -> swo_status {
        guard let link else { return SWO_WRONG_KIND }
        return Upstream.change(link, to: source, for: target)
    }

    static func change(
        _ link: Switch<ObservableHandle, CHandler>, to source: ObservableHandle?, for target: Core<CHandler>
    ) -> swo_status {
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
