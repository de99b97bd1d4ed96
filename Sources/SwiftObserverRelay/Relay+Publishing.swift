// SPDX-License-Identifier: MIT

import ObserverRelay
import SwiftObserver

extension Relay {
    /// Lets others observe a variable, as the property `node/property` of the device.
    ///
    ///     try relay.publish(temperature, as: "climate/temperature")
    ///     try relay.publish(target, as: "climate/target", settable: true)
    ///
    /// The broker retains its value for those that come later. The variable is kept until it is withdrawn.
    ///
    /// - Parameters:
    ///   - variable: what others observe.
    ///   - name: the property, as `node/property`.
    ///   - settable: whether others may set it. They ask, by the author that is the relay; whatever the variable then holds
    ///     is published.
    ///   - about: what others are told of it, and what it may hold.
    public func publish<Value: Relayable>(
        _ variable: Var<Value>, as name: String, settable: Bool = false, about: Property = Property()
    ) throws(Failure) {
        let set = { [weak self] (asked: ObserverRelay.Value) -> Bool in
            guard let self, let value = Value(_relayed: asked) else { return false }
            variable.set(value, author: self)
            return true
        }
        // An optional takes null, and nothing else does.
        let takesNull = Value(_relayed: .null) != nil
        try publish(
            variable, name, as: Value._datatype, isRetained: true, about: about, takesNull: takesNull,
            set: settable ? set : nil
        ) { observer, publish in
            observer.observe(variable, replaying: .latest, isolation: nil) { publish($0.new._relayed) }
        }
    }

    /// Lets others observe what has a value: another kind of variable.
    public func publish<O: BufferedObservable & Sendable, Value: Relayable>(
        _ observable: O, as name: String, about: Property = Property()
    ) throws(Failure) where O.Message == Update<Value> {
        try publish(observable, name, as: Value._datatype, isRetained: true, about: about) { observer, publish in
            observer.observe(observable, replaying: .latest, isolation: nil) { publish($0.new._relayed) }
        }
    }

    /// Lets others observe what has a value: what a transform makes of a variable, for example.
    ///
    ///     try relay.publish(temperature.new().map { $0 > 30 }, as: "climate/alarm")
    public func publish<O: BufferedObservable & Sendable>(
        _ observable: O, as name: String, about: Property = Property()
    ) throws(Failure) where O.Message: Relayable {
        try publish(observable, name, as: O.Message._datatype, isRetained: true, about: about) { observer, publish in
            observer.observe(observable, replaying: .latest, isolation: nil) { publish($0._relayed) }
        }
    }

    /// Lets others observe events: each message, which nothing retains.
    ///
    ///     try relay.publish(rings, as: "door/rings")
    ///
    /// Messages that are sent while there is no connection are dropped, and reported.
    public func publish<O: Observable & Sendable>(
        _ observable: O, as name: String, about: Property = Property()
    ) throws(Failure) where O.Message: Relayable {
        try publish(observable, name, as: O.Message._datatype, isRetained: false, about: about) { observer, publish in
            observer.observe(observable, isolation: nil) { publish($0._relayed) }
        }
    }

    /// Ends what is published under a name: the broker forgets it, and mirrors become `nil`.
    public func withdraw(_ name: String) throws(Failure) {
        guard let published = entries.withLock({ $0.published.removeValue(forKey: name) }) else {
            throw .notFound("nothing is published as \(name)")
        }
        published.stop()
        engine.withdraw(published.publication)
    }

    /// Takes another device away for good: all that the broker retains of it, so that its mirrors become `nil`. A program
    /// that still has it publishes it again.
    public func remove(device: String) throws(Failure) {
        guard engine.remove(Bytes(device.utf8)) else {
            throw .invalidArgument("\(device) is no name of another device, or the relay is closed")
        }
    }

    private func publish(
        _ observable: any AnyObject & Sendable, _ name: String, as datatype: Datatype, isRetained: Bool,
        about: Property, takesNull: Bool = false, set: ((ObserverRelay.Value) -> Bool)? = nil,
        observe: (FreeObserver, _ publish: @escaping @Sendable (ObserverRelay.Value) -> Void) -> ObservationHandle
    ) throws(Failure) {
        guard isPublishable(Bytes(name.utf8)) else { throw .invalidArgument("\(name) is not node/property") }
        guard engine.hasDevice else { throw .invalidArgument("a relay without a device publishes nothing") }
        let publication = engine.publish(
            Bytes(name.utf8), as: datatype, isRetained: isRetained, about: try about.checked(as: datatype),
            takesNull: takesNull, set: set)
        guard let publication else {
            throw .notFound("\(name) is published already, or the relay is closed")
        }
        let published = Published(publication, of: observable)
        entries.withLock { $0.published[name] = published }
        // Not `self`, which ends the observation.
        let observation = observe(published.observer) { [engine] value in engine.publishValue(value, of: publication) }
        observation.name = String(decoding: publication.observationName.dropLast(), as: UTF8.self)
    }
}

/// The observable that was published under a name.
final class Published: Sendable {
    let publication: Publication
    let observer = FreeObserver()
    /// Kept alive: it may be a transform that nothing else holds.
    private let observable: any AnyObject & Sendable

    init(_ publication: Publication, of observable: any AnyObject & Sendable) {
        self.publication = publication
        self.observable = observable
    }

    func stop() { observer.stopObserving() }
}
