// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine
import Synchronization

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
        let relay = Relay.begin(kind, from: source.core, to: target, step)
        let origin = Origin(
            kind, from: source, by: relay, keepsSource: keepsSource, computing: isBuffered ? step : nil)
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
    let step: CStep
    let leading: Leading
    private var intake: Intake<CHandler>!
    private(set) var observation = ObservationID(rawValue: 0)
    /// Points at the inlet that is to be let go after the last call, owned, or, after that call, at this.
    private let next = Atomic<UnsafeMutableRawPointer?>(nil)

    /// The function of the observation of the source.
    static var receive: swo_handler {
        { context, message, author in
            Unmanaged<Relay>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.intake.receive(message, author) }
        }
    }

    /// - Parameter end: where the messages go in the end, if something stands in between.
    @inline(never)
    static func begin(
        _ kind: StaticString, from source: Core<CHandler>, to target: Core<CHandler>,
        leadingTo end: Core<CHandler>? = nil, _ step: @escaping CStep
    ) -> Relay {
        let relay = Relay(Leading(target: end ?? target, kind: kind), from: source, to: target, step)
        relay.observation = source.observe(
            CHandler(function: receive, context: Unmanaged.passRetained(relay).toOpaque()),
            destroy: { Unmanaged<Relay>.fromOpaque($0!).takeRetainedValue().finish() })
        return relay
    }

    /// Stops, and lets an inlet go that is held, once no call is running any more.
    func giveWay(to inlet: Core<CHandler>) {
        let held = Unmanaged.passRetained(inlet).toOpaque()
        let isFirst = next.compareExchange(expected: nil, desired: held, ordering: .acquiringAndReleasing).exchanged
        if isFirst { observation.stop() } else { Relay.letGo(held) }
    }

    /// The last call has returned.
    private func finish() {
        let this = Unmanaged.passUnretained(self).toOpaque()
        if let held = next.exchange(this, ordering: .acquiringAndReleasing) { Relay.letGo(held) }
    }

    private static func letGo(_ held: UnsafeMutableRawPointer) {
        Unmanaged<Core<CHandler>>.fromOpaque(held).takeRetainedValue().letGo()
    }

    private init(
        _ leading: Leading, from source: Core<CHandler>, to target: Core<CHandler>, _ step: @escaping CStep
    ) {
        self.source = .passUnretained(source)
        self.target = target
        self.step = step
        self.leading = leading
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
