// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    import CPlatform

    extension ObservationID {
        /// Says once which object an observation serves that is not seen from its handler, which is a closure.
        ///
        /// - Parameter object: of Swift's own. It is not kept.
        public func serve(_ object: AnyObject) {
            let pointer = Unmanaged.passUnretained(object).toOpaque()
            platform_remember(pointer)
            let isSaid = withLivingSlot { slot, _ in
                guard slot.pointee.details?.pointee.served == nil else { return false }
                slot.pointee.makeDetails().pointee.served = pointer
                return true
            }
            if !isSaid { platform_forget(pointer) }
        }
    }

    extension Core {
        /// The objects that the living observations serve, of those that are known and live.
        public var servedObjects: [AnyObject] {
            var objects: [AnyObject] = []
            forEachSlot { slot in
                guard let served = slot.pointee.details?.pointee.served, let retained = platform_try_retain(served)
                else { return }
                objects.append(Unmanaged.fromOpaque(retained).takeRetainedValue())
            }
            return objects
        }
    }
#endif
