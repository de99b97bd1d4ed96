// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_observe_answering")
public func swo_observe_answering(
    _ observable: OpaquePointer?, _ observer: OpaquePointer?, _ handler: swo_answering_handler?,
    _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?, _ answers: UnsafePointer<swo_answers>?,
    _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    let context = Context(context, destroy)
    guard let observable, let handler, let answers, answers.pointee.size >= MemoryLayout<swo_answers>.size,
        answers.pointee.type != nil
    else { return SWO_INVALID_ARGUMENT }
    let id = withHandle(observable, ObservableHandle.self) { handle in
        let answering = AnsweringHandler(handler, context, answers.pointee, handle.core)
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
    private let function: swo_answering_handler
    private let context: Context
    private let answers: swo_answers
    // Not kept: the core outlives its handlers.
    private let core: Unmanaged<Core<CHandler>>

    init(
        _ function: @escaping swo_answering_handler, _ context: Context, _ answers: swo_answers, _ core: Core<CHandler>
    ) {
        self.function = function
        self.context = context
        self.answers = answers
        self.core = .passUnretained(core)
    }

    func receive(_ message: UnsafePointer<swo_value>) {
        if message.pointee.kind == SWO_KIND_OBJECT, message.pointee.as.object.type == answers.type {
            return call(message.pointee.as.object.pointer)
        }
        guard let convert = answers.convert else { return }
        guard let made = convert(context.pointer, message) else { return fail() }
        call(made)
        answers.release?(made)
    }

    private func call(_ object: UnsafeMutableRawPointer?) {
        if let answer = function(context.pointer, object) {
            answers.release?(answer)
        } else {
            fail()
        }
    }

    private func fail() {
        guard let failed = answers.failed else { return }
        failed(context.pointer)
        core._withUnsafeGuaranteedRef { $0.reportFailure() }
    }
}
