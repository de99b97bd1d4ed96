// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization

extension Observable {
    /// An observable of what a closure makes of each value.
    ///
    ///     accepted  1  2  3
    ///     mapped   10 20 30
    ///
    /// It lives as long as it is held or observed. The closure is called once for each value, however many
    /// observe, where the value is accepted; and once more for each question for the latest value.
    public func map<Mapped>(_ transform: @escaping (Value) -> Mapped) -> AnyObservable<Mapped> {
        let base = asAnyObservable
        let target = ValueSource<Mapped>(nil)
        var tether: Tether!
        // The source keeps the target as long as that is needed.
        base.source.observe { id in
            tether = Tether(of: target.variable.core, fedBy: id)
            return LifetimeHandler(lifetime: nil) { target.accept(transform($0.new!)) }
        }
        return AnyObservable(target, heldBy: HolderOfBoth(tether, target, base, transform))
    }
}

/// Stands in for a mapping where it is held: it holds the mapping and its source. The mapping itself holds no
/// source, or the two would hold each other.
class MappingHolder<Value> {
    /// The latest value of the source, mapped.
    var latestValue: Value? { nil }
}

private final class HolderOfBoth<Base, Value>: MappingHolder<Value> {
    private let tether: Tether
    private let target: ValueSource<Value>
    private let base: Linked<AnyObservable<Base>>
    private let transform: (Base) -> Value

    init(
        _ tether: Tether, _ target: ValueSource<Value>, _ base: AnyObservable<Base>,
        _ transform: @escaping (Base) -> Value
    ) {
        self.tether = tether
        self.target = target
        self.base = Linked(base)
        self.transform = transform
    }

    deinit {
        tether.release()
        base.letGo()
    }

    override var latestValue: Value? { base.content?.latestValue.map(transform) }
}

/// Ends a mapping as soon as it is neither held nor observed.
final class Tether: Sendable {
    /// Not retained, because it retains this. The caller of `release` holds it.
    private let core: Unmanaged<AnyCore>
    /// By which observation of the source the mapping is fed.
    private let observation: ObservationID
    private let isReleased = Atomic(false)

    init(of core: AnyCore, fedBy observation: ObservationID) {
        self.core = .passUnretained(core)
        self.observation = observation
        core.follow { [self] remaining in
            if remaining == 0, isReleased.load(ordering: .sequentiallyConsistent) { end() }
        }
    }

    /// Called when the mapping is no longer held.
    func release() {
        isReleased.store(true, ordering: .sequentiallyConsistent)
        if core.takeUnretainedValue().observationCount == 0 { end() }
    }

    private func end() { observation.stop() }
}
