// SPDX-License-Identifier: MIT

// What a programmer might well write: the compiler says in a sentence why it does not exist.

extension Observer {
    @available(
        *, unavailable,
        message: """
            several observables are observed by one closure: observe(a, b) { a, b in ... }. Transform in the closure, or \
            transform each and merge: observe(a).map { ... }.merge(observe(b).map { ... }).receive { ... }
            """
    )
    public func observe<First: Observable, Second: Observable, each Other: Observable>(
        _ first: First, _ second: Second, _ other: repeat each Other
    ) -> AdHocObservation<(First.Message, Second.Message, repeat (each Other).Message)> {
        fatalError("unavailable")
    }
}

extension Observer {
    @available(
        *, unavailable,
        message: """
            a variable sends updates, with an old value and a new one: observe(variable).new { value in ... }, or \
            observe(variable) { update in ... update.new ... }
            """
    )
    @discardableResult
    public func observe<O: Observable, Value>(
        _ observable: O, isolation: (any Actor)? = #isolation, receive: @escaping (Value) -> Void
    ) -> ObservationHandle where O.Message == Update<Value> { fatalError("unavailable") }
}

extension Observer {
    @available(
        *, unavailable,
        message: """
            the closure does not take what this observable sends: leave its type to the compiler, observe(observable) { message in \
            ... }, or make it what the closure takes, observe(observable).map { ... }.receive { ... }
            """
    )
    @_disfavoredOverload @discardableResult
    public func observe<O: Observable, Other>(
        _ observable: O, isolation: (any Actor)? = #isolation, receive: @escaping (Other) -> Void
    ) -> ObservationHandle { fatalError("unavailable") }
}

extension Transform {
    @available(
        *, unavailable,
        message: """
            a transform sends what it makes of the messages of its source: send this to the source. By hand, it can send \
            only what it would make
            """
    )
    public func send(_ message: Source.Message, author: AnyObject? = nil) { fatalError("unavailable") }
}

extension Delivery {
    @available(
        *, unavailable,
        message: """
            only a DeliveryQueue or a TaskExecutor delivers. A DispatchQueue is one where SwiftObserverDispatch is imported, \
            a product of this package that the target has to name among its dependencies
            """
    )
    public static func async<Queue: AnyObject>(_ queue: Queue) -> Delivery { fatalError("unavailable") }

    @available(
        *, unavailable,
        message: """
            only a SynchronousDeliveryQueue delivers. A DispatchQueue is one where SwiftObserverDispatch is imported, a \
            product of this package that the target has to name among its dependencies
            """
    )
    public static func sync<Queue: AnyObject>(_ queue: Queue) -> Delivery { fatalError("unavailable") }
}
