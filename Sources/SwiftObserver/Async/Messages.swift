// SPDX-License-Identifier: MIT

import ObserverEngine

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

    private let source: MessageSource<Message>

    init(
        _ buffering: Buffering, keeping transform: (any Upstream)? = nil,
        _ observe: (_ put: @escaping (Message) -> Void) -> ObservationHandle
    ) {
        source = MessageSource(buffering, keeping: transform, observe)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: MessageSource<Message>

        public mutating func next() async -> Message? { await next(isolation: #isolation) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Message? {
            await source.next(isolation: actor)
        }
    }
}

@available(*, unavailable)
extension Messages.Iterator: Sendable {}

/// Ends the observation of a sequence when the sequence is no longer held.
///
/// - Note: `@unchecked Sendable`: the transform is held and not used.
private final class MessageSource<Message: Sendable>: @unchecked Sendable {
    private let buffer: MessageBuffer<Message>
    private let observation: ObservationHandle
    private let transform: (any Upstream)?

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

    func next(isolation actor: isolated (any Actor)?) async -> Message? {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { buffer.next($0) }
        } onCancel: {
            end()
        }
    }

    private func end() {
        observation.stop()
        // Also lets go a sender that waits for room.
        buffer.finish(discarding: true)
    }
}

/// Dies with the observation, whatever ends it.
private final class End<Message: Sendable>: Sendable {
    let buffer: MessageBuffer<Message>
    init(_ buffer: MessageBuffer<Message>) { self.buffer = buffer }
    deinit { buffer.finish() }
}

extension Observable where Message: Sendable {
    /// The messages that are sent from now on, for a task to wait for. See ``Messages``.
    public func messages(buffering: Buffering = .unbounded) -> Messages<Message> {
        let messenger = messenger
        return Messages(buffering, keeping: messenger.upstream) { put in
            ObservationHandle(id: messenger.observe { _ in .message(put) })
        }
    }
}

extension BufferedObservable where Message: Sendable {
    /// The latest message and those that are sent from now on, for a task to wait for. See ``Messages``.
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
    public func messages(buffering: Buffering = .unbounded) -> Messages<Message> {
        Messages(buffering) { put in begin({ _ in .message(put) }, ChainEnd()) }
    }
}
