// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization

/// The messages of an observable, one after the other, for a task to wait for.
///
///     for await color in sky.messages() { print(color) }
///     for await number in number.messages(buffering: .newest(1)).map(\.new) { print(number) }
///
/// The observation begins where `messages` is called, so nothing is lost that is sent before the loop
/// begins, or while its body runs, as far as there is room in the buffer. It ends when the task is
/// cancelled, or when the sequence and its iterator are no longer held. The loop ends when the
/// observation has ended, or when the observable has died and its last message has been received.
///
/// A transform is kept by its sequence, with what it comes from, so that `number.new().messages()` receives. Any other
/// observable is not, and neither is what an observer observes: `observer.observe(number).new().messages()`.
///
/// There is one buffer: a second iteration goes on where the first one ended. Two tasks must not
/// ask for messages at once.
public struct Messages<Message: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never

    @usableFromInline let source: MessageSource<Message>

    @inlinable
    init(
        _ buffering: Buffering, keeping transform: (any Upstream)? = nil,
        _ observe: (_ put: @escaping (Message) -> Void) -> ObservationHandle
    ) {
        source = MessageSource(buffering, keeping: transform, observe)
    }

    @inlinable
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let source: MessageSource<Message>

        @inlinable
        init(source: MessageSource<Message>) { self.source = source }

        @inlinable
        public mutating func next() async -> Message? { await next(isolation: #isolation) }

        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Message? {
            await source.next(isolation: actor)
        }
    }
}

@available(*, unavailable)
extension Messages.Iterator: Sendable {}

/// Ends the observation of a sequence when the sequence is no longer held.
///
/// - Note: `@unchecked Sendable`: the transform is held and not used, and one task at a time uses what it has taken.
@usableFromInline
final class MessageSource<Message: Sendable>: @unchecked Sendable {
    @usableFromInline let buffer: MessageBuffer<Message>
    /// The messages that the asking task has taken out of the buffer, the last one first.
    @usableFromInline @exclusivity(unchecked) var here: [Message] = []
    @usableFromInline let isAsked = Atomic(false)
    /// Whether the last message had come before it was asked for.
    @usableFromInline @exclusivity(unchecked) var comesInARow = false
    @usableFromInline let observation: ObservationHandle
    @usableFromInline let transform: (any Upstream)?

    @inlinable
    init(
        _ buffering: Buffering, keeping transform: (any Upstream)?,
        _ observe: (_ put: @escaping (Message) -> Void) -> ObservationHandle
    ) {
        self.transform = transform
        let buffer = MessageBuffer<Message>(buffering)
        let end = End(buffer)
        observation = observe { end.buffer.put($0) }
        self.buffer = buffer
        buffer.begin()
    }

    deinit { end() }

    @inlinable
    func next(isolation actor: isolated (any Actor)?) async -> Message? {
        if let message = takeNow() {
            comesInARow = true
            return message
        }
        if comesInARow {
            comesInARow = false
            buffer.spin()
            if let message = takeNow() {
                comesInARow = true
                return message
            }
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { buffer.next($0) }
        } onCancel: {
            end()
        }
    }

    /// The next message, if there is one and the task is not cancelled.
    @inlinable
    func takeNow() -> Message? {
        precondition(!isAsked.exchange(true, ordering: .acquiring), "two tasks ask for the next message at once")
        defer { isAsked.store(false, ordering: .releasing) }
        if Task.isCancelled {
            here = []
            return nil
        }
        if let message = here.popLast() { return message }
        buffer.takeNow(&here)
        return here.popLast()
    }

    @usableFromInline
    func end() {
        observation.stop()
        // Also lets go a sender that waits for room.
        buffer.finish(discarding: true)
    }
}

/// Dies with the observation, whatever ends it.
@usableFromInline
final class End<Message: Sendable>: Sendable {
    @usableFromInline let buffer: MessageBuffer<Message>
    @inlinable init(_ buffer: MessageBuffer<Message>) { self.buffer = buffer }
    deinit { buffer.finish() }
}

extension Observable where Message: Sendable {
    /// The messages that are sent from now on, for a task to wait for. See ``Messages``.
    @inlinable
    public func messages(buffering: Buffering = .unbounded) -> Messages<Message> {
        let messenger = messenger
        return Messages(buffering, keeping: messenger.upstream) { put in
            ObservationHandle(id: messenger.observe { _ in .message(put) })
        }
    }
}

extension BufferedObservable where Message: Sendable {
    /// The latest message and those that are sent from now on, for a task to wait for. See ``Messages``.
    @inlinable
    public func messages(replaying replay: BufferReplay, buffering: Buffering = .unbounded) -> Messages<Message> {
        guard replay == .latest else { return messages(buffering: buffering) }
        let messenger = messenger
        return Messages(buffering, keeping: messenger.upstream) { put in
            ObservationHandle(id: messenger.observe(replaying: { latestOf(self) }) { _ in .message(put) })
        }
    }
}

extension BufferedObservable where Message: Sendable {
    /// The present value of a variable and each new one, for a task to wait for. See ``Messages``.
    ///
    ///     for await name in name.values() { print(name) }
    ///     for await level in level.values(buffering: .newest(1)) { ... }
    ///
    /// The first is the value of the moment in which this is called.
    @inlinable
    public func values<Value: Sendable>(buffering: Buffering = .unbounded) -> Messages<Value>
    where Message == Update<Value> {
        let messenger = messenger
        return Messages(buffering, keeping: messenger.upstream) { put in
            ObservationHandle(id: messenger.observe(replaying: { latestOf(self) }) { _ in .message { put($0.new) } })
        }
    }
}

extension AdHocObservation where Message: Sendable {
    /// Begins the observation, for a task to wait for its messages. It ends with the observer, too.
    ///
    ///     for await number in dog.observe(number).new().messages() { print(number) }
    @inlinable
    public func messages(buffering: Buffering = .unbounded) -> Messages<Message> {
        Messages(buffering) { put in begin({ _ in .message(put) }, ChainEnd()) }
    }
}
