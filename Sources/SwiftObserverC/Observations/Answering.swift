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
    let id = withHandle(observable, ObservableHandle.self) { handle in
        let answering = AnsweringHandler(handler, function, context, destroy, answers, handle.core)
        return handle.core.observe(
            CHandler(
                function: { answering, message, _ in
                    Unmanaged<AnsweringHandler>.fromOpaque(answering!)._withUnsafeGuaranteedRef { $0.receive(message) }
                },
                context: Unmanaged.passRetained(answering).toOpaque()),
            destroy: { Unmanaged<AnsweringHandler>.fromOpaque($0!).release() })
    }
    if let observer { withHandle(observer, Keeper.self) { $0.keep(id) } }
    out?.pointee = id.rawValue
    return SWO_OK
}

/// Takes the object out of a message for a handler, and sees to what the handler answers.
private final class AnsweringHandler {
    private let handler: swo_answering_handler
    private let function: UnsafeMutableRawPointer?
    private let context: UnsafeMutableRawPointer?
    private let destroy: swo_destroy?
    private let answers: UnsafePointer<swo_answers>
    // Not kept: the core outlives its handlers.
    private let core: Unmanaged<Core<CHandler>>

    init(
        _ handler: @escaping swo_answering_handler, _ function: UnsafeMutableRawPointer?,
        _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?, _ answers: UnsafePointer<swo_answers>,
        _ core: Core<CHandler>
    ) {
        self.handler = handler
        self.function = function
        self.context = context
        self.destroy = destroy
        self.answers = answers
        self.core = .passUnretained(core)
    }

    deinit { destroy?(context) }

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
        if let answer = handler(function, object) {
            answers.pointee.release?(answer)
        } else {
            fail()
        }
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
