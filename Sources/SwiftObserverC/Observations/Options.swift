// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

@_cdecl("swo_observe_with")
public func swo_observe_with(
    _ observable: OpaquePointer?, _ options: UnsafePointer<swo_observe_options>?, _ handler: swo_handler?,
    _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?, _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    guard let observable, let handler, options.map({ areValid($0.pointee) }) ?? true else {
        destroy?(context)
        return SWO_INVALID_ARGUMENT
    }
    let options = options?.pointee ?? swo_observe_options()
    let handle = handle(observable)
    var replay: Replay<CHandler>?
    if options.replay != 0 {
        replay = handle.replay(bounded(options.replay))
        guard replay != nil else {
            destroy?(context)
            return SWO_WRONG_KIND
        }
    }
    let attendant = Attendant(CHandler(function: handler, context: context), destroy, options, handle)
    let begun = { (id: ObservationID) in
        attendant.begin(id)
        if let observer = options.observer { withHandle(observer, Keeper.self) { $0.keep(id) } }
        out?.pointee = id.rawValue
    }
    if let executor = options.executor {
        Courier.observe(
            handle.core, attendant.handler, attendant.destroy, executor.pointee, replay, handle.turns, attendant.name,
            begun)
    } else {
        handle.core.begin(attendant.handler, attendant.destroy, replay, handle.turns, begun)
    }
    handle.isObservedAgain()
    return SWO_OK
}

private func areValid(_ options: swo_observe_options) -> Bool {
    guard options.size >= MemoryLayout<swo_observe_options>.size else { return false }
    if let executor = options.executor, !isValid(executor.pointee) { return false }
    if let hooks = options.hooks, hooks.pointee.size < MemoryLayout<swo_hooks>.size { return false }
    guard let name = options.name else { return true }
    return isUTF8(UnsafeRawBufferPointer(start: name, count: strlen(name)))
}

extension Core<CHandler> {
    /// Begins an observation.
    ///
    /// - Parameters:
    ///   - turns: where the replay has to wait for its turn, if it has to.
    ///   - begun: is told the id before the replay is received.
    @inline(never)
    func begin(
        _ handler: CHandler, _ destroy: @escaping Destroy, _ replay: Replay<CHandler>?, _ turns: Turns?,
        _ begun: (ObservationID) -> Void
    ) {
        if let replay, let turns, let id = observe(handler, destroy: destroy, replayingLater: replay) {
            begun(id)
            turns.join()
        } else if let replay {
            _ = observe(handler, destroy: destroy, replaying: replay, begun: begun)
        } else {
            begun(observe(handler, destroy: destroy))
        }
    }
}

/// Stands before a handler and sees to the options of its observation, which holds it.
final class Attendant {
    private let target: CHandler
    private let end: Destroy?
    private let hooks: swo_hooks
    private let isOnce: Bool
    /// What the observation is called.
    let name: Name?
    /// Kept alive, if that was asked for.
    private let observable: ObservableHandle?
    /// Zero until it is known.
    private let id = Atomic<UInt64>(0)
    private let isOver = Atomic<Bool>(false)

    init(_ target: CHandler, _ end: Destroy?, _ options: swo_observe_options, _ observable: ObservableHandle) {
        self.target = target
        self.end = end
        hooks = options.hooks?.pointee ?? swo_hooks()
        isOnce = options.once
        name = Name.owning(options.name.flatMap { strdup($0) })
        self.observable = options.keeps_observable ? observable : nil
    }

    deinit {
        hooks.enter?(hooks.context)
        end?(target.context)
        hooks.leave?(hooks.context)
    }

    static var receive: swo_handler {
        { attendant, message, author in
            Unmanaged<Attendant>.fromOpaque(attendant!)._withUnsafeGuaranteedRef { $0.receive(message, author) }
        }
    }

    /// The handler to observe with instead. It owns this, until `destroy`.
    var handler: CHandler {
        CHandler(function: Attendant.receive, context: Unmanaged.passRetained(self).toOpaque())
    }

    var destroy: Destroy { { Unmanaged<Attendant>.fromOpaque($0!).release() } }

    func begin(_ id: ObservationID) {
        self.id.store(id.rawValue, ordering: .sequentiallyConsistent)
        // A message may have been faster.
        if isOver.load(ordering: .sequentiallyConsistent) { id.stop() }
    }

    private func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        if isOnce {
            if isOver.exchange(true, ordering: .sequentiallyConsistent) { return }
            let id = id.load(ordering: .sequentiallyConsistent)
            if id != 0 { ObservationID(rawValue: id).stop() }
        }
        hooks.enter?(hooks.context)
        target.receive(message, author)
        hooks.leave?(hooks.context)
    }
}
