// SPDX-License-Identifier: MIT

import ObserverEngine

/// Keeps a subscription going, which ends when this is invalidated or dies.
///
/// Once it has ended no call of the update block begins any more, not even in a delivery that is in progress;
/// one that is running on another thread may finish. Any thread may do anything with it.
///
/// - Note: `@unchecked Sendable`: the unsubscriber is guarded, and called once.
public final class Subscription: @unchecked Sendable {
    /// Ends a subscription.
    public typealias UnsubscriberBlock = () -> Void

    private let unsubscriber: Guarded<UnsubscriberBlock?>

    /// A subscription that calls a closure once, when it ends.
    public init(withUnsubscriber unsubscriber: @escaping UnsubscriberBlock) {
        self.unsubscriber = Guarded(unsubscriber)
    }

    @usableFromInline
    convenience init(_ id: ObservationID) { self.init { id.stop() } }

    private init() { unsubscriber = Guarded(nil) }

    deinit {
        // An update block may hold the next subscription of a chain.
        if let unsubscribe = takeUnsubscriber() { unwinding(unsubscribe) }
    }

    /// Ends the subscription. To do so again, or inside the update block, is harmless.
    public func invalidate() { takeUnsubscriber()?() }

    private func takeUnsubscriber() -> UnsubscriberBlock? {
        unsubscriber.withLock { unsubscriber in
            defer { unsubscriber = nil }
            return unsubscriber
        }
    }

    /// Whether it has not been invalidated. A source that has died does not tell.
    public var isSubscribed: Bool { unsubscriber.withLock { $0 != nil } }

    /// A subscription to nothing.
    public static let empty = Subscription()
}
