// SPDX-License-Identifier: MIT

/// An observer for code that has no object of its own to observe with.
///
///     let observer = FreeObserver()
///     observer.observe(sky).new { color in print(color) }
public final class FreeObserver: Observer, Sendable {
    /// Keeps the observations alive.
    public let receiver = Receiver()

    /// An observer without observations.
    public init() {}
}

/// An observation that lasts as long as this is held.
///
///     let watching = sky.observe { color in print(color) }
public final class KeptObservation: Sendable {
    /// The name of the observation.
    public let observation: ObservationHandle

    private let observer: FreeObserver

    init(_ begin: (FreeObserver) -> ObservationHandle) {
        observer = FreeObserver()
        observation = begin(observer)
    }

    /// Ends the observation. See ``ObservationHandle/stop()``.
    @discardableResult
    public func stop() -> Bool { observation.stop() }

    /// Ends the observation and waits for its handler. See ``ObservationHandle/stopAndWait()``.
    @discardableResult
    public func stopAndWait() -> Bool { observation.stopAndWait() }

    /// Whether the observation has not ended.
    public var isLiving: Bool { observation.isLiving }
}

extension Observable {
    /// Calls a closure for each message, as long as you hold what this returns.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ receive: @escaping @Sendable @isolated(any) (Message) -> Void
    ) -> KeptObservation {
        KeptObservation { $0.observe(self, isolation: isolation, file: file, line: line, receive: receive) }
    }

    /// Calls a closure for each message and its author, as long as you hold what this returns.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ receive: @escaping @Sendable @isolated(any) (Message, AnyObject) -> Void
    ) -> KeptObservation {
        KeptObservation { $0.observe(self, isolation: isolation, file: file, line: line, receive: receive) }
    }

    /// Begins an observation that is transformed ad hoc, and lasts as long as you hold what this returns.
    ///
    ///     let watching = number.observe(adHoc: { $0.new().filter { $0 > 9 }.receive { print($0) } })
    @_disfavoredOverload  // A trailing closure is a handler, unless it can only be this.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        adHoc begin: (AdHocObservation<Message>) -> ObservationHandle
    ) -> KeptObservation {
        KeptObservation { begin($0.observe(self, isolation: isolation, file: file, line: line)) }
    }
}
