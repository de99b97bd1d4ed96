// SPDX-License-Identifier: MIT

import ObserverEngine

/// Sends what a closure makes of those messages of its source that pass a filter, if there is one.
///
///     let text = Var<String?>()
///     let textLength = text.map { $0.new?.count ?? 0 }  // textLength.source === text
///
/// A mapping must be held, like any observable. It holds its source.
public final class Mapping<Source: Observable, MappedMessage>: ObservableObject<MappedMessage> {
    /// Which messages of the source get through; `nil` if all do.
    public let filter: Source.Filter?

    /// Makes the messages.
    public let map: (Source.Message) -> MappedMessage

    /// Filters and maps, each closure once.
    @usableFromInline let step: Step<Source.Message, MappedMessage>
    @usableFromInline let link: Switch<Source, KeptClosure<Source.Message>>

    /// Begins to observe a source.
    @inlinable
    public convenience init(
        _ source: Source, filter: Source.Filter? = nil, map: @escaping (Source.Message) -> MappedMessage
    ) {
        let step = filter.map { chaining(filtering($0), mapping(map)) } ?? mapping(map)
        self.init(source, filter: filter, map: map, step: step)
    }

    @inlinable
    init(
        _ source: Source, filter: Source.Filter?, map: @escaping (Source.Message) -> MappedMessage,
        step: @escaping Step<Source.Message, MappedMessage>
    ) {
        self.filter = filter
        self.map = map
        self.step = step
        let target = Core<KeptClosure<MappedMessage>>(of: Mapping.self)
        @inline(__always)
        func receive(_ message: Source.Message) { if let made = step(message) { _ = target.pass(made, author: ()) } }
        target.setDepth(above: source.observationCore)
        link = Switch(source, core: { $0.observationCore }, feeding: target) { _, subscription in
            guard let subscription else { return KeptClosure { receive($0) } }
            // It holds the subscription, which ends with it.
            return KeptClosure {
                if subscription.needsSerializer { subscription.serialize($0, ()) } else { receive($0) }
            }
        }
        super.init(target)
    }

    deinit { unwinding { [link] in link.end() } }

    /// The object that is mapped. Setting another one sends its latest message, mapped, if that passes the filter;
    /// setting the same does nothing.
    public var source: Source {
        get { link.source! }
        set {
            guard let finish = link.change(to: newValue) else { return }
            finish()
            link.take(newValue.latestMessage, author: ())
        }
    }

    /// The latest message of the source, mapped, whether or not that passes the filter.
    @inlinable
    public override var latestMessage: MappedMessage { map(source.latestMessage) }
}
