// SPDX-License-Identifier: MIT

import Synchronization

/// Calls around each delivery, on the thread that makes it: for runtimes with a lock of their own.
///
/// A delivery is all that one thread delivers in one go: a message, and those that came meanwhile.
public final class DeliveryHooks {
    @usableFromInline let enter: () -> Void
    @usableFromInline let leave: () -> Void

    public init(enter: @escaping () -> Void, leave: @escaping () -> Void) {
        self.enter = enter
        self.leave = leave
    }
}

extension AnyCore {
    /// The calls around each delivery that begins from now on. Without it, sending costs no more for it.
    public final var deliveryHooks: DeliveryHooks? {
        get {
            lock()
            defer { unlock() }
            return hooks
        }
        set {
            lock()
            let before = hooks
            if newValue != nil || before != nil { makeSideTable().pointee.hooks = newValue }
            state.set(CoreState.hooked, newValue != nil)
            unlock()
            // It may hold what runs foreign code when it is released.
            withExtendedLifetime(before) {}
        }
    }
}

extension AnyCore {
    /// Delivers, with what is to be done before and after. No lock is held.
    @inlinable @inline(__always)
    final func withHooks(_ deliver: () -> Outcome) -> Outcome {
        let hooks = state.load() & CoreState.hooked != 0 ? deliveryHooks : nil
        hooks?.enter()
        defer { hooks?.leave() }
        return deliver()
    }
}
