// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observable made from another: it sends what an operator makes of the messages of its source.
///
///     source: Var<Int?>  --step-->  transform: Transform<Var<Int?>, Int>
///
/// A transform must be held, like any observable; a debug build says where one was observed that is released. It
/// holds its source; the source does not hold it. The author of a message stays who it was. What the operator remembers
/// belongs to the transform, and outlasts a change of source.
public class Transform<Source: Observable, Message>: Observable {
    /// Carries the transformed messages to the observers.
    public let messenger: Messenger<Message>

    @usableFromInline typealias Link = Switch<Source, ClosureHandler<Source.Message>>
    @usableFromInline let link: Link

    /// - Parameter actor: where the closure in the step was formed. Messages go there, and the step is put on them there.
    @inlinable
    init(_ source: Source, _ step: @escaping Step<Source.Message, Message>, on actor: (any Actor)? = nil) {
        messenger = Messenger(of: type(of: self))
        // The handler holds what a message on its way needs, should the transform die meanwhile.
        let target = messenger.core
        @inline(__always)
        func receive(_ message: Source.Message, _ author: AnyObject) {
            if let made = step(message) { _ = target.pass(made, author: author) }
        }
        if let actor {
            link = Transform.makeLink(source, to: target, .authored(receive), on: actor)
        } else {
            link = Transform.makeLink(source, to: target, .authored(receive)) { subscription in
                // All in one closure: each more is a call, and memory to touch, for every message.
                .authored {
                    if subscription.needsSerializer { subscription.serialize($0, $1) } else { receive($0, $1) }
                }
            }
        }
        messenger.belongs(to: self)
    }

    @inlinable
    init(
        _ source: Source, authored step: @escaping AuthoredStep<Source.Message, AnyObject, Message>,
        on actor: (any Actor)? = nil
    ) {
        messenger = Messenger(of: type(of: self))
        let target = messenger.core
        @inline(__always)
        func receive(_ message: Source.Message, _ author: AnyObject) {
            if let made = step(message, author) { _ = target.pass(made, author: author) }
        }
        if let actor {
            link = Transform.makeLink(source, to: target, .authored(receive), on: actor)
        } else {
            link = Transform.makeLink(source, to: target, .authored(receive)) { subscription in
                // All in one closure: each more is a call, and memory to touch, for every message.
                .authored {
                    if subscription.needsSerializer { subscription.serialize($0, $1) } else { receive($0, $1) }
                }
            }
        }
        messenger.belongs(to: self)
    }

    /// - Parameter makeHandler: says what the messages of the source do to the messenger of the transform.
    @inlinable
    init(_ source: Source, into makeHandler: (Messenger<Message>) -> ClosureHandler<Source.Message>) {
        messenger = Messenger(of: type(of: self))
        let handler = makeHandler(messenger)
        link = Transform.makeLink(source, to: messenger.core, handler) { handler.fed(by: $0) }
        messenger.belongs(to: self)
    }

    @inlinable
    deinit { messenger.endTransform(of: feeding) { [link] in link.end() } }

    /// - Parameter actor: where the handler runs: at once if the sender is there, otherwise later.
    @inlinable
    static func makeLink(
        _ source: Source, to target: AnyCore, _ handler: ClosureHandler<Source.Message>, on actor: any Actor
    ) -> Link {
        let delivery = ActorDelivery(handler, to: actor, continuingIn: nil)
        let carrier = delivery.taking(handler)
        return makeLink(source, to: target, carrier) { carrier.fed(by: $0) }
    }

    /// - Parameter fed: makes the same handler, which takes in one message at a time.
    @inlinable
    static func makeLink(
        _ source: Source, to target: AnyCore, _ handler: ClosureHandler<Source.Message>,
        fed: @escaping (SourceSubscription<ClosureHandler<Source.Message>>) -> ClosureHandler<Source.Message>
    ) -> Link {
        target.setDepth(above: source.messenger.core)
        return Switch(
            source, core: { $0.messenger.core }, feeding: target,
            observe: { $0.messenger.observe(feeding: target, after: $1, $2) }
        ) { $1.map(fed) ?? handler }
    }

    /// The observable that this transform observes. Setting it sends nothing.
    ///
    /// A transform cannot be its own source, nor that of its source.
    public var source: Source {
        get { link.source! }
        set {
            changeWithoutCycle(of: messenger.core, to: newValue.messenger.core) {
                messenger.core.setDepthUnknown()
                return link.change(to: newValue)
            }
        }
    }
}

/// Changes a source of a transform, which must not come from that.
///
/// - Parameters:
///   - source: is asked for before the change and after it.
///   - change: returns what remains to be done.
func changeWithoutCycle(of transform: AnyCore, to source: @autoclosure () -> AnyCore?, _ change: () -> (() -> Void)?) {
    func requireNoCycle() {
        let isCycle = source().map { Graph(of: transform).contains($0) } ?? false
        precondition(!isCycle, "a transform cannot come from itself")
    }
    requireNoCycle()
    let finish = change()
    // Another thread may have closed it meanwhile. No lock keeps it out, for a source may say by code of the program's which
    // messenger it has.
    requireNoCycle()
    finish?()
}

/// - Note: `@unchecked`: nothing of a transform changes but what its link and its messenger guard.
extension Transform: @unchecked Sendable where Source: Sendable, Message: Sendable {}

extension Transform: Upstream {
    @usableFromInline var feeding: [any AnyMessenger] { [source.messenger] }
}
