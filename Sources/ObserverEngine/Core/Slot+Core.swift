// SPDX-License-Identifier: MIT

// A slot knows its core, and what its observation feeds, by their addresses: slots stand below cores.

extension Slot {
    /// The core, which ends all its observations before it dies.
    @inlinable var core: Unmanaged<AnyCore>? { coreAddress.map { .fromOpaque($0) } }

    @usableFromInline
    mutating func lead(to downstream: AnyCore?, continuingIn other: ObservationID?) {
        let details = makeDetails()
        details.pointee.downstreamAddress = downstream.map { Unmanaged.passUnretained($0).toOpaque() }
        details.pointee.continuation = other?.rawValue ?? 0
    }
}

extension Slot.Details {
    /// The target of its messages. Its handler keeps that.
    @inlinable var downstream: Unmanaged<AnyCore>? { downstreamAddress.map { .fromOpaque($0) } }
}
