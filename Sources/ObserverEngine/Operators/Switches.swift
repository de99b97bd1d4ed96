// SPDX-License-Identifier: MIT

/// The links from the sources that were chosen last, so and so many, to a transform.
///
///     chosen    a  b  a  c        of the last two
///     linked    a  a  a  a
///                  b  b  c
///
/// A source that was chosen several times has one link. A link changes from one source to another as `Switch` says.
/// Choices come one at a time; whatever thread may end this, or ask what is linked.
public final class Switches<Source: AnyObject, Handler: MessageHandler> {
    public typealias Link = Switch<Source, Handler>

    @usableFromInline let most: Int
    @usableFromInline let makeLink: () -> Link
    @usableFromInline let areSame: (Source, Source) -> Bool
    @usableFromInline
    struct State {
        @usableFromInline var links: [Link] = []
        /// The last ones, the oldest first.
        @usableFromInline var choices: [Source?] = []
        @usableFromInline var isOver = false

        @inlinable init() {}
    }

    @usableFromInline let state = Guarded(State())

    /// - Parameters:
    ///   - most: how many choices count.
    ///   - makeLink: makes a link to no source.
    @inlinable
    public init(most: Int, areSame: @escaping (Source, Source) -> Bool, _ makeLink: @escaping () -> Link) {
        self.most = most
        self.areSame = areSame
        self.makeLink = makeLink
    }

    /// Links a source, or none, in the place of the oldest choice.
    ///
    /// - Parameter change: changes a link; false if it cannot be linked, and nothing has changed.
    /// - Returns: What that has returned; true if this has ended.
    @inlinable
    public func choose(_ source: Source?, _ change: (Link, Source?) -> Bool) -> Bool {
        let (goes, isLinked, isNeeded) = state.withLock { look(for: source, in: $0.choices) }
        var unneeded: Link?
        if let goes, !isNeeded { unneeded = link(of: goes) }
        if !isLinked {
            guard let link = unneeded ?? freeLink() else { return true }
            guard change(link, source) else { return false }
        } else if let unneeded, !change(unneeded, nil) {
            return false
        }
        // Released here, without the lock.
        let gone = state.withLock { state -> Source? in
            guard !state.isOver else { return nil }
            let gone = state.choices.count == most ? state.choices.remove(at: 0) : nil
            state.choices.append(source)
            return gone
        }
        return withExtendedLifetime(gone) { true }
    }

    /// What a choice changes: which one goes, whether the new one is linked or none, and whether the one that goes was
    /// chosen again. The lock is held.
    @inlinable
    func look(for source: Source?, in choices: [Source?]) -> (goes: Source?, isLinked: Bool, isNeeded: Bool) {
        let oldest = choices.count == most ? choices[0] : nil
        var isLinked = source == nil, isNeeded = false
        for index in 0..<choices.count {
            if let source, isThis(choices[index], source) { isLinked = true }
            if index > 0, let oldest, isThis(choices[index], oldest) { isNeeded = true }
        }
        if let source, let oldest, isThis(source, oldest) { isNeeded = true }
        return (oldest, isLinked, isNeeded)
    }

    @inlinable
    func isThis(_ one: Source?, _ other: Source) -> Bool { one.map { areSame($0, other) } ?? false }

    @inlinable
    func link(of source: Source) -> Link? { state.withLock { $0.links }.first { isThis($0.source, source) } }

    /// - Returns: `nil` if this has ended.
    @inlinable
    func freeLink() -> Link? {
        if let free = state.withLock({ $0.links }).first(where: { $0.source == nil }) { return free }
        let made = makeLink()
        let isOver = state.withLock { state in
            if !state.isOver { state.links.append(made) }
            return state.isOver
        }
        if isOver { made.end() }
        return isOver ? nil : made
    }

    /// What is linked.
    @inlinable
    public var sources: [Source] { state.withLock { $0.links }.compactMap { $0.source } }

    /// The last choice.
    @inlinable
    public var latest: Source? { state.withLock { $0.choices.last ?? nil } }

    /// Ends for good: nothing comes in any more.
    ///
    /// - Returns: The sources that were kept: the caller decides how to release them.
    @inlinable @discardableResult
    public func end() -> [Source] {
        let before = state.withLock { state in
            defer {
                state = State()
                state.isOver = true
            }
            return state
        }
        return before.links.compactMap { $0.end() } + before.choices.compactMap { $0 }
    }
}
