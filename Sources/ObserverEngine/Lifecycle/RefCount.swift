// SPDX-License-Identifier: MIT

/// Does something while an observable is observed.
///
///     observations   0    1  2  1    0        1
///                       begin       end     begin
///
/// The calls alternate and never overlap: a thread that finds one in progress leaves the next one to the thread that
/// makes it. An observation that begins and ends meanwhile causes no call.
///
/// - Note: `@unchecked Sendable`: everything that changes is guarded by the lock of the core.
public final class RefCount<Observable: AnyObject>: @unchecked Sendable {
    public typealias Work = ObservedWork

    // Not kept: it keeps this.
    private let core: Unmanaged<AnyCore>
    private let hidden: UInt32
    /// The work, as long as the observable lives.
    private var work: Work?
    /// The work that has begun, and not ended.
    private var begun: Work?
    /// Whether a thread is making the calls that are due.
    private var isSettling = false
    /// Kept alive for what that thread may begin.
    private var kept: Observable?

    /// - Parameters:
    ///   - core: of the observable. Nothing else follows it.
    ///   - hidden: how many observations are the observable's own, and do not count.
    public init(of core: AnyCore, hiding hidden: Int = 0) {
        self.core = .passUnretained(core)
        self.hidden = UInt32(hidden)
    }

    /// From now on notices that observations end.
    public func follow() {
        core._withUnsafeGuaranteedRef { $0.follow { [self] _ in settle(nil) } }
    }

    /// Does something else from now on, or nothing. What has begun ends first.
    public func set(_ work: Work?, for observable: Observable?) {
        lock()
        let before = self.work
        self.work = work
        unlock()
        settle(observable)
        withExtendedLifetime(before) {}
    }

    /// Makes the call that is due, if one is. Call this when an observation has begun.
    ///
    /// - Parameter observable: is alive as long as `begin` runs, which may be on another thread.
    public func settle(_ observable: Observable?) {
        lock()
        let isMine = !isSettling
        isSettling = true
        if !isMine, kept == nil { kept = observable }
        unlock()
        guard isMine else { return }
        while let due = callDue() { due() }
    }

    private func callDue() -> (() -> Void)? {
        lock()
        let wanted = core._withUnsafeGuaranteedRef { $0.living > hidden } ? work : nil
        if !isSame(begun, wanted), let due = begun ?? wanted {
            let begins = begun == nil
            begun = begins ? due : nil
            unlock()
            return begins ? due.begin : due.end
        }
        // From now on, a thread that changes something makes the calls itself.
        isSettling = false
        let observable = kept
        kept = nil
        unlock()
        // This release may be the last one.
        return withExtendedLifetime(observable) { nil }
    }

    private func lock() { core._withUnsafeGuaranteedRef { $0.lock() } }
    private func unlock() { core._withUnsafeGuaranteedRef { $0.unlock() } }
}

/// Work to begin and to end. Its calls run without a lock.
public final class ObservedWork {
    let begin: () -> Void
    let end: () -> Void

    public init(begin: @escaping () -> Void, end: @escaping () -> Void) {
        self.begin = begin
        self.end = end
    }
}
