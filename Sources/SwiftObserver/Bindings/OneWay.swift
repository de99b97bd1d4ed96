// SPDX-License-Identifier: MIT

import ObserverEngine

// Four kinds of observable can be followed: those that know their latest message and those that do not, and of each those that
// send values and those that send updates.

extension Observable {
    /// Lets a variable follow the messages of this observable.
    ///
    ///     valve.observe(pressure).map { $0.bar }.bind(to: shown)      // ad hoc, kept by an observer
    ///     pressure.map { $0.bar }.bind(to: shown)                     // kept by the variable
    ///
    /// Each message is set on the thread that sends it, by its author. The variable can be set otherwise, too.
    ///
    /// The binding lasts until it is stopped, or until the variable or the observable dies. It keeps neither of the two; but as
    /// long as it lasts it keeps a transform or a ``Derived`` that is bound, with all that this comes from. Two variables that
    /// are to follow one another are bound by ``Var/bind(to:both:)``.
    @discardableResult
    public func bind(to target: Var<Message>) -> ObservationHandle {
        target.follow(self, replaying: nil) { $0 }
    }

    /// Lets a variable follow what a closure makes of the messages of this observable. The closure runs on the thread that sends.
    @discardableResult
    public func bind<Value>(
        to target: Var<Value>, convert: @escaping @Sendable (Message) -> Value
    ) -> ObservationHandle {
        target.follow(self, replaying: nil, convert)
    }

    /// Lets a variable follow the new values of updates.
    @discardableResult
    public func bind<Value>(to target: Var<Value>) -> ObservationHandle where Message == Update<Value> {
        target.follow(self, replaying: nil) { $0.new }
    }

    /// Lets a variable follow what a closure makes of the new values of updates.
    @discardableResult
    public func bind<Value, Converted>(
        to target: Var<Converted>, convert: @escaping @Sendable (Value) -> Converted
    ) -> ObservationHandle where Message == Update<Value> {
        target.follow(self, replaying: nil) { convert($0.new) }
    }
}

extension BufferedObservable {
    /// Lets a variable follow the messages of this observable, beginning with the latest one.
    @discardableResult
    public func bind(to target: Var<Message>) -> ObservationHandle {
        target.follow(self, replaying: { latestOf(self) }) { $0 }
    }

    /// Lets a variable follow what a closure makes of the messages of this observable, beginning with the latest one.
    @discardableResult
    public func bind<Value>(
        to target: Var<Value>, convert: @escaping @Sendable (Message) -> Value
    ) -> ObservationHandle {
        target.follow(self, replaying: { latestOf(self) }, convert)
    }

    /// Lets a variable follow another one: it has its value now, and gets each new one.
    ///
    ///     price.bind(to: shown)
    ///
    /// Everything else is as with any observable that is bound.
    @discardableResult
    public func bind<Value>(to target: Var<Value>) -> ObservationHandle where Message == Update<Value> {
        target.follow(self, replaying: { latestOf(self) }) { $0.new }
    }

    /// Lets a variable follow what a closure makes of the values of another one, now and whenever it changes.
    ///
    ///     price.bind(to: label) { "\($0) €" }
    @discardableResult
    public func bind<Value, Converted>(
        to target: Var<Converted>, convert: @escaping @Sendable (Value) -> Converted
    ) -> ObservationHandle where Message == Update<Value> {
        target.follow(self, replaying: { latestOf(self) }) { convert($0.new) }
    }
}

extension Var {
    /// Lets a variable follow what a function reads, as an `effect` would that sets it: now, and after
    /// each turn in which something that it reads has changed.
    ///
    ///     total.bind { price.value * count.value }
    ///
    /// The function runs where it would in a ``Derived``, and is kept by this variable, with what it reads.
    @discardableResult
    public func bind(_ function: @escaping @Sendable () -> Value) -> ObservationHandle {
        Derived(function).bind(to: self)
    }

    fileprivate func follow<Source: Observable>(
        _ source: Source, replaying replay: Replay<ClosureHandler<Source.Message>>?,
        _ value: @escaping (Source.Message) -> Value
    ) -> ObservationHandle {
        let messenger = source.messenger
        let kept: AnyObject? = messenger.upstream ?? (source as? any KeptByBindings)
        let variable = variable
        let id = messenger.observe(feeding: variable.core, replaying: replay) { id in
            self.bound.keep(id)
            return .authored { message, author in
                let value = value(message)
                variable.core.setByBinding { variable.set(value, author: author) }.requireSet()
                withExtendedLifetime(kept) {}
            }
        }
        return ObservationHandle(id: id)
    }
}

/// An observable that is often made in the place where it is bound, although it is no transform.
protocol KeptByBindings: AnyObject {}

extension Derived: KeptByBindings {}

extension AdHocObservation {
    /// Begins the observation, and lets a variable follow its messages.
    ///
    ///     dog.observe(bowl).map { $0.amount }.bind(to: hunger)
    ///
    /// Each is set by its author. The observation ends with the variable, too.
    @discardableResult
    public func bind(to target: Var<Message>) -> ObservationHandle { bind(to: target) { $0 } }

    /// Begins the observation, and lets a variable follow the new values of its updates.
    @discardableResult
    public func bind<Value>(to target: Var<Value>) -> ObservationHandle where Message == Update<Value> {
        bind(to: target) { $0.new }
    }

    private func bind<Value>(to target: Var<Value>, _ value: @escaping (Message) -> Value) -> ObservationHandle {
        let variable = target.variable
        let observation = begin(
            { _ in
                .authored { message, author in
                    let value = value(message)
                    variable.core.setByBinding { variable.set(value, author: author) }.requireSet()
                }
            }, ChainEnd())
        for part in [observation.id] + observation.parts { target.bound.keep(part) }
        return observation
    }
}
