// SPDX-License-Identifier: MIT

/// Passes nothing but the fact that one particular message was sent.
///
///     sent              a b a c
///     passed, of: "a"   () ()
@inlinable
public func selecting<Message: Equatable>(_ selected: Message) -> Step<Message, Void> {
    { $0 == selected ? () : nil }
}
