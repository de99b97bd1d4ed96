// SPDX-License-Identifier: MIT

// What operators do over time. `pass` sends a message that has been kept.

/// Passes on the latest message when none has come for a while. It waits once for all messages that come meanwhile.
///
///     sent              1 2 3 . . . 4 . . .
///     debounced by 2            3       4
public func debouncing<Handler: MessageHandler>(
    _ interval: Int64, _ waiting: Waiting, _ pass: @escaping (Handler.Stored, Handler.Author) -> Bool
) -> TimedRule<Handler> {
    var latest: (message: Handler.Stored, author: Handler.Author, cause: KeptCause?)?
    return TimedRule(
        take: { message, author in
            guard let kept = Handler.copy(message) else { return false }
            latest = (kept, author, .here)
            return waiting.wait(until: waiting.deadline(in: interval))
        },
        timeIsUp: {
            guard let due = latest else { return true }
            latest = nil
            return due.cause.during { pass(due.message, due.author) }
        },
        forget: { latest = nil })
}

/// Passes on at most one message in so much time: the first at once, or the latest at its end, or both.
///
///     sent              1 2 3 . . 4 . . .
///     first, in 3       1         4
///     latest, in 3            3       4
///     both, in 3        1     3     4
public func throttling<Handler: MessageHandler>(
    _ interval: Int64, first passesFirst: Bool, latest passesLatest: Bool, _ waiting: Waiting,
    _ pass: @escaping (Handler.Stored, Handler.Author) -> Bool,
    _ passAtOnce: @escaping (Handler.Message, Handler.Author) -> Bool
) -> TimedRule<Handler> {
    var latest: (message: Handler.Stored, author: Handler.Author, cause: KeptCause?)?
    /// The end of the time that runs; it has begun with what was passed on, or with what waits.
    var end = Deadline.none, isRunning = false
    return TimedRule(
        take: { message, author in
            if isRunning, latest == nil, waiting.clock.now >= end.due { isRunning = false }
            if !isRunning {
                isRunning = true
                end = waiting.deadline(in: interval)
                if passesFirst { return passAtOnce(message, author) }
            }
            guard passesLatest else { return true }
            guard let kept = Handler.copy(message) else { return false }
            latest = (kept, author, .here)
            return waiting.wait(until: end)
        },
        timeIsUp: {
            guard let due = latest else { return true }
            latest = nil
            // First, for handlers may send.
            isRunning = passesFirst
            if isRunning { end = waiting.deadline(in: interval) }
            return due.cause.during { pass(due.message, due.author) }
        },
        // Who observes now has received nothing in the time that ran.
        begin: {
            isRunning = false
            return true
        },
        forget: { latest = nil })
}

/// Passes each message on a while later.
///
///     sent          1 2 . . 3
///     delayed by 2      1 2     3
public func delaying<Handler: MessageHandler>(
    _ interval: Int64, _ waiting: Waiting, _ pass: @escaping (Handler.Stored, Handler.Author) -> Bool
) -> TimedRule<Handler> {
    // The deadline of a message stands beside it, in its author, and its cause.
    let messages = MessageQueue<Handler.Stored, (Deadline, Handler.Author, KeptCause?)>()
    return TimedRule(
        take: { message, author in
            guard let kept = Handler.copy(message) else { return false }
            let deadline = waiting.deadline(in: interval)
            messages.append(kept, (deadline, author, .here))
            return messages.count > 1 ? !waiting.clock.isOver : waiting.wait(until: deadline)
        },
        timeIsUp: {
            guard let due = messages.popFirst() else { return true }
            // First, for handlers may send.
            let waits = messages.firstAuthor.map { waiting.wait(until: $0.0) } ?? true
            return due.author.2.during { pass(due.message, due.author.1) } && waits
        },
        forget: { while messages.popFirst() != nil {} })
}

/// Passes on all messages, and does something else when none has come for a while, once.
///
///     sent             1 . . . . . 2 3 . . . .
///     timeout after 3  1     x     2 3     x
///
/// - Parameter expire: sends what is sent then.
public func timingOut<Handler: MessageHandler>(
    _ interval: Int64, _ waiting: Waiting, _ passAtOnce: @escaping (Handler.Message, Handler.Author) -> Bool,
    _ expire: @escaping () -> Bool
) -> TimedRule<Handler> {
    let begin = { waiting.wait(until: waiting.deadline(in: interval)) }
    return TimedRule(
        take: { message, author in
            let waits = begin()
            return passAtOnce(message, author) && waits
        },
        timeIsUp: expire,
        begin: begin)
}

/// Passes messages on together: so many, or those of so much time, which begins with the first.
///
///     sent                1 2 3 . 4 . . . .
///     so many, 2            12      34
///     in so much time, 3        123      4
///
/// - Parameters:
///   - count: `nil` where their number does not matter.
///   - pass: sends the messages, which are given up when it returns, by the author of the last.
public func buffering<Handler: MessageHandler>(
    _ count: Int?, _ interval: Int64, _ waiting: Waiting,
    _ pass: @escaping (_ messages: inout [Handler.Stored], Handler.Author) -> Bool
) -> TimedRule<Handler> {
    var messages: [Handler.Stored] = []
    var latest: (author: Handler.Author, cause: KeptCause?)?
    var end = Deadline.none
    let passAll = {
        guard !messages.isEmpty, let last = latest else { return true }
        var passed: [Handler.Stored] = []
        swap(&passed, &messages)
        latest = nil
        return last.cause.during { pass(&passed, last.author) }
    }
    return TimedRule(
        take: { message, author in
            guard let kept = Handler.copy(message) else { return false }
            if messages.isEmpty { end = waiting.deadline(in: interval) }
            messages.append(kept)
            latest = (author, .here)
            if let count, messages.count >= count {
                waiting.waitNoMore()
                return passAll()
            }
            return waiting.wait(until: end)
        },
        timeIsUp: passAll,
        forget: {
            messages = []
            latest = nil
        })
}

/// Sends at regular intervals.
///
/// - Parameter tick: sends, with how many intervals have passed since it began. What comes too late for several comes once.
public func ticking<Handler: MessageHandler>(
    _ interval: Int64, _ waiting: Waiting, _ tick: @escaping (_ count: Int64) -> Bool
) -> TimedRule<Handler> {
    var start: Int64 = 0
    return TimedRule(
        take: { _, _ in true },
        timeIsUp: {
            let passed = (waiting.clock.now - start) / interval
            // First, for handlers may stop this.
            let waits = waiting.wait(until: waiting.clock.deadline(after: start + passed * interval, interval))
            return tick(passed) && waits
        },
        begin: {
            start = waiting.clock.now
            return waiting.wait(until: waiting.clock.deadline(after: start, interval))
        })
}
