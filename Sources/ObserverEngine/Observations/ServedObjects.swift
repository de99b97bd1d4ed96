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
            let isSaid = withLivingRecord { record, _ in
                guard record.pointee.details?.pointee.served == nil else { return false }
                record.pointee.makeDetails().pointee.served = pointer
                return true
            }
            if !isSaid { platform_forget(pointer) }
        }
    }

    extension Core {
        /// The objects that the living observations serve, of those that are known and live.
        public var servedObjects: [AnyObject] {
            var objects: [AnyObject] = []
            forEachRecord { record in
                guard let served = record.pointee.details?.pointee.served, let retained = platform_try_retain(served)
                else { return }
                objects.append(Unmanaged.fromOpaque(retained).takeRetainedValue())
            }
            return objects
        }
    }
#endif
