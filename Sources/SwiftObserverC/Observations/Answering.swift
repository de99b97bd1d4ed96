// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_observe_answering")
public func swo_observe_answering(
    _ observable: OpaquePointer?, _ observer: OpaquePointer?, _ handler: swo_answering_handler?,
    _ function: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ answers: UnsafePointer<swo_answers>?, _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    guard let observable, let handler, let answers, answers.pointee.size >= MemoryLayout<swo_answers>.size,
        answers.pointee.type != nil
    else {
        destroy?(context)
        return SWO_INVALID_ARGUMENT
    }
    return begin(observable, observer, out) { AnsweringFunction(handler, function, context, destroy, answers, $0) }
}

@_cdecl("swo_observe_method")
public func swo_observe_method(
    _ observable: OpaquePointer?, _ observer: OpaquePointer?, _ method: UnsafePointer<swo_method>?,
    _ function: UnsafeMutableRawPointer?, _ reference: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?,
    _ destroy: swo_destroy?, _ answers: UnsafePointer<swo_answers>?, _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    guard let observable, let answers, answers.pointee.size >= MemoryLayout<swo_answers>.size,
        answers.pointee.type != nil, let method, method.pointee.size >= MemoryLayout<swo_method>.size,
        method.pointee.resolve != nil, method.pointee.call != nil
    else {
        destroy?(context)
        return SWO_INVALID_ARGUMENT
    }
    return begin(observable, observer, out) {
        AnsweringMethod(method, function, reference, context, destroy, answers, $0)
    }
}

private func begin(
    _ observable: OpaquePointer, _ observer: OpaquePointer?, _ out: UnsafeMutablePointer<swo_observation>?,
    _ answering: (Core<CHandler>) -> AnsweringHandler
) -> swo_status {
    withObservable(observable) { handle in
        let id = handle.core.observe(
            CHandler(
                function: { answering, message, _ in
                    Unmanaged<AnsweringHandler>.fromOpaque(answering!)._withUnsafeGuaranteedRef { $0.receive(message) }
                },
                context: Unmanaged.passRetained(answering(handle.core)).toOpaque()),
            destroy: { Unmanaged<AnsweringHandler>.fromOpaque($0!).release() })
        if let observer { withHandle(observer, Keeper.self) { $0.keep(id) } }
        out?.pointee = id.rawValue
        handle.isObservedAgain()
        return SWO_OK
    }
}

/// Takes the object out of a message for a handler, and sees to what the handler answers.
private class AnsweringHandler {
    private let context: UnsafeMutableRawPointer?
    private let destroy: swo_destroy?
    final let answers: UnsafePointer<swo_answers>
    // Not kept: the core outlives its handlers.
    private let core: Unmanaged<Core<CHandler>>

    init(
        _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?, _ answers: UnsafePointer<swo_answers>,
        _ core: Core<CHandler>
    ) {
        self.context = context
        self.destroy = destroy
        self.answers = answers
        self.core = .passUnretained(core)
    }

    deinit { destroy?(context) }

    final func receive(_ message: UnsafePointer<swo_value>) {
        if message.pointee.kind == SWO_KIND_OBJECT, message.pointee.as.object.type == answers.pointee.type {
            return call(message.pointee.as.object.pointer)
        }
        guard let convert = answers.pointee.convert else { return }
        guard let made = convert(context, message) else { return fail() }
        call(made)
        answers.pointee.release?(made)
    }

    /// Calls what is to be called.
    func call(_ object: UnsafeMutableRawPointer?) {}

    final func finish(_ answer: UnsafeMutableRawPointer?) {
        if let answer {
            answers.pointee.release?(answer)
        } else {
            fail()
        }
    }

    final func fail() {
        guard let failed = answers.pointee.failed else { return }
        var taken: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) = (nil, nil, nil)
        answers.pointee.take?(&taken.0, &taken.1, &taken.2)
        withUnsafeBytes(of: &taken) {
            failed(context, $0.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).baseAddress!)
        }
        core._withUnsafeGuaranteedRef { $0.reportFailure() }
    }
}

private final class AnsweringFunction: AnsweringHandler {
    private let handler: swo_answering_handler
    private let function: UnsafeMutableRawPointer?

    init(
        _ handler: @escaping swo_answering_handler, _ function: UnsafeMutableRawPointer?,
        _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?, _ answers: UnsafePointer<swo_answers>,
        _ core: Core<CHandler>
    ) {
        self.handler = handler
        self.function = function
        super.init(context, destroy, answers, core)
    }

    override func call(_ object: UnsafeMutableRawPointer?) { finish(handler(function, object)) }
}

private final class AnsweringMethod: AnsweringHandler {
    private let method: UnsafePointer<swo_method>
    private let function: UnsafeMutableRawPointer?
    private let reference: UnsafeMutableRawPointer?

    init(
        _ method: UnsafePointer<swo_method>, _ function: UnsafeMutableRawPointer?,
        _ reference: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
        _ answers: UnsafePointer<swo_answers>, _ core: Core<CHandler>
    ) {
        self.method = method
        self.function = function
        self.reference = reference
        super.init(context, destroy, answers, core)
    }

    override func call(_ object: UnsafeMutableRawPointer?) {
        guard let target = method.pointee.resolve?(reference) else { return fail() }
        if target != method.pointee.absent {
            var arguments = (target, object)
            finish(
                withUnsafeBytes(of: &arguments) {
                    method.pointee.call?(
                        function, $0.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).baseAddress!, 2, nil)
                })
        }
        answers.pointee.release?(target)
    }
}
