// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

@_cdecl("swo_observable_confine")
public func swo_observable_confine(
    _ observable: OpaquePointer?, _ executor: UnsafePointer<swo_executor>?
) -> swo_status {
    guard let observable, executor.map({ isValid($0.pointee) }) ?? true else { return SWO_INVALID_ARGUMENT }
    return withObservable(observable) { handle in
        switch handle.role {
        case .messenger, .variable: break
        case .deferred, .derived, .transform: return SWO_WRONG_KIND
        }
        if platform_is_out_of_memory() { return SWO_NO_MEMORY }
        return handle.confine(to: Home(executor?.pointee)) ? SWO_OK : SWO_INVALID_ARGUMENT
    }
}

/// The thread that an observable is confined to, and the way there, if there is one.
final class Home {
    let thread = platform_thread_identity()
    let executor: swo_executor?

    /// That of the present thread.
    init(_ executor: swo_executor?) {
        self.executor = executor
        executor?.retain?(executor?.context)
    }

    deinit { executor?.release?(executor?.context) }

    /// Passes a job, which ends itself, to the thread.
    ///
    /// - Returns: False if that cannot be: then it has ended without being run.
    func take(_ job: Job) -> Bool {
        guard let executor else { return false }
        let taken = Unmanaged.passRetained(job)
        if executor.execute!(executor.context, OpaquePointer(taken.toOpaque())) == SWO_OK { return true }
        taken.release()
        return false
    }
}

/// What is to be done with what one thread leaves to that of an observable.
enum HandedOver {
    case send
    /// A variable is to hold it.
    case set
    /// What is then the latest message is to be sent.
    case sendLatest
}

extension ObservableHandle {
    /// Whether this is confined to another thread.
    var isElsewhere: Bool { confinement.map { $0.thread != platform_thread_identity() } ?? false }

    /// Leaves something to the thread that this is confined to.
    ///
    /// - Parameter message: has been checked. `nil` if there is none.
    @inline(never)
    func handOver(
        _ task: HandedOver, _ message: UnsafePointer<swo_value>?, _ author: UnsafeRawPointer
    ) -> swo_status {
        guard let home = confinement, home.executor != nil else { return SWO_WRONG_THREAD }
        // Counted, because the copy of an object is a callback, which may release it.
        let kept = Unmanaged.passRetained(self)
        defer { kept.release() }
        let isBlocked = core.isBlocked
        // A variable changes all the same.
        if isBlocked, task != .set { return SWO_OK }
        var null = swo_value()
        let copy = withUnsafePointer(to: &null) { StoredMessage(copying: message ?? $0) }
        guard let copy else { return SWO_NO_MEMORY }
        return home.take(HandingOver(task, copy, author, to: self, isHeard: !isBlocked)) ? SWO_OK : SWO_REFUSED
    }

    fileprivate func perform(
        _ task: HandedOver, _ message: StoredMessage, _ author: UnsafeRawPointer, isHeard: Bool
    ) -> Outcome {
        switch task {
        case .send: return core.send(stored: message, author: author)
        case .set:
            guard case .variable(let variable) = role else { return .sent }
            // One that is open here is of this thread: its abort must not take back what another one has set.
            return Transactions.outside { variable.set(message.newValue, author: author, isHeard: isHeard) }
        case .sendLatest:
            // Only a variable is asked to.
            return sendLatest(author, isHeard: true) ?? .sent
        }
    }
}

/// A message, or a value for a variable, on its way to the thread of its observable, which it keeps alive.
private final class HandingOver: Job {
    private let message: StoredMessage
    private let task: HandedOver
    private let author: UnsafeRawPointer
    private let target: Unmanaged<ObservableHandle>
    /// Whether the observable was not blocked when this was handed over.
    private let isHeard: Bool

    init(
        _ task: HandedOver, _ message: StoredMessage, _ author: UnsafeRawPointer, to target: ObservableHandle,
        isHeard: Bool
    ) {
        self.task = task
        self.message = message
        self.author = author
        self.target = .passRetained(target)
        self.isHeard = isHeard
    }

    deinit { target.release() }

    override func run() {
        let isLost = target._withUnsafeGuaranteedRef {
            $0.isElsewhere || $0.perform(task, message, author, isHeard: isHeard) == .noMemory
        }
        end(isLost: isLost)
    }

    override func drop() { end(isLost: true) }

    private func end(isLost: Bool) {
        if isLost { target._withUnsafeGuaranteedRef { $0.core.countRefusal() } }
        Unmanaged.passUnretained(self).release()
    }
}

/// Ends what is confined and has been released: on its own thread, where messages are left to that.
func closeAtHome(_ core: Core<CHandler>, _ home: Home) {
    if home.executor != nil, core.isLeftToHome, home.take(Closing(core, home)) { return }
    core.close()
}

/// The end of an observable, on its way to the thread that this is confined to. Run elsewhere, or dropped there, it delivers
/// nothing.
private final class Closing: Job {
    private let core: Unmanaged<Core<CHandler>>
    /// What takes this along lasts until then.
    private let home: Home

    init(_ core: Core<CHandler>, _ home: Home) {
        self.core = .passRetained(core)
        self.home = home
    }

    deinit { core.release() }

    override func run() { end() }
    override func drop() { end() }

    private func end() {
        core._withUnsafeGuaranteedRef { $0.close() }
        Unmanaged.passUnretained(self).release()
    }
}
