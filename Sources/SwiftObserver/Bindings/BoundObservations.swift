// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization

/// The observations by which a variable is bound to observables. They end with the variable.
///
/// Most variables have none, so the keeper of these is made for the first.
@usableFromInline
struct BoundObservations: ~Copyable, Sendable {
    /// The address of the keeper, which this holds; 0 where there is none.
    private let keeper = Atomic<UInt>(0)

    @usableFromInline init() {}

    func keep(_ observation: ObservationID) {
        if let present = held { return present.takeUnretainedValue().keep(observation) }
        let made = Unmanaged.passRetained(Keeper())
        let isMade = keeper.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing
        ).exchanged
        if !isMade { made.release() }
        held?.takeUnretainedValue().keep(observation)
    }

    private var held: Unmanaged<Keeper>? {
        UnsafeRawPointer(bitPattern: keeper.load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
    }

    deinit {
        // What it is bound to can be the next of a long chain.
        if let held { unwinding { held.release() } }
    }
}
