// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_effect")
public func swo_effect(
    _ function: swo_procedure?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ options: UnsafePointer<swo_effect_options>?, _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    let context = Context(context, destroy)
    let options = options?.pointee ?? plain
    guard let function, areValid(options) else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    if isComputing { return SWO_COMPUTING }
    let effect = CEffect(function, context, options.clean_up)
    let name = options.name.flatMap { strdup($0) }
    effect.core.setName(options.name.flatMap { strdup($0) })
    return effect.begin(options, named: name, out)
}

private var plain: swo_effect_options {
    var options = swo_effect_options()
    options.size = MemoryLayout<swo_effect_options>.size
    return options
}

private func areValid(_ options: swo_effect_options) -> Bool {
    if options.size < MemoryLayout<swo_effect_options>.size { return false }
    if let executor = options.executor, !isValid(executor.pointee) { return false }
    guard let name = options.name else { return true }
    return isUTF8(UnsafeRawBufferPointer(start: name, count: strlen(name)))
}

/// An effect: what its one observation calls, and ends with.
private final class CEffect {
    let core = Core<CHandler>(kind: text("effect"))
    private let function: swo_procedure
    private let cleanUp: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    private let context: Context
    /// Set once, before the first run.
    private var effect: Effect<CHandler>!
    private var id = ObservationID(rawValue: 0)
    /// What the first run has returned. Only that run writes it: later ones may be on other threads.
    private var first: swo_status?
    private var hasToCleanUp = false

    init(
        _ function: @escaping swo_procedure, _ context: Context,
        _ cleanUp: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    ) {
        self.function = function
        self.context = context
        self.cleanUp = cleanUp
        let itself = Unmanaged.passUnretained(self)
        effect = Effect(
            core: core, message: { StoredMessage(HeldRun($0).message) },
            author: UnsafeRawPointer(Unmanaged.passUnretained(core).toOpaque())
        ) { itself._withUnsafeGuaranteedRef { $0.call() } }
    }

    deinit {
        effect.close()
        clean()
        core.close()
    }

    func begin(
        _ options: swo_effect_options, named name: UnsafeMutablePointer<CChar>?,
        _ out: UnsafeMutablePointer<swo_observation>?
    ) -> swo_status {
        let handler = CHandler(
            function: { effect, _, _ in
                Unmanaged<CEffect>.fromOpaque(effect!)._withUnsafeGuaranteedRef { $0.run() }
            },
            context: Unmanaged.passRetained(self).toOpaque())
        let destroy: Destroy = { Unmanaged<CEffect>.fromOpaque($0!).release() }
        let make = { [self] (id: ObservationID) -> CHandler in
            self.id = id
            out?.pointee = id.rawValue
            return handler
        }
        if let executor = options.executor {
            let handle = ObservableHandle(core)
            let delivery = ExecutorDelivery(destroy, executor.pointee, from: core, make)
            delivery.begin(handle, keptBy: options.observer, named: name)
            return SwiftObserverC.status(of: core.send(stored: StoredMessage(OwnedValue()), author: nil))
        }
        core.observe(destroy: destroy, named: name) { id in
            if let observer = options.observer {
                withHandle(observer, Keeper.self, function: "swo_effect") { $0.keep(id) }
            }
            return make(id)
        }
        _ = core.send(stored: StoredMessage(OwnedValue()), author: nil)
        let status = first ?? SWO_OK
        if status != SWO_OK { id.stop() }
        return status
    }

    /// Nothing of this is used any more when the function has been stopped and has returned: the caller holds it.
    private func run() {
        clean()
        guard id.isLiving else { return }
        if effect.run() { hasToCleanUp = true } else { core.reportFailure() }
    }

    private func call() -> Bool {
        let status = function(context.pointer)
        if first == nil { first = status }
        return status == SWO_OK
    }

    private func clean() {
        guard hasToCleanUp, let cleanUp else { return }
        hasToCleanUp = false
        readingUntracked { cleanUp(context.pointer) }
    }
}

/// What messages have that ask for a run of an effect: the last one to end ends the run.
private final class HeldRun: Held {
    private let run: DueRun

    init(_ run: DueRun) { self.run = run }

    deinit { run.end() }

    var message: OwnedValue {
        OwnedValue(borrowed: swo_object(Unmanaged.passUnretained(self).toOpaque(), heldRunType), held: self)
    }
}

nonisolated(unsafe) private var typeOfHeldRun = swo_object_type(
    size: MemoryLayout<swo_object_type>.size,
    retain: { _ = Unmanaged<HeldRun>.fromOpaque($0!).retain() },
    release: { Unmanaged<HeldRun>.fromOpaque($0!).release() }, equal: nil)

/// A global variable is where it is at any time.
nonisolated(unsafe) private let heldRunType = withUnsafeMutablePointer(to: &typeOfHeldRun) { UnsafePointer($0) }
