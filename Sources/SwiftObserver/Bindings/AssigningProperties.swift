// SPDX-License-Identifier: MIT

import ObserverEngine

// As in `Observable+Weakly`, each stands here twice: for objects that any thread may use, and for those of an actor.

extension Observable {
    /// Sets a property of an object to each message, for as long as the object lives.
    ///
    ///     title.new().assign(to: \.text, on: label)
    ///
    /// Everything is as with `observe(weakly:receive:)`: called on an actor this sets the property
    /// there, and anywhere else on the thread that sends.
    @discardableResult
    public func assign<Object: AnyObject & Sendable>(
        to property: any ReferenceWritableKeyPath<Object, Message> & Sendable, on object: Object,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> ObservationHandle {
        messenger.observe(
            weakly: object, self, { $0[keyPath: property] = $1 }, isolation: isolation, file, line)
    }

    /// Sets a property of an object of the present actor to each message, for as long as the object lives.
    @discardableResult
    public func assign<Object: AnyObject>(
        to property: ReferenceWritableKeyPath<Object, Message>, on object: Object,
        isolation: isolated any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> ObservationHandle {
        messenger.observe(
            weakly: object, self, { $0[keyPath: property] = $1 }, isolation: isolation, file, line)
    }
}
