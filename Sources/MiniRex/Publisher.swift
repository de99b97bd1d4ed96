// SPDX-License-Identifier: MIT

import ObserverEngine

/// Something that can be subscribed to, and that calls back with updates.
///
///     let subscription = property.publisher.subscribe { value in print(value) }
///
/// A publisher owns nothing: its vendor keeps the source alive, and when the source dies the publisher stops posting.
/// The updates of a source of this module arrive in the order in which it was posted, with subscribers in the
/// order in which they began; any thread may subscribe, post and invalidate at any time.
public struct Publisher<Update> {
    /// Receives each update. It may be assumed to live as long as the subscription.
    public typealias UpdateBlock = (Update) -> Void

    /// Begins a subscription.
    public typealias SubscribeBlock = (@escaping UpdateBlock) -> Subscription

    @usableFromInline let subscribeBlock: SubscribeBlock

    /// A publisher of one's own.
    @inlinable
    public init(withSubscribeBlock subscribeBlock: @escaping SubscribeBlock) {
        self.subscribeBlock = subscribeBlock
    }

    /// A published value that never changes: each subscriber receives it at once, and nothing else ever.
    @inlinable
    public init(withConstant constant: Update) {
        self.init { updateBlock in
            updateBlock(constant)
            return Subscription(withUnsubscriber: {})
        }
    }

    /// Calls a closure with each update, as long as the subscription that this returns is held and valid.
    @inlinable
    public func subscribe(_ updateBlock: @escaping UpdateBlock) -> Subscription { subscribeBlock(updateBlock) }
}

/// A publisher that another is made from. A long chain of them is released in a loop.
@usableFromInline
final class Upstream<Update> {
    private let publisher: Linked<Publisher<Update>>

    @usableFromInline
    init(_ publisher: Publisher<Update>) { self.publisher = Linked(publisher) }

    deinit { publisher.letGo() }

    @usableFromInline
    func subscribe(_ updateBlock: @escaping (Update) -> Void) -> Subscription {
        // Set until this dies.
        publisher.content!.subscribe(updateBlock)
    }
}

// Absent: key-value observing on Linux, which there is not. KeyPathPublishing offers what can be: publishers by
// key path of properties that a class marks. On Apple platforms the labels of the original's key-value observing. Of
// the original nothing else; what stood on its list of things to do is here.
