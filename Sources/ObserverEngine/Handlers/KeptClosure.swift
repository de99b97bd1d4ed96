// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    import CPlatform

    /// A handler that is a Swift closure, called as long as some object lives. Its messages have no authors.
    @frozen
    public struct KeptClosure<Message>: MessageHandler {
        @usableFromInline let call: (Message) -> Void
        @usableFromInline let count: UnsafePointer<UInt64>
        /// `nil` if no object needs to live. Not retained, because retaining it for each call costs more than the
        /// call: the table of keepers retains it until the observation has ended.
        @usableFromInline let keeper: Unmanaged<ObjectKeeper>?

        @inlinable
        public init(_ call: @escaping (Message) -> Void) {
            self.call = call
            count = platform_count_for_ever()
            keeper = nil
        }

        @inlinable
        init(_ call: @escaping (Message) -> Void, keeper: ObjectKeeper) {
            self.call = call
            count = keeper.count
            self.keeper = .passUnretained(keeper)
        }

        /// The same, called as long as the object of a keeper lives. Observe with it inside of `ObjectKeeper.keep`.
        @inlinable
        public func kept(by keeper: ObjectKeeper) -> KeptClosure { KeptClosure(call, keeper: keeper) }

        @inlinable public static var tombstone: KeptClosure { KeptClosure { _ in } }

        @inlinable
        public func receive(_ message: Message, _ author: Void) {
            if platform_surely_lives(count) || !endsAbandoned() { call(message) }
        }

        /// Whether the object that had to live is dead. Then its observations end.
        @inlinable @inline(never)
        func endsAbandoned() -> Bool {
            guard let keeper = keeper?.takeUnretainedValue(), !keeper.isPresent else { return false }
            keeper.stopAbandoned()
            return true
        }

        @inlinable public func end(_ destroy: Destroy?) { keeper?.takeUnretainedValue().leave() }

        @inlinable public static func copy(_ message: Message) -> Message? { message }

        @inlinable
        public static func withMessage(_ waiting: borrowing Message, _ body: (Message) -> Void) { body(copy waiting) }
    }

    extension Core {
        /// Begins an observation that lasts as long as an object lives. Where the object is dying, none begins.
        @inlinable
        public func observe<Message>(
            keptBy object: AnyObject, _ receive: @escaping (Message) -> Void
        ) where Handler == KeptClosure<Message> {
            ObjectKeeper.keep(object) { observe(KeptClosure(receive).kept(by: $0)) }
        }

        /// Ends all observations, or those whose object is dead.
        public func stopObservations<Message>(
            onlyAbandoned: Bool = false
        ) where Handler == KeptClosure<Message> {
            var observations: [(id: ObservationID, keeper: ObjectKeeper?)] = []
            forEachObservation { observations.append(($0, $1.keeper?.takeUnretainedValue())) }
            // Without the lock, because looking at an object can release it.
            for one in observations where !onlyAbandoned || one.keeper?.isPresent == false { one.id.stop() }
        }
    }
#endif
