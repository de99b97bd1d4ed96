// SPDX-License-Identifier: MIT

import ObserverEngine

/// Ends the listening of one listener. It keeps nothing alive, and releasing it ends nothing.
public final class Disposable: Sendable {
    @usableFromInline let id: ObservationID

    @inlinable
    init(_ id: ObservationID) { self.id = id }

    /// Ends it: no call of the handler begins any more, not even in a delivery that is in progress. A call
    /// that is running on another thread may finish. Any thread may do this, any number of times.
    public func dispose() { id.stop() }

    /// Ends it when a bag dies.
    public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// Ends the listening of many listeners, when it dies.
///
///     receiver.listen { print($0) }.disposed(by: bag)
public final class DisposeBag: Sendable {
    private let keeper = Keeper()

    /// An empty bag.
    public init() {}

    /// Puts something into the bag. What has ended otherwise takes no room for long.
    public func insert(_ disposable: Disposable) { keeper.keep(disposable.id) }
}
