// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

/// What a transform is made from.
///
///     source --relay--> transform                              at first
///     source --feed--> inlet --relay--> transform              once another source has been set
///
/// The inlet brings what the sources send into one line. It is held until the first relay has made its last call.
final class Origin {
    /// What it does.
    let kind: StaticString
    /// Set where it remembers messages.
    let memory: Memory?
    /// Set where it makes something of every message and remembers nothing, so that the latest message can be computed.
    private let computing: CStep?
    private let keepsSources: Bool
    /// By which it listens to several sources.
    private let observations: [ObservationID]
    // What follows is guarded by the lock of all sources.
    private var sources: [ObservableHandle]
    /// Set where there is one source.
    private var relay: Relay?
    private var inlet: Core<CHandler>?
    private var feed: Relay?

    init(
        _ kind: StaticString, from source: ObservableHandle, by relay: Relay, keepsSource: Bool = true,
        computing: CStep? = nil, memory: Memory? = nil
    ) {
        self.kind = kind
        sources = keepsSource ? [source] : []
        self.relay = relay
        observations = []
        keepsSources = keepsSource
        self.computing = computing
        self.memory = memory
    }

    init(_ kind: StaticString, from sources: [ObservableHandle], by observations: [ObservationID]) {
        self.kind = kind
        self.sources = sources
        self.observations = observations
        keepsSources = true
        computing = nil
        memory = nil
    }

    /// The transform is dead, so its source does not change any more.
    func end() {
        for observation in observations { observation.stop() }
        relay?.observation.stop()
        feed?.observation.stop()
        inlet?.close()
    }

    /// What it keeps alive.
    var keptSources: [ObservableHandle] {
        lockSources()
        defer { unlockSources() }
        return sources
    }

    var isBuffered: Bool { memory?.isBuffered ?? (computing != nil && keptSources.first?.isBuffered == true) }

    var latest: Latest {
        if let memory { return memory.latest }
        guard let computing, let source = keptSources.first else { return Latest(SWO_WRONG_KIND) }
        return SwiftObserverC.computing(source.latest, computing)
    }

    /// Has the messages of another source taken in, or of none.
    ///
    /// - Parameter target: the core of the transform.
    func change(to source: ObservableHandle?, for target: Core<CHandler>) -> swo_status {
        lockSources()
        guard let relay else {
            unlockSources()
            return SWO_WRONG_KIND
        }
        guard !keepsSources || source !== sources.first else {
            unlockSources()
            return SWO_OK
        }
        if let source, Graph(sentBy: target).contains(source.core) {
            unlockSources()
            return SWO_INVALID_ARGUMENT
        }
        let before = (source: sources.first, feed: feed)
        let isFirst = inlet == nil
        let inlet = inlet ?? insertInlet(between: relay, and: target)
        feed = source.map { Relay.begin(kind, from: $0.core, to: inlet, leadingTo: target, passingAll()) }
        sources = []
        if keepsSources, let source { sources.append(source) }
        unlockSources()
        before.feed?.observation.stop()
        if isFirst { relay.giveWay(to: inlet) }
        source?.isObservedAgain()
        return withExtendedLifetime(before) { SWO_OK }
    }

    /// The lock is held.
    private func insertInlet(between first: Relay, and target: Core<CHandler>) -> Core<CHandler> {
        let made = Core<CHandler>()
        made.hold()
        relay = Relay.begin(kind, from: made, to: target, first.step)
        inlet = made
        return made
    }
}

// One lock for the sources of all transforms, so that two threads make no cycle together. It is one of those under which
// the locks of cores may be taken.
private func lockSources() { platform_keeper_lock_acquire(0) }
private func unlockSources() { platform_keeper_lock_release(0) }
