// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

/// A step from a borrowed message and its author to a message that borrows from it, or from the step.
typealias CStep = AuthoredStep<UnsafePointer<swo_value>, UnsafeRawPointer?, swo_value>

extension swo_value {
    /// What a step makes when it cannot do its part.
    static var failure: swo_value { swo_value(kind: -1, owned: 0, as: swo_null().as) }

    /// In `owned`, says that a step has made a copy for its caller, who clears it.
    static var made: Int32 { 2 }

    mutating func clearIfMade() { if owned == swo_value.made { clearValue(&self) } }
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
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    withObservable(source) { source in
        let target = Core<CHandler>()
        let origin = Origin(from: source, to: target, keepsSource: keepsSource, computes: isBuffered, step)
        out.pointee = ObservableHandle(kind, core: target, origin: origin).export()
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

/// What observes the source of a transform, or the serializer in between. The observation holds it, and it holds the core
/// of the transform, so that a message under way finds both when the transform dies.
final class Relay {
    private let upstream: Unmanaged<Core<CHandler>>
    /// Set where this observes a source.
    private let feed: Feed<CHandler>?
    private let target: Core<CHandler>
    private let step: CStep

    /// Begins to observe.
    @inline(never) @discardableResult
    static func begin(
        from upstream: Core<CHandler>, by feed: Feed<CHandler>? = nil, to target: Core<CHandler>,
        _ step: @escaping CStep
    ) -> ObservationID {
        upstream.observe(
            CHandler(
                function: { relay, message, author in
                    Unmanaged<Relay>.fromOpaque(relay!)._withUnsafeGuaranteedRef { $0.receive(message, author) }
                },
                context: Unmanaged.passRetained(Relay(from: upstream, by: feed, to: target, step)).toOpaque()),
            destroy: { Unmanaged<Relay>.fromOpaque($0!).release() }, feeding: target)
    }

    private init(
        from upstream: Core<CHandler>, by feed: Feed<CHandler>?, to target: Core<CHandler>, _ step: @escaping CStep
    ) {
        self.upstream = .passUnretained(upstream)
        self.feed = feed
        self.target = target
        self.step = step
    }

    @inline(__always)
    private func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        if let feed, feed.mustLineUp { return feed.lineUp(message, author) }
        guard var made = step(message, author) else { return }
        let owned = made.owned
        // What is passed on is borrowed from here.
        made.owned = 0
        if made.kind < 0 || target.pass(&made, author: author) != .sent {
            upstream._withUnsafeGuaranteedRef { $0.reportFailure() }
        }
        made.owned = owned
        made.clearIfMade()
    }
}
