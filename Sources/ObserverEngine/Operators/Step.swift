// SPDX-License-Identifier: MIT

/// An operator: a rule from a message to a message, or to nothing.
///
/// It is written once, and every vocabulary lends it a name: as a standing transform, ad hoc in an
/// observation, in C. What it remembers from message to message it captures. It needs no lock,
/// because one message at a time is put through it.
public typealias Step<Input, Output> = (Input) -> Output?

/// What a step remembers.
///
/// A variable that a closure captures would be checked by the runtime with each message, for two that use it at once: that
/// takes as long as the rest of a step, and one message at a time comes to it.
@usableFromInline
final class StepMemory<Value> {
    @usableFromInline @exclusivity(unchecked) final var value: Value

    @inlinable init(_ value: Value) { self.value = value }
}

/// The step that does the one, then the other with what came of it.
@inlinable
public func chaining<Input, Middle, Output>(
    _ first: @escaping Step<Input, Middle>, _ second: @escaping Step<Middle, Output>
) -> Step<Input, Output> {
    { message in
        guard let middle = first(message) else { return nil }
        return second(middle)
    }
}
