// SPDX-License-Identifier: MIT

import ObserverEngine

/// Stands in for another observable without keeping it alive. It remembers the latest message, also after the
/// death of that observable.
///
///     let toString = Weak(Var<Int?>()).new().unwrap(0).map { "\($0)" }
///     // nothing else holds the variable, so it has died
public final class Weak<O: Observable>: ObservableObject<O.Message> {
    /// The observable, as long as it lives.
    public private(set) weak var observable: O?

    private let remembered: Guarded<O.Message>
    private var observation: ObservationID?

    /// Begins to observe an observable, without keeping it.
    public init(_ observable: O) {
        self.observable = observable
        remembered = Guarded(observable.latestMessage)
        super.init()
        observation = observable.observationCore.observe(
            KeptClosure { [observationCore, remembered, weak observable] message in
                remembered.replace(with: observable?.latestMessage ?? message)
                _ = observationCore.send(message, author: ())
            })
    }

    deinit { observation?.stop() }

    /// The latest message of the observable, or the last one that it had before it died.
    public override var latestMessage: O.Message {
        observable?.latestMessage ?? remembered.withLock { $0 }
    }
}

extension Guarded {
    /// The reference is let go without the lock.
    fileprivate func replace(with new: State) {
        let old = withLock { state in
            defer { state = new }
            return state
        }
        withExtendedLifetime(old) {}
    }
}
