// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    // Hashing is seeded, which would bring a source of randomness into the library for C.

    /// Passes on each message that was never sent before. It remembers them all.
    ///
    ///     sent    1 2 1 3 2
    ///     passed  1 2   3
    @inlinable
    public func takingUnique<Message: Hashable>() -> Step<Message, Message> {
        var seen: Set<Message> = []
        return { seen.insert($0).inserted ? $0 : nil }
    }
#endif
