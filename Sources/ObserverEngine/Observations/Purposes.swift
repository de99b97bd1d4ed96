// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    import CPlatform
    import Synchronization

    /// A handler of which nobody can see what it is for, because it is a closure. An object can say so in its place.
    ///
    /// A closure ends its own context, so the object takes the place of what would end one.
    public protocol OpaqueHandler: MessageHandler {}

    extension OpaqueHandler {
        @inlinable
        public func end(_ destroy: Destroy?) {
            if let destroy { platform_forget(unsafeBitCast(destroy, to: UnsafeMutableRawPointer.self)) }
        }
    }

    extension Core where Handler: OpaqueHandler {
        /// Says once what an observation is for, if it is one of this core: see ``purposes``.
        ///
        /// - Parameter purpose: an object of Swift's own. It is not kept.
        public func say(_ id: ObservationID, isFor purpose: AnyObject) {
            let pointer = Unmanaged.passUnretained(purpose).toOpaque()
            platform_remember(pointer)
            let isSaid = id.withLivingRecord { record, core in
                guard core === self, record.pointee.purpose == 0 else { return false }
                record.pointee.purpose = UInt(bitPattern: pointer)
                return true
            }
            if !isSaid { platform_forget(pointer) }
        }

        /// What each of the living observations is for, in their order. `nil` where nobody has said, or is left to be
        /// asked.
        public var purposes: [AnyObject?] {
            lock()
            defer { unlock() }
            guard let entries else { return [] }
            var purposes: [AnyObject?] = []
            for position in 0..<entries.count {
                guard let record = entries.records[position], record.pointee.isLiving.load(ordering: .relaxed)
                else { continue }
                purposes.append(
                    UnsafeMutableRawPointer(bitPattern: record.pointee.purpose).flatMap(platform_try_retain).map {
                        Unmanaged.fromOpaque($0).takeRetainedValue()
                    })
            }
            return purposes
        }
    }
#endif
