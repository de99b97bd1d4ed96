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
    let options = options?.pointee ?? plain
    guard let observable, let handler, areValid(options) else {
        destroy?(context)
        return SWO_INVALID_ARGUMENT
    }
    if platform_is_out_of_memory() {
        destroy?(context)
        return SWO_NO_MEMORY
    }
    let handle = handle(observable)
    var replay: Replay<CHandler>?
    if options.replay != 0 {
        replay = handle.replay(bounded(options.replay))
        guard replay != nil else {
            destroy?(context)
            return SWO_WRONG_KIND
        }
        if handle.isElsewhere, !options.begins_on_executor {
            destroy?(context)
            return SWO_WRONG_THREAD
        }
    }
    let name = options.name.flatMap { strdup($0) }
    let before = out?.pointee
    let attend = { (id: ObservationID) -> CHandler in
        out?.pointee = id.rawValue
        return AttendedHandler(CHandler(function: handler, context: context), destroy, options, handle, id).handler
    }
    guard let executor = options.executor else {
        handle.begin(AttendedHandler.destroy, named: name, replay) { id in
            if let observer = options.observer { withHandle(observer, Keeper.self) { $0.keep(id) } }
            return attend(id)
        }
        return SWO_OK
    }
    let delivery = ExecutorDelivery(AttendedHandler.destroy, executor.pointee, from: handle.core, attend)
    guard options.begins_on_executor else {
        delivery.begin(handle, keptBy: options.observer, named: name, replay)
        return SWO_OK
    }
    if delivery.beginLater(handle, keptBy: options.observer, named: name, replay) { return SWO_OK }
    if let before { out?.pointee = before }
    return SWO_REFUSED
}

/// Those of `swo_observe()`.
private var plain: swo_observe_options {
    var options = swo_observe_options()
    options.size = MemoryLayout<swo_observe_options>.size
    return options
}

private func areValid(_ options: swo_observe_options) -> Bool {
    if options.size < MemoryLayout<swo_observe_options>.size { return false }
    if options.begins_on_executor, options.executor == nil { return false }
    if let executor = options.executor, !isValid(executor.pointee) { return false }
    if let hooks = options.hooks, hooks.pointee.size < MemoryLayout<swo_hooks>.size { return false }
    guard let name = options.name else { return true }
    return isUTF8(UnsafeRawBufferPointer(start: name, count: strlen(name)))
}

extension ObservableHandle {
    /// Begins an observation whose handler is made for it.
    @inline(never)
    func begin(
        _ destroy: @escaping Destroy, continuingIn other: ObservationID? = nil,
        named name: UnsafeMutablePointer<CChar>?, _ replay: Replay<CHandler>?, _ make: (ObservationID) -> CHandler
    ) {
        core.observe(
            destroy: destroy, continuingIn: other, named: name, replaying: replay, inTurn: role.assignsInTurn, make)
        isObservedAgain()
    }
}

/// Stands before a handler and sees to the options of its observation, which holds it.
final class AttendedHandler {
    private let target: CHandler
    private let end: Destroy?
    private let hooks: swo_hooks
    private let isOnce: Bool
    /// Kept alive, if that was asked for.
    private let observable: ObservableHandle?
    private let id: ObservationID
    private let isOver = Atomic<Bool>(false)

    init(
        _ target: CHandler, _ end: Destroy?, _ options: swo_observe_options, _ observable: ObservableHandle,
        _ id: ObservationID
    ) {
        self.target = target
        self.end = end
        self.id = id
        hooks = options.hooks?.pointee ?? swo_hooks()
        isOnce = options.once
        self.observable = options.keeps_observable ? observable : nil
    }

    deinit { end?(target.context) }

    /// The handler to observe with instead. It owns this, until `destroy`.
    var handler: CHandler {
        CHandler(function: receiveAttended, context: Unmanaged.passRetained(self).toOpaque())
    }

    /// That of the user, if a handler is one to observe with instead.
    static func target(of handler: CHandler) -> CHandler? {
        guard unsafeBitCast(handler.function, to: UInt.self) == unsafeBitCast(receiveAttended, to: UInt.self),
            let attended = handler.context
        else { return nil }
        return Unmanaged<AttendedHandler>.fromOpaque(attended)._withUnsafeGuaranteedRef { $0.target }
    }

    static var destroy: Destroy { { Unmanaged<AttendedHandler>.fromOpaque($0!).release() } }

    fileprivate func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        if isOnce {
            if isOver.exchange(true, ordering: .relaxed) { return }
            id.stop()
        }
        hooks.enter?(hooks.context)
        target.receive(message, author)
        hooks.leave?(hooks.context)
    }
}

private let receiveAttended: swo_handler = { attended, message, author in
    Unmanaged<AttendedHandler>.fromOpaque(attended!)._withUnsafeGuaranteedRef { $0.receive(message, author) }
}
