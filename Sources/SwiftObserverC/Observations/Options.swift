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
    guard let observable, let handler, let options = known(options), areValid(options) else {
        destroy?(context)
        return SWO_INVALID_ARGUMENT
    }
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
    guard let executor = options.executor else {
        handle.begin(attendant.handler, attendant.destroy, replay, begun)
        return SWO_OK
    }
    let before = out?.pointee
    let courier = Courier(attendant.handler, attendant.destroy, executor.pointee, attendant.name, from: handle.core)
    begun(courier.mailbox.observation)
    guard options.begins_on_executor else {
        courier.begin(handle, replay)
        return SWO_OK
    }
    if courier.beginLater(handle, replay) { return SWO_OK }
    if let before { out?.pointee = before }
    return SWO_CALLBACK_FAILED
}

/// The options as far as the program knew them that was compiled; `nil` if that is too little. What it did not know is
/// zero.
private func known(_ options: UnsafePointer<swo_observe_options>?) -> swo_observe_options? {
    var known = swo_observe_options()
    guard let options else { return known }
    let size = options.pointee.size
    // At first it ended with the name.
    guard size >= MemoryLayout<swo_observe_options>.size - MemoryLayout<Int>.size else { return nil }
    memcpy(&known, options, min(size, MemoryLayout<swo_observe_options>.size))
    return known
}

private func areValid(_ options: swo_observe_options) -> Bool {
    if options.begins_on_executor, options.executor == nil { return false }
    if let executor = options.executor, !isValid(executor.pointee) { return false }
    if let hooks = options.hooks, hooks.pointee.size < MemoryLayout<swo_hooks>.size { return false }
    guard let name = options.name else { return true }
    return isUTF8(UnsafeRawBufferPointer(start: name, count: strlen(name)))
}

extension ObservableHandle {
    /// Begins an observation.
    ///
    /// - Parameter begun: is told the id before the replay is received.
    @inline(never)
    func begin(
        _ handler: CHandler, _ destroy: @escaping Destroy, _ replay: Replay<CHandler>?,
        _ begun: (ObservationID) -> Void
    ) {
        if let replay, let turns, let id = core.observe(handler, destroy: destroy, replayingLater: replay) {
            begun(id)
            turns.join()
        } else if let replay {
            _ = core.observe(handler, destroy: destroy, replaying: replay, begun: begun)
        } else {
            begun(core.observe(handler, destroy: destroy))
        }
        isObservedAgain()
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
