// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_map")
public func swo_map(
    _ source: OpaquePointer?, _ mapper: swo_mapper?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let context = Context(context, destroy)
    guard let mapper else { return SWO_INVALID_ARGUMENT }
    return attach(to: source, out) { core in
        { message in
            var made = swo_value()
            if mapper(context.pointer, message, &made) == SWO_OK, checkValue(&made) == SWO_OK { return made }
            core.reportFailure()
            return nil
        }
    }
}

@_cdecl("swo_filter")
public func swo_filter(
    _ source: OpaquePointer?, _ predicate: swo_predicate?, _ context: UnsafeMutableRawPointer?,
    _ destroy: swo_destroy?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let context = Context(context, destroy)
    guard let predicate else { return SWO_INVALID_ARGUMENT }
    return attach(to: source, out) { _ in
        chaining(filtering { predicate(context.pointer, $0) }, mapping { $0.pointee })
    }
}

@_cdecl("swo_new")
public func swo_new(_ source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?) -> swo_status {
    attach(to: source, out) { _ in
        mapping { $0.pointee.kind == SWO_KIND_UPDATE ? $0.pointee.as.update!.pointee.new_value : $0.pointee }
    }
}

/// A step from a borrowed message to one that borrows from it, or from the step's context.
typealias CStep = Step<UnsafePointer<swo_value>, swo_value>

/// Makes an observable that sends what a step makes of the messages of `source`.
private func attach(
    to source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ makeStep: (Core<CHandler>) -> CStep
) -> swo_status {
    guard let source, let out else { return SWO_INVALID_ARGUMENT }
    withHandle(source, ObservableHandle.self) { source in
        let relay = Relay(from: source.core, step: makeStep(source.core))
        let observation = source.core.observe(
            CHandler(
                function: { context, message, author in
                    Unmanaged<Relay>.fromOpaque(context!)._withUnsafeGuaranteedRef {
                        $0.intake.receive(message, author)
                    }
                },
                context: Unmanaged.passRetained(relay).toOpaque()),
            destroy: { Unmanaged<Relay>.fromOpaque($0!).release() })
        let transform = ObservableHandle(
            core: relay.target, source: .init(observable: source, observation: observation))
        out.pointee = transform.export()
    }
    return SWO_OK
}

/// What stands between a source and a transform. The observation of the source holds it, and it holds
/// the core of the transform, so that a message under way finds both when the transform dies.
private final class Relay {
    let target = Core<CHandler>()
    private let source: Unmanaged<Core<CHandler>>
    private let step: CStep
    private(set) var intake: Intake<CHandler>!

    init(from source: Core<CHandler>, step: @escaping CStep) {
        self.source = .passUnretained(source)
        self.step = step
        intake = Intake(
            source: source,
            handler: CHandler(
                function: { context, message, author in
                    Unmanaged<Relay>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.pass(message, author) }
                },
                context: Unmanaged.passUnretained(self).toOpaque()))
    }

    private func pass(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        guard let made = step(message) else { return }
        let outcome = withUnsafePointer(to: made) { target.send($0, author: author) }
        if outcome != .sent { source.takeUnretainedValue().reportFailure() }
    }
}
