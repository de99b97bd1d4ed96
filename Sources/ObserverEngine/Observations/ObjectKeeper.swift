// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    import CPlatform

    /// Keeps the observations of an object that has no room for a keeper and whose death is not announced.
    ///
    ///     object <--unowned-- object keeper <-- its observations
    ///
    /// Each of its observations looks whether the object lives before it calls, which costs one load. The first
    /// that finds it dead stops all of them. So a dead object receives nothing, but what the handlers hold is
    /// released only then, or by `stopAbandoned`, or when the observable dies.
    ///
    /// The keepers stand in a table, as long as there are observations for them to keep: when the last one ends,
    /// the keeper goes. From time to time, as the table grows, those of dead objects are looked for.
    ///
    /// - Note: `@unchecked Sendable`: `observations` is guarded by the shard on which this stands, and nothing else
    ///   changes.
    public final class ObjectKeeper: @unchecked Sendable {
        @usableFromInline let keeper = Keeper()
        let key: UnsafeMutableRawPointer
        /// How many observations have begun, or are about to, and have not ended.
        var observations = 1

        /// By which a handler sees most of the time, with one load, that the object lives.
        @usableFromInline let count: UnsafePointer<UInt64>

        #if canImport(ObjectiveC)
            // An object of Objective-C counts its references in another way.
            private weak var object: AnyObject?

            /// Whether the object lives.
            @usableFromInline var isPresent: Bool { object != nil }
        #else
            // This makes the memory of the object last, and with it the count of its references.
            private unowned let object: AnyObject

            /// Whether the object lives.
            @usableFromInline var isPresent: Bool { !platform_is_dying(key) }
        #endif

        init(_ object: AnyObject) {
            self.object = object
            key = Unmanaged.passUnretained(object).toOpaque()
            count = isCountKnown ? platform_count(key) : platform_count_elsewhere()
        }

        /// Stops the observations of an object that is dead.
        @usableFromInline
        func stopAbandoned() { keeper.stopAll() }
    }

    /// Whether the runtime counts references where `platform_count` looks, which is found out with an object.
    private let isCountKnown: Bool = {
        #if canImport(ObjectiveC)
            return false
        #else
            var probe: Probe? = Probe()
            let holder = Holder(object: probe!)
            let key = Unmanaged.passUnretained(probe!).toOpaque()
            func saysThat(isDead: Bool) -> Bool {
                platform_surely_lives(platform_count(key)) != isDead && platform_is_dying(key) == isDead
            }
            let wasRight = saysThat(isDead: false)
            withExtendedLifetime(probe) {}
            probe = nil
            return withExtendedLifetime(holder) { wasRight && saysThat(isDead: true) }
        #endif
    }()

    #if !canImport(ObjectiveC)
        private final class Probe {}

        private final class Holder {
            unowned let object: Probe
            init(object: Probe) { self.object = object }
        }
    #endif
#endif
