// SPDX-License-Identifier: MIT

import ObserverEngine

/// Stands in for another observable without keeping it alive.
///
///     let toString = Weak(Var<Int?>()).new().unwrap(0).map { "\($0)" }
///     // nothing else holds the variable, so it has died
///
/// Sends all that the observable sends. It is not buffered.
public final class Weak<O: Observable>: Observable {
    /// Carries the messages on.
    public let messenger = Messenger<O.Message>(of: Weak.self)

    /// The observable, as long as it lives.
    public private(set) weak var observable: O?

    private let observation: ObservationID

    /// Begins to observe an observable, without keeping it.
    public init(_ observable: O) {
        self.observable = observable
        let target = messenger.core
        target.setDepth(above: observable.messenger.core)
        observation = observable.messenger.observe(.authored { _ = target.pass($0, author: $1) }, feeding: target)
        messenger.belongs(to: self)
    }

    deinit { messenger.endTransform(of: feeding) { [observation] in observation.stop() } }
}

extension Weak: Upstream {
    @usableFromInline var feeding: [any AnyMessenger] { observable.map { [$0.messenger] } ?? [] }
}

/// - Note: `@unchecked`: the reference is never set again but by the runtime, when the observable dies.
extension Weak: @unchecked Sendable where O: Sendable {}
