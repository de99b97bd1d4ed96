// SPDX-License-Identifier: MIT

import ObserverRelay
import SwiftObserver

extension Relay {
    /// A variable that holds what a variable of another program holds: `device/node/property`.
    ///
    ///     let light: Var<Bool?> = try relay.mirror("hall/ceiling/light")
    ///     let warmth = try relay.mirror("kitchen/climate/temperature", as: Double.self)
    ///
    /// It is `nil` as long as the broker has no value. The name `device/$state` is that of the device's own state, a
    /// text: `init`, `ready`, `disconnected`, or `lost` where the program has died.
    ///
    /// Setting it asks the owner, which decides: what the owner then has is published, and replaces what was set. Until
    /// then the request is pending (``isPending(_:)``). If it cannot be set, the broker refuses it, the owner is gone
    /// (one that says `init` is coming back) or does not answer in time, or there is no connection, the mirror becomes
    /// what it was, and ``state`` says why.
    ///
    /// Asked again for the same name, the result is the same variable.
    public func mirror<Value: Relayable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(Failure) -> Var<Value?> {
        let me = ObjectIdentifier(self)
        return try mirror(name, by: Var<Value?>(), as: Value._datatype, isRetained: true) { relay, value, variable in
            guard let value = Value?(_relayed: value) else { return false }
            variable.set(value, author: relay)
            return true
        } observe: { [engine] observer, variable, mirror in
            let observation = observer.observe(variable, isolation: nil) { update, author in
                if ObjectIdentifier(author) != me { engine.request(update.new._relayed, of: mirror) }
            }
            observation.name = String(decoding: mirror.observationName.dropLast(), as: UTF8.self)
            variable.messenger.name = name
        }
    }

    /// A messenger that sends what a messenger of another program sends. What is sent to it goes nowhere else.
    ///
    ///     let rings: Messenger<String> = try relay.mirrorMessenger("hall/door/rings")
    public func mirrorMessenger<Message: Relayable>(
        _ name: String, as type: Message.Type = Message.self
    ) throws(Failure) -> Messenger<Message> {
        try mirror(name, by: Messenger<Message>(), as: Message._datatype, isRetained: false) {
            relay, value, messenger in
            guard let message = Message(_relayed: value) else { return false }
            messenger.send(message, author: relay)
            return true
        }
    }

    /// Whether what a mirror was set to waits for its owner to decide. Not where nothing is mirrored under that name.
    public func isPending(_ name: String) -> Bool {
        entries.withLock { $0.mirrored[name] }.map { engine.isPending($0.mirror) } ?? false
    }

    /// How long nothing has said that the owner of a mirror has its value: because its device is lost or disconnected, or
    /// this relay has no connection, or has not received yet what is retained. `nil`: the owner has it.
    public func unconfirmed(_ name: String) throws(Failure) -> Duration? {
        guard let mirrored = entries.withLock({ $0.mirrored[name] }) else {
            throw .notFound("nothing is mirrored as \(name)")
        }
        let milliseconds = engine.unconfirmed(mirrored.mirror)
        return milliseconds == 0 ? nil : .milliseconds(milliseconds)
    }

    /// Ends the mirror of a name: it changes no more.
    public func forget(_ name: String) throws(Failure) {
        guard let mirrored = entries.withLock({ $0.mirrored.removeValue(forKey: name) }) else {
            throw .notFound("nothing is mirrored as \(name)")
        }
        mirrored.stop()
        engine.forget(mirrored.mirror)
    }

    /// - Parameter receive: whether the value is one for the mirror, which it then has.
    private func mirror<Local: AnyObject & Sendable>(
        _ name: String, by local: Local, as datatype: Datatype, isRetained: Bool,
        receive: @escaping (Relay, ObserverRelay.Value, Local) -> Bool,
        observe: (FreeObserver, Local, Mirror) -> Void = { _, _, _ in }
    ) throws(Failure) -> Local {
        let path = Bytes(name.utf8)
        guard let topic = topic(of: path) else { throw .invalidArgument("\(name) is not device/node/property") }
        let mirror = engine.mirror(path, as: datatype, isRetained: isRetained) { [weak self] value in
            guard let self, !receive(self, value, local) else { return }
            engine.refuse("a payload", of: topic, "it is no value of the mirror's type")
        }
        guard let mirror else { return try mirrorThatIsThere(name) }
        let mirrored = Mirrored(mirror, local)
        observe(mirrored.observer, local, mirror)
        entries.withLock { $0.mirrored[name] = mirrored }
        return local
    }

    private func mirrorThatIsThere<Local>(_ name: String) throws(Failure) -> Local {
        guard let mirrored = entries.withLock({ $0.mirrored[name] }) else { throw .notFound("the relay is closed") }
        guard let local = mirrored.local as? Local else {
            throw .wrongKind("\(name) is mirrored as something else")
        }
        return local
    }
}

/// The mirror under a name.
final class Mirrored: Sendable {
    let mirror: Mirror
    /// The variable or messenger.
    let local: any AnyObject & Sendable
    let observer = FreeObserver()

    init(_ mirror: Mirror, _ local: any AnyObject & Sendable) {
        self.mirror = mirror
        self.local = local
    }

    func stop() { observer.stopObserving() }
}
