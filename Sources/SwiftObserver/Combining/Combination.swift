// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends the latest messages of several observables, whenever one of them sends.
///
///     name                "" . "Ann" . . . . . "Bo"
///     age                 0  . . . .  7
///     both, from then on     ("Ann", 0) ("Ann", 7) ("Bo", 7)
///
/// It holds them all. Where all are buffered, so is this. The author is that of the message that came in.
public final class Combination<each Source: Observable>: Observable {
    /// Carries the messages to the observers.
    public let messenger: Messenger<(repeat (each Source).Message)>

    @usableFromInline let joined: JoinedSources
    @usableFromInline let sources: Linked<(repeat each Source)>

    /// - Parameter part: says where the latest message of each source is: with the source, where that is buffered.
    @inlinable
    convenience init(_ source: repeat each Source, part: repeat LatestPart<(each Source).Message>) {
        self.init(repeat each source) { target in
            let joined = JoinedParts { sender, message, author in
                sender.take(message)
                var isComplete = true
                for one in repeat each part { isComplete = one.isPresent && isComplete }
                if isComplete { _ = target.pass((repeat (each part).latest), author: author) }
                sender.forget()
            }
            repeat joined.observe(each source, as: each part, feeding: target)
            return joined.sources
        }
    }

    /// - Parameter join: makes the rule and observes the sources.
    @inlinable
    init(
        _ source: repeat each Source,
        joinedBy join: (Core<ClosureHandler<(repeat (each Source).Message)>>) -> JoinedSources
    ) {
        messenger = Messenger(of: Combination.self)
        sources = Linked((repeat each source))
        let target = messenger.core
        target.setDepthUnknown()
        joined = join(target)
        target.setDepth(above: joined.feeding.map { $0.anyCore })
        joined.begin()
        messenger.belongs(to: self)
    }

    deinit {
        messenger.endTransform(of: feeding) { [joined, sources] in
            joined.end()
            sources.letGo()
        }
    }
}

extension Combination: BufferedObservable where repeat each Source: BufferedObservable {
    /// The latest messages of all.
    public var latestMessage: (repeat (each Source).Message) {
        let sources = sources.content!
        return (repeat (each sources).latestMessage)
    }
}

extension Combination: Upstream {
    @usableFromInline var feeding: [any AnyMessenger] { joined.feeding }
}

/// - Note: `@unchecked`: nothing of it changes but what its junction and its messenger guard.
extension Combination: @unchecked Sendable where repeat each Source: Sendable {}

/// A source whose latest message is known.
@usableFromInline
final class LatestPart<Message>: Part<Message> {
    @usableFromInline let fetch: (() -> Message?)?
    /// The message that came in, or, where it cannot be fetched, the last one.
    @usableFromInline @exclusivity(unchecked) var arrived: Message?
    @usableFromInline @exclusivity(unchecked) var fetched: Message?

    @inlinable
    init<Source: Observable>(of source: Source) where Source.Message == Message {
        fetch = nil
        super.init()
    }

    @inlinable
    init<Source: BufferedObservable>(fetchingOf source: Source) where Source.Message == Message {
        fetch = { [weak source] in source?.latestMessage }
        super.init()
    }

    @inlinable override func take(_ message: UnsafeRawPointer) { arrived = Part<Message>.message(message) }

    /// A message that can be fetched is not remembered.
    @inlinable override func forget() { if fetch != nil { arrived = nil } }

    /// Also fetches the message, where it can.
    @inlinable var isPresent: Bool {
        if arrived == nil, let fetch { fetched = fetch() }
        return arrived != nil || fetched != nil
    }

    /// The messages that `isPresent` has found.
    @inlinable var latest: Message {
        defer { if fetch != nil { fetched = nil } }
        return arrived ?? fetched!
    }
}

/// The latest messages of two sources: fetched of those that know them, else remembered. Used by their rule alone.
///
/// Two have types that are known where they are combined. Of more, which `LatestPart` is for, the runtime has to find out
/// with each message what a tuple of them is.
@usableFromInline
final class LatestPair<First, Second> {
    @usableFromInline let fetchFirst: (() -> First?)?
    @usableFromInline let fetchSecond: (() -> Second?)?
    @usableFromInline @exclusivity(unchecked) var first: First?
    @usableFromInline @exclusivity(unchecked) var second: Second?

    @inlinable
    init(_ fetchFirst: (() -> First?)?, _ fetchSecond: (() -> Second?)?) {
        self.fetchFirst = fetchFirst
        self.fetchSecond = fetchSecond
    }

    /// Takes a message in.
    ///
    /// - Returns: The latest ones of both, if there are any.
    @inlinable @inline(__always)
    func take(_ message: OneOfTwo<First, Second>) -> (First, Second)? {
        switch message {
        case .first(let message):
            if fetchFirst == nil { first = message }
            guard let other = fetchSecond.map({ $0() }) ?? second else { return nil }
            return (message, other)
        case .second(let message):
            if fetchSecond == nil { second = message }
            guard let other = fetchFirst.map({ $0() }) ?? first else { return nil }
            return (other, message)
        }
    }
}

@inlinable
func combining<First: Observable, Second: Observable>(
    _ first: First, _ second: Second, _ latest: LatestPair<First.Message, Second.Message>
) -> Combination<First, Second> {
    Combination(first, second) { target in
        JoinedSources(first, second, feeding: target) { message, author in
            if let both = latest.take(message) { _ = target.pass(both, author: author) }
        }
    }
}

/// An observable that sends the latest messages of two others, whenever one of them sends. See ``combine(_:_:_:)-16h6d``.
@inlinable
public func combine<First: Observable, Second: Observable>(
    _ first: First, _ second: Second
) -> Combination<First, Second> {
    combining(first, second, LatestPair(nil, nil))
}

/// An observable that sends the latest messages of two buffered ones, whenever one of them sends, and is buffered itself. See
/// ``combine(_:_:_:)-9btby``.
@inlinable
public func combine<First: BufferedObservable, Second: BufferedObservable>(
    _ first: First, _ second: Second
) -> Combination<First, Second> {
    combining(
        first, second, LatestPair({ [weak first] in first?.latestMessage }, { [weak second] in second?.latestMessage }))
}

/// An observable that sends the latest messages of several others, whenever one of them sends.
///
///     let isValid = combine(name.new(), age.new()).map { name, age in !name.isEmpty && age > 17 }
///
/// It begins when each of them has sent. It holds them.
@inlinable
public func combine<First: Observable, Second: Observable, each Other: Observable>(
    _ first: First, _ second: Second, _ other: repeat each Other
) -> Combination<First, Second, repeat each Other> {
    Combination(
        first, second, repeat each other, part: LatestPart(of: first), LatestPart(of: second),
        repeat LatestPart(of: each other))
}

/// An observable that sends the latest messages of several buffered ones, whenever one of them sends, and is buffered itself.
///
///     let isValid = combine(name.new(), age.new()).map { name, age in !name.isEmpty && age > 17 }
///     observer.observe(isValid, replaying: .latest) { button.isEnabled = $0 }
///
/// Of variables it sends updates, so it is mostly made of their ``Observable/new()``. A value that is a function of variables
/// is a ``Derived``, which sends once for a transaction of several.
@inlinable
public func combine<First: BufferedObservable, Second: BufferedObservable, each Other: BufferedObservable>(
    _ first: First, _ second: Second, _ other: repeat each Other
) -> Combination<First, Second, repeat each Other> {
    Combination(
        first, second, repeat each other, part: LatestPart(fetchingOf: first), LatestPart(fetchingOf: second),
        repeat LatestPart(fetchingOf: each other))
}

extension Observable {
    /// An observable that sends the latest messages of this one and of others. See ``combine(_:_:_:)-16h6d``.
    public func combined<Second: Observable, each Other: Observable>(
        with second: Second, _ other: repeat each Other
    ) -> Combination<Self, Second, repeat each Other> {
        combine(self, second, repeat each other)
    }
}

extension BufferedObservable {
    /// An observable that sends the latest messages of this one and of others, and is buffered. See ``combine(_:_:_:)-9btby``.
    public func combined<Second: BufferedObservable, each Other: BufferedObservable>(
        with second: Second, _ other: repeat each Other
    ) -> Combination<Self, Second, repeat each Other> {
        combine(self, second, repeat each other)
    }
}

/// Sends the latest messages of any number of observables of one type, in their order, whenever one of them sends.
///
/// It holds them all. Where they are buffered, so is this. The author is that of the message that came in.
public final class ListCombination<Source: Observable>: Observable {
    /// Carries the messages to the observers.
    public let messenger = Messenger<[Source.Message]>(of: ListCombination.self)

    private let joined: JoinedSources
    private let sources: Linked<[Source]>

    fileprivate init(_ sources: [Source], _ part: (Source) -> LatestPart<Source.Message>) {
        self.sources = Linked(sources)
        let target = messenger.core, parts = sources.map(part)
        target.setDepthUnknown()
        let joining = JoinedParts { sender, message, author in
            sender.take(message)
            if parts.allSatisfy(\.isPresent) { _ = target.pass(parts.map(\.latest), author: author) }
            sender.forget()
        }
        for (source, part) in zip(sources, parts) { joining.observe(source, as: part, feeding: target) }
        joined = joining.sources
        if !sources.isEmpty { target.setDepth(above: joined.feeding.map { $0.anyCore }) }
        joined.begin()
        messenger.belongs(to: self)
    }

    deinit {
        messenger.endTransform(of: feeding) { [joined, sources] in
            joined.end()
            sources.letGo()
        }
    }
}

extension ListCombination: BufferedObservable where Source: BufferedObservable {
    /// The latest messages of all.
    public var latestMessage: [Source.Message] { sources.content!.map(\.latestMessage) }
}

extension ListCombination: Upstream {
    @usableFromInline var feeding: [any AnyMessenger] { joined.feeding }
}

/// - Note: `@unchecked`: nothing of it changes but what its junction and its messenger guard.
extension ListCombination: @unchecked Sendable where Source: Sendable {}

/// An observable that sends the latest messages of others of one type as an array, whenever one of them sends. It begins when
/// each of them has sent, and holds them. Of none it never sends.
public func combine<Source: Observable>(_ sources: [Source]) -> ListCombination<Source> {
    ListCombination(sources) { LatestPart(of: $0) }
}

/// An observable that sends the latest messages of buffered ones of one type as an array, whenever one of them sends, and is
/// buffered itself.
///
///     let total = combine(prices.map { $0.new() }).map { $0.reduce(0, +) }
public func combine<Source: BufferedObservable>(_ sources: [Source]) -> ListCombination<Source> {
    ListCombination(sources) { LatestPart(fetchingOf: $0) }
}
