// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization

extension Observer {
    /// Calls a closure now, and again after each turn in which something that it has read has changed.
    ///
    ///     screen.effect { label.text = "\(area.value) of \(limit.value)" }
    ///
    /// It runs once a turn at most, after the updates of that turn, and it ends with the observer, or when it is stopped. It
    /// keeps the variables that it has read. What it reads is of one moment, until it sets something itself; what it sets is
    /// handled when it has returned. One that causes itself a hundred times in a row rests, until there is a change that
    /// is not its own.
    ///
    /// A closure that is formed on an actor, the main actor above all, runs only there: at once if the change is made there,
    /// otherwise later. Any other runs on the thread of the change, and so captures only what is `Sendable`.
    @discardableResult
    public func effect(
        isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext _ function: @escaping @Sendable @isolated(any) () -> Void
    ) -> ObservationHandle {
        let run = called(function)
        return effect(on: function.isolation ?? isolation) { _ in run() }
    }

    /// The same with a closure that says how to clean up after it: before its next run, and when the effect ends.
    ///
    ///     screen.effect { run in
    ///         let timer = startTimer(every: interval.value)
    ///         run.onCleanUp { timer.stop() }
    ///     }
    @discardableResult
    public func effect(
        isolation: isolated (any Actor)? = #isolation,
        @_inheritActorContext _ function: @escaping @Sendable @isolated(any) (EffectRun) -> Void
    ) -> ObservationHandle {
        effect(on: function.isolation ?? isolation, called(function))
    }

    /// Calls a closure where a delivery says, and again after each turn in which something that it has read has changed. Where
    /// the queue drops the job of a run, the next change makes another one.
    @discardableResult
    public func effect(
        on delivery: Delivery, _ function: @escaping @Sendable () -> Void
    ) -> ObservationHandle {
        beginEffect(on: nil, { _ in function() }) { effect in
            nonisolated(unsafe) let effect = effect
            return observe(effect.messenger, on: effect.told(of: delivery)) { _ in effect.run() }
        }
    }

    private func effect(on actor: (any Actor)?, _ function: @escaping (EffectRun) -> Void) -> ObservationHandle {
        beginEffect(on: actor, function) { effect in
            begin(effect.messenger, .message { _ in effect.run() }, isolation: actor)
        }
    }
}

extension Observer where Self: Actor {
    /// Calls a closure of this actor, and again after each turn in which something that it has read has changed: at once if the
    /// change is made on the actor, otherwise later.
    @discardableResult
    public nonisolated func effect(
        isolation: any Actor = #isolation, _ function: @escaping () -> Void
    ) -> ObservationHandle {
        beginEffect(on: isolation, { _ in function() }) { effect in
            begin(effect.messenger, .message { _ in effect.run() }, isolation: isolation)
        }
    }
}

/// Calls a closure now, and again after each turn in which something that it has read has changed, as long as you hold what this
/// returns. See `effect` of ``Observer``.
///
///     let showing = effect { print(area.value) }
public func effect(
    isolation: isolated (any Actor)? = #isolation,
    @_inheritActorContext _ function: @escaping @Sendable @isolated(any) () -> Void
) -> KeptObservation {
    KeptObservation { $0.effect(isolation: isolation, function) }
}

/// One run of an effect.
public struct EffectRun {
    fileprivate let effect: EffectBody

    /// Has a closure called before the next run of the effect, and when the effect ends; the one that was told last first. What it
    /// reads the effect does not depend on.
    public func onCleanUp(_ cleanUp: @escaping () -> Void) { effect.cleanUps.append(cleanUp) }
}

/// The function of an effect, kept by its one observation.
private final class EffectBody {
    /// What pictures and answers call it.
    private enum Kind { enum Effect {} }
    /// Its messages ask for runs, the first for the first.
    let messenger = Messenger<HeldRun?>(of: Kind.Effect.self)
    var cleanUps: [() -> Void] = []
    let runs = Atomic(0)
    private let function: (EffectRun) -> Void
    private let home: Isolation?
    /// Set once, before the first run.
    private var effect: Effect<ClosureHandler<HeldRun?>>!

    init(on actor: (any Actor)?, _ function: @escaping (EffectRun) -> Void) {
        self.function = function
        home = actor.map { Isolation($0) }
        effect = Effect(core: messenger.core, message: { HeldRun($0) }, author: effectAuthor) {
            [unowned(unsafe) self] in
            self.function(EffectRun(effect: self))
            return true
        }
    }

    func run() {
        runs.add(1, ordering: .relaxed)
        cleanUp()
        effect.run()
    }

    /// The same delivery, on a queue whose jobs tell this when they have not had it run: the message of a job that was dropped
    /// stays in the mailbox, which delivers it with the next job.
    func told(of delivery: Delivery) -> Delivery {
        guard case .later(let queue) = delivery.way else { return delivery }
        return .async(EffectQueue(queue: queue, effect: self))
    }

    func rest() { effect.rest() }

    private func cleanUp() {
        let due = cleanUps
        cleanUps = []
        callAll(due)
    }

    deinit {
        effect.close()
        guard !cleanUps.isEmpty else { return }
        guard let home, !home.isCurrent else { return callAll(cleanUps) }
        nonisolated(unsafe) let due = cleanUps
        home.runLater { callAll(due) }
    }
}

/// What messages have that ask for a run: where the last one of them ends, the run ends.
private final class HeldRun: Sendable {
    nonisolated(unsafe) private let run: DueRun
    init(_ run: DueRun) { self.run = run }
    deinit { run.end() }
}

private struct EffectQueue: DeliveryQueue, @unchecked Sendable {
    let queue: any DeliveryQueue
    weak var effect: EffectBody?

    func runLater(_ job: @escaping @Sendable () -> Void) {
        guard let effect else { return }
        let job = EffectJob(job, of: effect)
        queue.runLater { job.run() }
    }
}

/// A job of an effect, which rests if that does not have it run: the queue drops it, or the effect is blocked.
private final class EffectJob: @unchecked Sendable {
    private let job: @Sendable () -> Void
    private weak var effect: EffectBody?
    private var hasRun = false

    init(_ job: @escaping @Sendable () -> Void, of effect: EffectBody) {
        self.job = job
        self.effect = effect
    }

    deinit {
        if !hasRun { effect?.rest() }
    }

    func run() {
        let runs = effect?.runs.load(ordering: .relaxed)
        job()
        hasRun = effect?.runs.load(ordering: .relaxed) != runs
    }
}

private func callAll(_ cleanUps: [() -> Void]) {
    readingUntracked { for cleanUp in cleanUps.reversed() { cleanUp() } }
}

private final class EffectAuthor: Sendable {}
private let effectAuthor = EffectAuthor()

/// - Parameter begin: begins the observation.
private func beginEffect(
    on actor: (any Actor)?, _ function: @escaping (EffectRun) -> Void,
    _ begin: (EffectBody) -> ObservationHandle
) -> ObservationHandle {
    precondition(!isComputing, changesNothing)
    let body = EffectBody(on: actor, function)
    let handle = begin(body)
    body.messenger.send(nil)
    return handle
}
