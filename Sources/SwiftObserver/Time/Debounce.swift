// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable where Message: Sendable {
    /// An observable that sends the latest message of this one when none has come for a while.
    ///
    ///     sent              1 2 3 . . . 4 . . .
    ///     debounced for 2           3       4
    ///
    ///     let queries = text.new().debounce(for: .milliseconds(300))
    ///
    /// However many messages come, it waits once. See ``Timed`` for what all have in common that waits.
    public func debounce(
        for interval: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) -> Timed<Self, Message> {
        let interval = interval.interval
        return Timed(self, on: clock) { debouncing(interval, $1, passing(to: $0)) }
    }

    /// An observable that sends at most one message of this one in so much time: the first at once, and the latest at the end
    /// of the time, where others have come.
    ///
    ///     sent                      1 2 3 . . 4 . . .
    ///     throttled for 3           1     3     4
    ///     the first, latest: false  1         4
    ///     the latest, first: false      3       4
    ///
    /// - Parameters:
    ///   - interval: so much time.
    ///   - first: whether the first message is sent at once.
    ///   - latest: whether the latest message is sent at the end.
    ///   - clock: measures the time.
    public func throttle(
        for interval: Duration, first: Bool = true, latest: Bool = true,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Timed<Self, Message> {
        precondition(first || latest, "a throttle sends the first message, or the latest one, or both")
        let interval = interval.interval
        return Timed(self, on: clock) {
            throttling(interval, first: first, latest: latest, $1, passing(to: $0), passing(to: $0))
        }
    }

    /// An observable that sends each message of this one a while later, by the same author. It keeps each until then, without a
    /// bound.
    ///
    ///     sent           1 2 . . 3
    ///     delayed for 2      1 2     3
    public func delay(
        for interval: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) -> Timed<Self, Message> {
        let interval = interval.interval
        return Timed(self, on: clock) { delaying(interval, $1, passing(to: $0)) }
    }

    /// An observable that sends what this one sends, and another message when none has come for a while, since the last one, or
    /// since it is observed: once, until the next message.
    ///
    ///     sent             1 . . . . . 2 3 . . . .
    ///     timeout after 3  1     x     2 3     x
    ///
    /// - Parameters:
    ///   - interval: how long a while is.
    ///   - message: is sent then. Its author is this observable.
    ///   - clock: measures the time.
    public func timeout(
        after interval: Duration, sending message: Message, clock: some Clock<Duration> = ContinuousClock()
    ) -> Timed<Self, Message> {
        let interval = interval.interval
        return Timed(self, on: clock) { [weak self] target, waiting in
            let pass = passing(to: target)
            return timingOut(interval, waiting, pass) { self.map { pass(message, $0) } ?? true }
        }
    }

    /// An observable that sends the messages of this one together: when there are so many, or when so much time has passed
    /// since the first of them; by the author of the last.
    ///
    ///     sent               1 2 3 . 4 . . . .
    ///     count: 2             12    34
    ///     for: 3                   123     4
    public func collect(
        count: Int? = nil, for interval: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) -> Timed<Self, [Message]> {
        precondition(count ?? 1 > 0, "messages are collected until there is one at least")
        let interval = interval.interval
        return Timed(self, on: clock) { target, waiting in
            buffering(count, interval, waiting) { target.pass($0, author: $1) == .sent }
        }
    }
}

extension Observable {
    /// An observable that sends arrays of so many messages of this one, by the author of the last.
    ///
    ///     sent         1 2   3 4   5
    ///     collect(2)     1,2   3,4
    @inlinable
    public func collect(_ count: Int) -> Transform<Self, [Message]> { Transform(self, collecting(count)) }
}

extension AdHocObservation {
    /// Receives arrays of so many messages.
    ///
    ///     sent         1 2   3 4   5
    ///     collect(2)     1,2   3,4
    @inlinable
    public func collect(_ count: Int) -> AdHocObservation<[Message]> { through { collecting(count) } }
}
