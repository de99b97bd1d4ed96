// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

/// A step from a borrowed message and its author to a message that borrows from it, or from the step.
typealias CStep = AuthoredStep<UnsafePointer<swo_value>, UnsafeRawPointer?, swo_value>

extension swo_value {
    /// What a step makes when it cannot do its part.
    static var failure: swo_value { swo_value(kind: -1, owned: 0, as: swo_null().as) }
}

/// Makes an observable that sends what a step makes of the messages of `source`.
///
/// - Parameter isBuffered: whether the step makes something of every message, and remembers nothing, so that
///   the latest message can be computed.
@inline(never)
func attach(
    _ kind: StaticString, to source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    keepsSource: Bool = true, isBuffered: Bool = false, _ step: @escaping CStep
) -> swo_status {
    guard let source, let out else { return SWO_INVALID_ARGUMENT }
    withHandle(source, ObservableHandle.self) { source in
        let target = Core<CHandler>()
        let observation = Relay.begin(kind, from: source.core, to: target, step)
        let buffer = isBuffered ? source.buffer.map { computing($0, step) } : nil
        let origin = Origin(
            kind, sources: keepsSource ? [source] : [], observations: [observation], buffer: buffer)
        out.pointee = ObservableHandle(core: target, origin: origin).export()
        source.isObservedAgain()
    }
    return SWO_OK
}

/// The step itself. Not optimised, or there would be a copy of all that takes a step for each of them.
@_optimize(none) @inline(never)
func step(_ step: @escaping CStep) -> CStep { step }

/// The step that passes on, as they are, the messages that another one lets pass.
func passing(_ step: @escaping Step<UnsafePointer<swo_value>, UnsafePointer<swo_value>>) -> CStep {
    SwiftObserverC.step { message, _ in step(message).map { $0.pointee } }
}

func passingAll() -> CStep { step { message, _ in message.pointee } }

/// What stands between a source and a transform. The observation of the source holds it, and it holds
/// the core of the transform, so that a message under way finds both when the transform dies.
final class Relay {
    private let target: Core<CHandler>
    private let source: Unmanaged<Core<CHandler>>
    private let step: CStep
    private let kind: StaticString
    private var intake: Intake<CHandler>!

    /// The function of the observation of the source.
    static var receive: swo_handler {
        { context, message, author in
            Unmanaged<Relay>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.intake.receive(message, author) }
        }
    }

    var leading: Leading { Leading(target: target, kind: kind) }

    @inline(never)
    static func begin(
        _ kind: StaticString, from source: Core<CHandler>, to target: Core<CHandler>, _ step: @escaping CStep
    ) -> ObservationID {
        let relay = Relay(kind, from: source, to: target, step)
        return source.observe(
            CHandler(function: receive, context: Unmanaged.passRetained(relay).toOpaque()),
            destroy: { Unmanaged<Relay>.fromOpaque($0!).release() })
    }

    private init(
        _ kind: StaticString, from source: Core<CHandler>, to target: Core<CHandler>, _ step: @escaping CStep
    ) {
        self.source = .passUnretained(source)
        self.target = target
        self.step = step
        self.kind = kind
        intake = Intake(
            source: source,
            handler: CHandler(
                function: { context, message, author in
                    Unmanaged<Relay>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.pass(message, author) }
                },
                context: Unmanaged.passUnretained(self).toOpaque()))
    }

    private func pass(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        guard let made = step(message, author) else { return }
        guard made.kind >= 0 else { return source.takeUnretainedValue().reportFailure() }
        let outcome = withUnsafePointer(to: made) { target.send($0, author: author) }
        if outcome != .sent { source.takeUnretainedValue().reportFailure() }
    }
}
