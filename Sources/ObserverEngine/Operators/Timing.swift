// SPDX-License-Identifier: MIT

/// An operator that waits for a clock: a rule over messages and over time.
///
///     source --take--\
///     clock  --due----+--> [junction] --> rule --> transform
///     observations ---/
///
/// It waits only while the transform is observed, at most once at a time, and keeps nothing when it ends.
public final class Timing<Handler: MessageHandler>: @unchecked Sendable {
    private let junction: Junction<Handler>
    private let waiting: Waiting

    /// - Parameters:
    ///   - author: of signals, which have none; never passed on.
    ///   - target: the core of the transform, which keeps this.
    public init(
        on clock: TimerQueue, author: Handler.Author, for target: AnyCore, _ make: (Waiting) -> TimedRule<Handler>
    ) {
        let waiting = Waiting(clock), rule = make(waiting), target = Unmanaged.passUnretained(target)
        let begin = {
            if waiting.hasBegun { return true }
            waiting.hasBegun = true
            return rule.begin()
        }
        junction = Junction { part, message, author in
            if let message {
                if !waiting.hasBegun {
                    // What tells of an observation that has just begun may be on its way.
                    guard target._withUnsafeGuaranteedRef({ $0.observationCount > 0 }) else { return true }
                    _ = begin()
                }
                let isTaken = rule.take(message, author)
                if clock.isOver { rule.forget() }
                return isTaken
            }
            switch part {
            case Signal.due: return !waiting.isOver() || rule.timeIsUp()
            case Signal.begin:
                return begin()
            default:
                waiting.end()
                rule.forget()
                return true
            }
        }
        self.waiting = waiting
        waiting.wake = { [junction] in junction.signal(Signal.due, author: author) == .sent }
        self.author = author
    }

    private let author: Handler.Author

    /// Takes in a message.
    public func take(_ message: Handler.Message, author: Handler.Author) -> Outcome {
        junction.take(message, of: 0, author: author)
    }

    /// The transform is observed.
    public func begin() { _ = junction.signal(Signal.begin, author: author) }

    /// The transform is observed no more.
    public func pause() { _ = junction.signal(Signal.pause, author: author) }

    /// The transform is dead.
    public func end() {
        junction.close()
        waiting.cancel()
    }
}

private enum Signal {
    static var due: Int { -1 }
    static var begin: Int { -2 }
    static var pause: Int { -3 }
}

/// A rule over messages and time. It is called for one thing at a time.
public struct TimedRule<Handler: MessageHandler> {
    /// Takes in a message. Each of these returns false if something has failed.
    let take: (Handler.Message, Handler.Author) -> Bool
    /// It is due: it waits no more.
    let timeIsUp: () -> Bool
    /// The transform is observed.
    var begin: () -> Bool = { true }
    /// The transform is observed no more: it waits no more, and what waits is to be given up.
    var forget: () -> Void = {}
}

/// The one time that an operator waits for.
///
/// - Note: `@unchecked Sendable`: `present` is guarded, and for all else the rule's turn is.
public final class Waiting: @unchecked Sendable {
    let clock: TimerQueue
    /// What it waits for, and what the clock has been told. The two differ where messages go on coming, so that each
    /// costs the clock nothing.
    private var wanted = Deadline.none, told = Deadline.none
    /// Whether the transform is observed, in the order in which all that happens to it comes here.
    fileprivate var hasBegun = false
    fileprivate var wake: () -> Bool = { true }
    private let present = Guarded<Wait?>(nil)

    fileprivate init(_ clock: TimerQueue) { self.clock = clock }

    /// When what begins to wait now is due.
    func deadline(in interval: Int64) -> Deadline { clock.deadline(after: nil, interval) }

    /// Waits, for this alone.
    ///
    /// - Returns: False if nothing will be due any more.
    func wait(until deadline: Deadline) -> Bool {
        wanted = deadline
        if told.order != 0, !deadline.isBefore(told) { return !clock.isOver }
        return tell()
    }

    private func tell() -> Bool {
        told = wanted
        let wait = present.withLock { $0 } ?? make()
        return clock.set(wait, wanted)
    }

    /// It is due.
    ///
    /// - Returns: False if it has been put off meanwhile.
    fileprivate func isOver() -> Bool {
        guard wanted.order != 0 else { return false }
        guard wanted.order == told.order, clock.now >= wanted.due else {
            _ = tell()
            return false
        }
        wanted = .none
        told = .none
        return true
    }

    private func make() -> Wait {
        let made = Wait(wake)
        present.withLock { $0 = made }
        return made
    }

    fileprivate func end() {
        hasBegun = false
        waitNoMore()
    }

    func waitNoMore() {
        wanted = .none
        told = .none
        cancel()
    }

    fileprivate func cancel() {
        let wait = present.withLock { present in
            defer { present = nil }
            return present
        }
        if let wait { clock.cancel(wait) }
    }
}
