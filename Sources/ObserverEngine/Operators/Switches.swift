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
        /// The last choice.
        @usableFromInline var latest: Source?
        @usableFromInline var isOver = false

        @inlinable init() {}
    }

    @usableFromInline let state = Guarded(State())
    /// The last choices, the oldest first.
    @usableFromInline var choices: [Source?] = []

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
    /// - Returns: What that has returned.
    @inlinable
    public func choose(_ source: Source?, _ change: (Link, Source?) -> Bool) -> Bool {
        let isFull = choices.count == most
        let oldest = isFull ? choices[0] : nil
        var isLinked = source == nil
        var isNeeded = true
        if let oldest { isNeeded = isThis(source, oldest) }
        for index in 0..<choices.count {
            if let source, isThis(choices[index], source) { isLinked = true }
            if index > 0, let oldest, isThis(choices[index], oldest) { isNeeded = true }
        }
        var unneeded: Link?
        if let oldest, !isNeeded { unneeded = link(of: oldest) }
        if !isLinked {
            guard let link = unneeded ?? freeLink(), change(link, source) else { return false }
        } else if let unneeded, !change(unneeded, nil) {
            return false
        }
        if isFull { choices.remove(at: 0) }
        choices.append(source)
        let before = state.withLock { state in
            defer { state.latest = state.isOver ? nil : source }
            return state.latest
        }
        return withExtendedLifetime(before) { true }
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
    public var latest: Source? { state.withLock { $0.latest } }

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
        return before.links.compactMap { $0.end() }
    }
}
