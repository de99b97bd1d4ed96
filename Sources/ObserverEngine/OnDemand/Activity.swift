// SPDX-License-Identifier: MIT

/// Something that begins when an observable is observed, and ends when it is not any more.
///
///     observations   0    1  2  1    0        1
///                       begin       end     begin
///
/// The calls alternate and never overlap: whoever finds one in progress leaves the next one to the thread
/// that makes it. What comes and goes meanwhile is not noticed.
///
/// - Note: `@unchecked Sendable`: everything that changes is guarded.
public final class Activity<Observable: AnyObject>: @unchecked Sendable {
    /// What begins and what ends. Both run without a lock.
    public final class Calls {
        let begin: () -> Void
        let end: () -> Void

        public init(begin: @escaping () -> Void, end: @escaping () -> Void) {
            self.begin = begin
            self.end = end
        }
    }

    // Not kept: whoever looks holds it.
    private let core: Unmanaged<AnyCore>
    private let hidden: Int
    private let state = Guarded(State())

    private struct State {
        /// What is to be done, as long as the observable lives.
        var calls: Calls?
        /// What has begun, and not ended.
        var begun: Calls?
        /// Whether a thread is looking after this.
        var isAttended = false
        /// Whether something has changed since that thread looked.
        var isStale = false
        /// Kept alive for what that thread may begin.
        var observable: Observable?
    }

    /// - Parameters:
    ///   - core: of the observable. Nobody else follows it.
    ///   - hidden: how many observations are the observable's own, and do not count.
    public init(of core: AnyCore, hiding hidden: Int = 0) {
        self.core = .passUnretained(core)
        self.hidden = hidden
    }

    /// From now on notices that observations end.
    public func follow() {
        core._withUnsafeGuaranteedRef { $0.follow { [self] _ in settle(nil) } }
    }

    /// Has something else done, or nothing. What has begun ends first.
    public func set(_ calls: Calls?, for observable: Observable?) {
        let before = state.withLock { state in
            defer { state.calls = calls }
            return state.calls
        }
        settle(observable)
        withExtendedLifetime(before) {}
    }

    /// Makes the call that is due, if one is. Call this when an observation has begun.
    ///
    /// - Parameter observable: is alive as long as `begin` runs, which may be on another thread.
    public func settle(_ observable: Observable?) {
        let isMine = state.withLock { state in
            if state.isAttended {
                state.isStale = true
                if state.observable == nil { state.observable = observable }
            }
            defer { state.isAttended = true }
            return !state.isAttended
        }
        guard isMine else { return }
        while true {
            state.withLock { $0.isStale = false }
            let isObserved = core._withUnsafeGuaranteedRef { $0.observationCount > hidden }
            let due = callDue(isObserved)
            if let calls = due.calls {
                if due.isBeginning { calls.begin() } else { calls.end() }
            } else if leave() {
                return
            }
        }
    }

    private func callDue(_ isObserved: Bool) -> (calls: Calls?, isBeginning: Bool) {
        state.withLock { state in
            let wanted = isObserved ? state.calls : nil
            guard state.begun !== wanted else { return (nil, false) }
            if let begun = state.begun {
                state.begun = nil
                return (begun, false)
            }
            state.begun = wanted
            return (wanted, true)
        }
    }

    /// - Returns: False if something has changed, and nothing is left.
    private func leave() -> Bool {
        let (isLeft, observable) = state.withLock { state -> (Bool, Observable?) in
            if state.isStale { return (false, nil) }
            defer { state.observable = nil }
            state.isAttended = false
            return (true, state.observable)
        }
        return withExtendedLifetime(observable) { isLeft }
    }
}
