// SPDX-License-Identifier: MIT

import ObserverEngine

extension Publisher {
    /// A publisher of what a closure makes of each update.
    ///
    ///     posted       1  2  3
    ///     transformed 10 20 30
    @inlinable
    public func transform<Transformed>(
        with transformBlock: @escaping (Update) -> Transformed
    ) -> Publisher<Transformed> {
        let upstream = Upstream(self)
        return Publisher<Transformed> { updateBlock in upstream.subscribe { updateBlock(transformBlock($0)) } }
    }

    /// A publisher of what a closure makes of each update, where that is not what it was before: by `==` where
    /// it is `Equatable`, by identity where it is another reference. Of anything else all are posted. That is
    /// so in generic code, too.
    ///
    ///     posted             1 2 3 4
    ///     valued, with: /2   0 1   2
    @inlinable
    public func valueTransform<Transformed>(
        with transformBlock: @escaping (Update) -> Transformed
    ) -> Publisher<Transformed> {
        transform(with: transformBlock).through { skippingUnchanged() }
    }

    /// A publisher of the updates that are wanted.
    ///
    ///     posted   1 2 3 4
    ///     passed     2   4
    @inlinable
    public func filter(with isWanted: @escaping (Update) -> Bool) -> Publisher<Update> {
        let upstream = Upstream(self)
        return Publisher { updateBlock in
            upstream.subscribe { update in
                if isWanted(update) { updateBlock(update) }
            }
        }
    }

    /// A publisher with a step that remembers, one for each subscription. Whatever threads the source posts on,
    /// the step takes one update at a time.
    @usableFromInline
    func through(_ makeStep: @escaping () -> Step<Update, Update>) -> Publisher<Update> {
        let upstream = Upstream(self)
        return Publisher { updateBlock in
            let step = makeStep()
            let line = Mailbox(
                handler: MessageClosure<Update> { update in
                    if let made = step(update) { updateBlock(made) }
                })
            let subscription = upstream.subscribe { line.deliver($0, ()) }
            // Of a source that is dead, or has nothing more to say.
            guard subscription.isSubscribed else { return subscription }
            return Subscription {
                line.observation.stop()
                subscription.invalidate()
            }
        }
    }
}

/// Passes a value on unless it is what it was before. What that means is decided with the first one.
@usableFromInline
func skippingUnchanged<Value>() -> Step<Value, Value> {
    var isUnchanged: ((Value, Value) -> Bool)?
    let skip: Step<Value, Value> = skippingRepeats { isUnchanged!($0, $1) }
    return { value in
        if isUnchanged == nil { isUnchanged = equality(like: value) }
        return skip(value)
    }
}
