// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    import Synchronization

    /// A handler of which nobody can see what it is for, because it is a closure, and that holds its own context: it
    /// pays no regard to what else would end one.
    public protocol OpaqueHandler: MessageHandler {}

    extension ObservationID {
        /// Says what the observation is for, to those who look at ``Core/purposes``.
        ///
        /// - Parameter purpose: lives as long as the observation: its handler holds it, or whoever holds it
        ///   stops the observation first. The handler is an `OpaqueHandler`.
        public func serve(_ purpose: AnyObject) {
            _ = withLivingRecord { record, _ in
                record.pointee.purpose = UInt(bitPattern: Unmanaged.passUnretained(purpose).toOpaque())
                return true
            }
        }
    }

    extension Core where Handler: OpaqueHandler {
        /// The living observations, in their order, and what each is for, as far as anybody has said.
        public var purposes: [(id: ObservationID, purpose: AnyObject?)] {
            lock()
            defer { unlock() }
            guard let entries else { return [] }
            var purposes: [(id: ObservationID, purpose: AnyObject?)] = []
            for position in 0..<entries.count {
                guard let record = entries.records[position], record.pointee.isLiving.load(ordering: .relaxed)
                else { continue }
                let purpose = UnsafeRawPointer(bitPattern: record.pointee.purpose)
                purposes.append(
                    (
                        ObservationID(rawValue: record.pointee.id),
                        purpose.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
                    ))
            }
            return purposes
        }
    }
#endif
