// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// Calls a closure with an observer and each value, beginning with the latest one, if there is one.
    ///
    ///     model.title.beObserved(by: label, onChanged: { $0.text = $1 })
    ///     model.title.beObserved(by: label, .async(.main), onChanged: { $0.text = $1 })
    ///
    /// The observable keeps the closure for as long as the observer lives. It holds the observer weakly, so the
    /// closure should use the one that it is given. One object may observe any number of times.
    ///
    /// - Parameters:
    ///   - observer: for whom the closure is called, and whom it is given.
    ///   - method: where the closure is called, also with the first value.
    ///   - disposer: another object whose death ends the observation. It is held weakly. `nil` stands for
    ///     none: the observer alone decides.
    ///   - handler: what is called.
    @inlinable
    public func beObserved<Observer: AnyObject>(
        by observer: Observer, _ method: ExecutionMethod = .directly, disposer: AnyObject? = nil,
        onChanged handler: @escaping (Observer, Value) -> Void
    ) {
        let observable = asAnyObservable
        observable.source.observe { id in
            let lifetime = WeakObserverLifetime(of: id, observer, disposer: disposer)
            // Two closures: with a disposer to look for, or without, each delivery would take a third more instructions.
            let direct = LifetimeHandler<Update<Value?>>(
                lifetime: lifetime,
                disposer == nil
                    ? { update in lifetime.withObserverAlone { handler($0, update.new.unsafelyUnwrapped) } }
                    : { update in lifetime.withObserver { handler($0, update.new.unsafelyUnwrapped) } })
            guard let schedule = method.schedule else { return direct }
            let mailbox = Mailbox(handler: direct)
            id.continues(in: mailbox.observation)
            return LifetimeHandler(lifetime: lifetime) { update in
                _ = mailbox.put(update, ()) {
                    schedule { mailbox.deliverNext() }
                    return true
                }
            }
        }
        // A mapping that is not held and not observed yet would end.
        withExtendedLifetime(observable) {}
    }
}
