// SPDX-License-Identifier: MIT

/// Makes a message of each message.
///
///     sent     1  2  3
///     passed  10 20 30
@inlinable
public func mapping<Input, Output>(_ transform: @escaping (Input) -> Output) -> Step<Input, Output> {
    { transform($0) }
}
