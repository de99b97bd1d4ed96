// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    import CPlatform

    // The table of the keepers of objects. Each shelf has a lock of its own, and releases nothing while it holds it.

    private struct Shelf {
        var keepers: [UnsafeMutableRawPointer: ObjectKeeper] = [:]
        /// With more keepers than this, those of dead objects are looked for.
        var room = 16

        func join(_ key: UnsafeMutableRawPointer) -> ObjectKeeper? {
            keepers[key]?.observations += 1
            return keepers[key]
        }
    }

    private let shelves = (0..<16).map { _ in Guarded(Shelf()) }

    private func shelf(of key: UnsafeMutableRawPointer) -> Guarded<Shelf> {
        shelves[Int(UInt(bitPattern: key) >> 4 & 15)]
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
            if let keeper = shelf(of: key).withLock({ $0.join(key) }) { return keeper }
            let made = ObjectKeeper(object)
            guard made.isPresent else { return nil }
            let (keeper, isFull) = shelf(of: key).withLock { shelf in
                if let keeper = shelf.join(key) { return (keeper, false) }
                shelf.keepers[key] = made
                return (made, shelf.keepers.count > shelf.room)
            }
            if isFull {
                shelf(of: key).stopAbandoned()
                shelf(of: key).withLock { $0.room = max(16, $0.keepers.count * 2) }
            }
            return keeper
        }

        /// The keeper of an object that has observations.
        private static func present(_ object: AnyObject) -> ObjectKeeper? {
            let key = Unmanaged.passUnretained(object).toOpaque()
            return shelf(of: key).withLock { $0.keepers[key] }
        }

        /// An observation has ended.
        @usableFromInline
        func leave() {
            let finished = shelf(of: key).withLock { shelf -> ObjectKeeper? in
                observations -= 1
                guard observations == 0 else { return nil }
                defer { if shelf.keepers.isEmpty { shelf.keepers = [:] } }
                return shelf.keepers.removeValue(forKey: key)
            }
            withExtendedLifetime(finished) {}
        }

        /// Stops the observations of all objects that are dead.
        public static func stopAllAbandoned() {
            for shelf in shelves { shelf.stopAbandoned() }
        }

        /// How many objects observe, or have died without being found out.
        public static var count: Int { shelves.reduce(0) { $0 + $1.withLock(\.keepers.count) } }
    }

    extension Guarded where State == Shelf {
        /// Looks without the lock, because looking at an object can release it.
        fileprivate func stopAbandoned() {
            for one in withLock({ Array($0.keepers.values) }) where !one.isPresent { one.stopAbandoned() }
        }
    }
#endif
