// SPDX-License-Identifier: MIT

public import SwiftObserver

/// What is read from `@Observable` objects of the Observation module, as something to observe.
///
///     let name = Tracked { person.name }
///     observer.observe(name) { update in print(update.old, update.new) }
///
/// It sends an update for each change of what it reads, in order and none left out: a change that is
/// followed by another when that begins, the last one when the actor has time. A variable's rules apply:
/// what is equal is no change.
///
/// It must be held. It holds what its closure captures, and nothing that it reads holds it. The
/// objects have to be changed where it was made, on the actor or on the queue, as those of the main actor
/// are anyway.
public final class Tracked<Value>: BufferedObservable {
    private let variable: Var<Value>
    private let tracking: Tracking<Value>

    /// Tracks what a closure reads on the actor where this is made. Somewhere else it does not compile.
    public convenience init(isolation: any Actor = #isolation, _ read: @escaping () -> Value) {
        let isolation = Isolation(isolation)
        self.init(read, isHere: { isolation.isCurrent }, runLater: isolation.runLater)
    }

    /// Tracks what a closure reads from objects that are changed on a queue.
    public convenience init(on queue: some DeliveryQueue, _ read: @escaping () -> Value) {
        self.init(read, isHere: { true }, runLater: queue.runLater)
    }

    private init(
        _ read: @escaping () -> Value, isHere: @escaping () -> Bool,
        runLater: @escaping (@escaping @Sendable () -> Void) -> Void
    ) {
        let tracking = Tracking(read, isHere, runLater)
        variable = Var(tracking.track())
        self.tracking = tracking
        tracking.report = { [unowned self] in variable.set($0, author: self) }
    }

    public var messenger: Messenger<Update<Value>> { variable.messenger }

    /// The value that was reported last.
    public var value: Value { variable.value }

    public var latestMessage: Update<Value> { variable.latestMessage }
}
