// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

/// A step from a borrowed message and its author to what is to be passed on, if anything: the message, something in it,
/// or what the step has put into `made`.
typealias CStep = (
    _ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?, _ made: UnsafeMutablePointer<swo_value>
) -> UnsafePointer<swo_value>?

extension UnsafeMutablePointer<swo_value> {
    /// What a step returns that has made a message.
    @inline(__always)
    func with(_ value: swo_value) -> UnsafePointer<swo_value> {
        pointee = value
        return UnsafePointer(self)
    }

    /// What a step returns when it cannot do its part.
    func failing() -> UnsafePointer<swo_value> { with(swo_value(kind: -1, owned: 0, as: swo_null().as)) }

    /// Calls a closure with what a step has made, which is borrowed meanwhile, and clears it if the step owned it.
    @inline(__always)
    func lend<Result>(_ body: () -> Result) -> Result {
        let owned = pointee.owned
        pointee.owned = 0
        let result = body()
        if owned == swo_value.made {
            pointee.owned = owned
            clearValue(self)
        }
        return result
    }
}

extension swo_value {
    /// In `owned`, says that a step has made a copy.
    static var made: Int32 { 2 }
}

/// Makes an observable that sends what a step makes of the messages of `source`.
///
/// - Parameter isBuffered: whether the step makes something of every message, and remembers nothing, so that
///   the latest message can be computed.
@inline(never)
func attach(
    _ kind: StaticString, to source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    keepsSource: Bool = true, isBuffered: Bool = false, function: StaticString = #function, _ step: @escaping CStep
) -> swo_status {
    guard let source, let out else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    withObservable(source, function: function) { source in
        let target = Core<CHandler>(kind: text(kind))
        let upstream = Upstream(from: source, to: target, keepsSource: keepsSource, computes: isBuffered, step)
        out.pointee = ObservableHandle(target, .transform(upstream)).export()
        source.isObservedAgain()
    }
    return SWO_OK
}

/// Makes an observable of the messages of `source` that waits for a clock.
///
/// - Parameter make: makes the rule, which sends by itself.
@inline(never)
func attach(
    _ kind: StaticString, to source: OpaquePointer?, on clock: TimerQueue,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, function: StaticString = #function,
    _ make: (Core<CHandler>, Waiting) -> TimedRule<CHandler>
) -> swo_status {
    guard let source, let out else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    withObservable(source, function: function) { source in
        let target = Core<CHandler>(kind: text(kind)), timing = waiting(on: clock, target, make)
        let upstream = Upstream(
            from: source, to: target, timing: timing,
            step { message, author, made in
                timing.take(message, author: author) == .sent ? nil : made.failing()
            })
        upstream.waitWhileObserved(target)
        let handle = ObservableHandle(target, .transform(upstream))
        handle.followsObservations()
        out.pointee = handle.export()
        source.isObservedAgain()
    }
    return SWO_OK
}

/// What waits for a clock as long as something observes `target`.
func waiting(
    on clock: TimerQueue, _ target: Core<CHandler>, _ make: (Core<CHandler>, Waiting) -> TimedRule<CHandler>
) -> Timing<CHandler> {
    Timing(on: clock, author: nil, for: target) { make(target, $0) }
}

/// The step itself. Not optimised, or there would be a copy of all that takes a step for each of them.
@_optimize(none) @inline(never)
func step(_ step: @escaping CStep) -> CStep { step }

/// A step that needs neither author nor room.
func passing(_ step: @escaping Step<UnsafePointer<swo_value>, UnsafePointer<swo_value>>) -> CStep {
    SwiftObserverC.step { message, _, _ in step(message) }
}

func passingAll() -> CStep { step { message, _, _ in message } }

/// What observes the source of a transform, or the serializer in between. The observation holds it, and it holds the core
/// of the transform, so that a message under way finds both when the transform dies.
final class StepSink {
    private let source: Unmanaged<Core<CHandler>>
    /// Set where this observes a source. Retained once: counting it for each message would take longer than the step.
    private let subscription: Unmanaged<SourceSubscription<CHandler>>?
    private let target: Core<CHandler>
    private let step: CStep

    /// A handler for one observation.
    @inline(never)
    static func handler(
        of source: Core<CHandler>, by subscription: SourceSubscription<CHandler>?, to target: Core<CHandler>,
        _ step: @escaping CStep
    ) -> CHandler {
        CHandler(
            function: { handler, message, author in
                Unmanaged<StepSink>.fromOpaque(handler.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
                    $0.receive(message, author)
                }
            },
            context: Unmanaged.passRetained(StepSink(from: source, by: subscription, to: target, step)).toOpaque())
    }

    /// Ends such a handler.
    static var destroy: Destroy { { Unmanaged<StepSink>.fromOpaque($0!).release() } }

    private init(
        from source: Core<CHandler>, by subscription: SourceSubscription<CHandler>?, to target: Core<CHandler>,
        _ step: @escaping CStep
    ) {
        self.source = .passUnretained(source)
        self.subscription = subscription.map { .passRetained($0) }
        self.target = target
        self.step = step
    }

    deinit { subscription?.release() }

    @inline(never)
    private func report(_ outcome: Outcome) { source._withUnsafeGuaranteedRef { $0.reportFailure(outcome) } }

    @inline(never)
    private func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        if let subscription, subscription._withUnsafeGuaranteedRef({ $0.needsSerializer }) {
            return subscription._withUnsafeGuaranteedRef { $0.serialize(message, author) }
        }
        var made = swo_value()
        withUnsafeMutablePointer(to: &made) { made in
            guard let passed = step(message, author, made) else { return }
            made.lend {
                if passed.pointee.kind < 0 { return report(.handlerFailed) }
                let outcome = target.pass(passed, author: author)
                if outcome != .sent { report(outcome) }
            }
        }
    }
}
