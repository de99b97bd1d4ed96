// SPDX-License-Identifier: MIT

/// What is done around each delivery, on the thread that makes it: for runtimes with a lock of their own.
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
    /// What is done around each delivery that begins from now on. Without it, sending costs no more for it.
    public final var deliveryHooks: DeliveryHooks? {
        get {
            lock()
            defer { unlock() }
            return hooks
        }
        set {
            lock()
            let before = hooks
            hooks = newValue
            if newValue == nil { lower(CoreState.hooked) } else { raise(CoreState.hooked) }
            unlock()
            // It may hold what runs foreign code when it is released.
            withExtendedLifetime(before) {}
        }
    }

    /// Gives the lock up for a delivery. Returns what is to `leave` after it.
    @inlinable
    final func enterUnlocking() -> DeliveryHooks? {
        let hooks = hooks
        unlock()
        if let hooks { hooks.enter() }
        return hooks
    }
}
