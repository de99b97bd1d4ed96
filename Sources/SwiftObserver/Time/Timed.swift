// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends what an operator makes of the messages of its source over time. It holds its source, and waits only while it is
/// observed.
///
///     source --> timing --junction, rule--> Timed
///     clock ------^
///
/// A message that has waited is sent by the thread on which the clock tells the time: of Swift concurrency, or the one that turns a
/// ``ManualClock``. Once it is observed no more, nothing that waited arrives.
public final class Timed<Source: Observable, Message>: Observable {
    /// Carries the messages to the observers.
    public let messenger = Messenger<Message>(of: Timed.self)

    private let timing: Timing<ClosureHandler<Source.Message>>
    private let source: Linked<Source>
    private let whileObserved: RefCount<Timed>
    private let observation: ObservationID

    typealias Rule = TimedRule<ClosureHandler<Source.Message>>

    /// - Parameter make: makes the rule, which sends by itself.
    init(
        _ source: Source, on clock: some Clock<Duration>, _ make: (Core<ClosureHandler<Message>>, Waiting) -> Rule
    ) {
        let target = messenger.core, timing: Timing<ClosureHandler<Source.Message>>
        target.setDepth(above: source.messenger.core)
        timing = Timing(on: timers(of: clock), author: signal, for: target) { make(target, $0) }
        self.timing = timing
        self.source = Linked(source)
        whileObserved = RefCount(of: target)
        observation = source.messenger.observe(
            .authored { _ = timing.take($0, author: $1) }, feeding: target)
        whileObserved.follow()
        whileObserved.set(ObservedWork(begin: { timing.begin() }, end: { timing.pause() }), for: nil)
        messenger.replay = { [weak self] in
            self.map { $0.whileObserved.settle($0) }
            return []
        }
        messenger.belongs(to: self)
    }

    deinit {
        messenger.endTransform(of: feeding) { [observation, timing, whileObserved, source] in
            observation.stop()
            timing.end()
            whileObserved.set(nil, for: nil)
            source.letGo()
        }
    }
}

extension Timed: Upstream {
    @usableFromInline var feeding: [any AnyMessenger] { source.content.map { [$0.messenger] } ?? [] }
}

/// - Note: `@unchecked`: nothing of it changes but what its timing and its messenger guard.
extension Timed: @unchecked Sendable where Source: Sendable, Message: Sendable {}

/// The author of what is no message.
private final class Signal: Sendable {}
private let signal = Signal()

/// Sends a message that was kept.
func passing<Message>(
    to target: Core<ClosureHandler<Message>>
) -> (_ message: Message, _ author: AnyObject) -> Bool {
    { target.pass($0, author: $1) == .sent }
}
