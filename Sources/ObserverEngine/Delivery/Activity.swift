// SPDX-License-Identifier: MIT

/// Something that begins when an observable is observed, and ends when it is not any more.
///
///     observations   0    1  2  1    0        1
///                       begin       end     begin
///
/// The calls alternate and never overlap: whoever finds one in progress leaves the next one to the thread
/// that makes it. What comes and goes meanwhile is not noticed.
///
/// - Note: `@unchecked Sendable`: everything that changes is guarded by the lock of the core.
public final class Activity<Observable: AnyObject>: @unchecked Sendable {
    /// What begins or ends. It runs without a lock.
    public final class Call {
        let make: (_ begins: Bool) -> Void

        public init(_ make: @escaping (_ begins: Bool) -> Void) { self.make = make }
    }

    // Not kept: whoever looks holds it.
    private let core: Unmanaged<AnyCore>
    private let hidden: UInt32
    /// What is to be called, as long as the observable lives.
    private var call: Call?
    /// What has begun, and not ended.
    private var begun: Call?
    /// Whether a thread is looking after this.
    private var isAttended = false
    /// Kept alive for what that thread may begin.
    private var kept: Observable?

    /// - Parameters:
    ///   - core: of the observable. Nobody else follows it.
    ///   - hidden: how many observations are the observable's own, and do not count.
    public init(of core: AnyCore, hiding hidden: Int = 0) {
        self.core = .passUnretained(core)
        self.hidden = UInt32(hidden)
    }

    /// From now on notices that observations end.
    public func follow() {
        core._withUnsafeGuaranteedRef { $0.follow { [self] _ in settle(nil) } }
    }

    /// Has something else done, or nothing. What has begun ends first.
    public func set(_ call: Call?, for observable: Observable?) {
        lock()
        let before = self.call
        self.call = call
        unlock()
        settle(observable)
        withExtendedLifetime(before) {}
    }

    /// Makes the call that is due, if one is. Call this when an observation has begun.
    ///
    /// - Parameter observable: is alive as long as `begin` runs, which may be on another thread.
    public func settle(_ observable: Observable?) {
        lock()
        let isMine = !isAttended
        isAttended = true
        if !isMine, kept == nil { kept = observable }
        unlock()
        guard isMine else { return }
        while let due = callDue() { due.call.make(due.begins) }
    }

    private func callDue() -> (call: Call, begins: Bool)? {
        lock()
        let wanted = core._withUnsafeGuaranteedRef { $0.living > hidden } ? call : nil
        if begun !== wanted, let due = begun ?? wanted {
            let begins = begun == nil
            begun = begins ? due : nil
            unlock()
            return (due, begins)
        }
        // Whatever changes from now on is looked after by whoever changes it.
        isAttended = false
        let observable = kept
        kept = nil
        unlock()
        // Letting go of it may be its death.
        return withExtendedLifetime(observable) { nil }
    }

    private func lock() { core._withUnsafeGuaranteedRef { $0.lock() } }
    private func unlock() { core._withUnsafeGuaranteedRef { $0.unlock() } }
}
