// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    import CPlatform

    // The table of the keepers of objects. Each shard has a lock of its own, and releases nothing while it holds it.

    private struct Shard {
        var keepers: [UnsafeMutableRawPointer: ObjectKeeper] = [:]
        /// With more keepers than this, those of dead objects are looked for.
        var room = 16

        func join(_ key: UnsafeMutableRawPointer) -> ObjectKeeper? {
            keepers[key]?.observations += 1
            return keepers[key]
        }
    }

    private let shards = (0..<16).map { _ in Guarded(Shard()) }

    private func shard(of key: UnsafeMutableRawPointer) -> Guarded<Shard> {
        shards[Int(UInt(bitPattern: key) >> 4 & 15)]
    }

    extension ObjectKeeper {
        /// Begins an observation that lasts as long as an object lives. Where the object is dying, none begins.
        public static func keep(_ object: AnyObject, _ begin: (ObjectKeeper) -> ObservationID) {
            guard let keeper = joining(object) else { return }
            keeper.keeper.keep(begin(keeper))
        }

        /// Stops the observations of an object, or those of one core.
        public static func stopObservations(of object: AnyObject, at core: AnyCore? = nil) {
            guard let keeper = present(object)?.keeper else { return }
            if let core { keeper.stop(core) } else { keeper.stopAll() }
        }

        /// The keeper of an object, for one more observation; `nil` if the object is dying.
        private static func joining(_ object: AnyObject) -> ObjectKeeper? {
            let key = Unmanaged.passUnretained(object).toOpaque()
            if let keeper = shard(of: key).withLock({ $0.join(key) }) { return keeper }
            let made = ObjectKeeper(object)
            guard made.isPresent else { return nil }
            let (keeper, isFull) = shard(of: key).withLock { shard in
                if let keeper = shard.join(key) { return (keeper, false) }
                shard.keepers[key] = made
                return (made, shard.keepers.count > shard.room)
            }
            if isFull {
                shard(of: key).stopAbandoned()
                shard(of: key).withLock { $0.room = max(16, $0.keepers.count * 2) }
            }
            return keeper
        }

        /// The keeper of an object that has observations.
        private static func present(_ object: AnyObject) -> ObjectKeeper? {
            let key = Unmanaged.passUnretained(object).toOpaque()
            return shard(of: key).withLock { $0.keepers[key] }
        }

        /// An observation has ended.
        @usableFromInline
        func leave() {
            let finished = shard(of: key).withLock { shard -> ObjectKeeper? in
                observations -= 1
                guard observations == 0 else { return nil }
                defer { if shard.keepers.isEmpty { shard.keepers = [:] } }
                return shard.keepers.removeValue(forKey: key)
            }
            withExtendedLifetime(finished) {}
        }

        /// Stops the observations of all objects that are dead.
        public static func stopAllAbandoned() {
            for shard in shards { shard.stopAbandoned() }
        }

        /// How many objects observe, or have died without being found out.
        public static var count: Int { shards.reduce(0) { $0 + $1.withLock(\.keepers.count) } }
    }

    extension Guarded where State == Shard {
        /// Looks without the lock, because looking at an object can release it.
        fileprivate func stopAbandoned() {
            for one in withLock({ Array($0.keepers.values) }) where !one.isPresent { one.stopAbandoned() }
        }
    }
#endif
