// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_observe_answering")
public func swo_observe_answering(
    _ observable: OpaquePointer?, _ observer: OpaquePointer?, _ answers: UnsafePointer<swo_answers>?,
    _ function: UnsafeMutableRawPointer?, _ reference: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?,
    _ destroy: swo_destroy?, _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    guard let observable, let answers, areValid(answers.pointee, resolving: reference != nil) else {
        destroy?(context)
        return SWO_INVALID_ARGUMENT
    }
    if platform_is_out_of_memory() {
        destroy?(context)
        return SWO_NO_MEMORY
    }
    return withCore(observable) { core in
        let answering = AnsweringHandler(answers, function, reference, context, destroy, core)
        let id = core.observe(
            CHandler(
                function: { answering, message, _ in
                    Unmanaged<AnsweringHandler>.fromOpaque(answering!)._withUnsafeGuaranteedRef { $0.receive(message) }
                },
                context: Unmanaged.passRetained(answering).toOpaque()),
            destroy: { Unmanaged<AnsweringHandler>.fromOpaque($0!).release() })
        if let observer { withHandle(observer, Keeper.self) { $0.keep(id) } }
        out?.pointee = id.rawValue
        isObservedAgain(observable)
        return SWO_OK
    }
}

private func areValid(_ answers: swo_answers, resolving: Bool) -> Bool {
    answers.size >= MemoryLayout<swo_answers>.size && answers.type != nil && answers.call != nil
        && (!resolving || answers.resolve != nil)
}

/// Takes the object out of a message for a function of a runtime, and sees to what that answers.
private final class AnsweringHandler {
    private let answers: UnsafePointer<swo_answers>
    private let function: UnsafeMutableRawPointer?
    private let reference: UnsafeMutableRawPointer?
    private let context: UnsafeMutableRawPointer?
    private let destroy: swo_destroy?
    // Not kept: the core outlives its handlers.
    private let core: Unmanaged<Core<CHandler>>

    init(
        _ answers: UnsafePointer<swo_answers>, _ function: UnsafeMutableRawPointer?,
        _ reference: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
        _ core: Core<CHandler>
    ) {
        self.answers = answers
        self.function = function
        self.reference = reference
        self.context = context
        self.destroy = destroy
        self.core = .passUnretained(core)
    }

    deinit { if let destroy { platform_end(destroy, context) } }

    func receive(_ message: UnsafePointer<swo_value>) {
        if message.pointee.kind == SWO_KIND_OBJECT, message.pointee.as.object.type == answers.pointee.type {
            return call(message.pointee.as.object.pointer)
        }
        guard let convert = answers.pointee.convert else { return }
        guard let made = convert(context, message) else { return fail() }
        call(made)
        answers.pointee.release?(made)
    }

    private func call(_ object: UnsafeMutableRawPointer?) {
        guard let reference else { return call((nil, object), from: 1) }
        guard let target = answers.pointee.resolve!(reference) else { return fail() }
        if target != answers.pointee.absent { call((target, object), from: 0) }
        answers.pointee.release?(target)
    }

    private func call(_ arguments: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?), from first: Int) {
        let answer = withUnsafeBytes(of: arguments) {
            answers.pointee.call!(
                function, $0.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).baseAddress! + first, 2 - first, nil
            )
        }
        guard let answer else { return fail() }
        answers.pointee.release?(answer)
    }

    private func fail() {
        guard let failed = answers.pointee.failed else { return }
        var taken: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) = (nil, nil, nil)
        answers.pointee.take?(&taken.0, &taken.1, &taken.2)
        withUnsafeBytes(of: &taken) {
            failed(context, $0.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).baseAddress!)
        }
        core._withUnsafeGuaranteedRef { $0.reportFailure() }
    }
}
