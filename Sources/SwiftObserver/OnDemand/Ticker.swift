// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends at equal intervals, while it is observed, how many of them have passed since then: 1, 2, 3, ...
///
///     let seconds = Ticker(every: .seconds(1))
///     observer.observe(seconds, on: MainActor.shared) { count in ... }
///
/// The first number comes one interval after the first observer. Intervals are counted from there, so that they do not
/// drift; where the clock runs late, several are sent as one. Its owner must hold it.
///
/// It waits as a ``Timed`` does: it sends on a thread of Swift concurrency, or on the one that turns a ``ManualClock``.
public final class Ticker: Observable {
    /// Carries the messages to the observers.
    public let messenger = Messenger<Int>(of: Ticker.self)

    private let timing: Timing<ClosureHandler<Int>>
    private let whileObserved: RefCount<Ticker>

    /// A ticker that goes by a clock.
    public init(every interval: Duration, clock: some Clock<Duration> = ContinuousClock()) {
        precondition(interval > .zero, "a ticker has an interval greater than zero")
        let target = messenger.core, interval = interval.interval
        let author = Unmanaged<AnyObject>.passUnretained(messenger)
        timing = Timing(on: timers(of: clock), author: messenger, for: target) { waiting in
            ticking(interval, waiting) { count in
                target.send(Int(count), author: author.takeUnretainedValue()) == .sent
            }
        }
        whileObserved = RefCount(of: target)
        whileObserved.follow()
        whileObserved.set(
            ObservedWork(begin: { [timing] in timing.begin() }, end: { [timing] in timing.pause() }), for: nil)
        messenger.replay = { [weak self] in
            self.map { $0.whileObserved.settle($0) }
            return []
        }
    }

    deinit {
        timing.end()
        whileObserved.set(nil, for: nil)
    }
}

/// - Note: `@unchecked`: nothing of it changes but what its timing and its messenger guard.
extension Ticker: @unchecked Sendable {}
