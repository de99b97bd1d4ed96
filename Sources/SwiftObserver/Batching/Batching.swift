// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observable that can hold back its updates: a variable.
public protocol Batchable {
    /// Holds updates back, until every batch that was begun has ended. Values change meanwhile as usual.
    ///
    /// An open batch keeps the author of the last change alive: the variable itself, if no other was named.
    func beginBatch()

    /// Ends a batch that was begun. The last one sends what came of all the changes, if anything did.
    func endBatch()
}

extension Var: Batchable {
    /// Holds updates back, until every batch that was begun has ended. The value changes meanwhile as usual.
    public func beginBatch() { variable.beginBatch() }

    /// Ends a batch that was begun. The last one sends one update, if all in all the value has changed.
    public func endBatch() {
        precondition(variable.endBatch() != nil, "a batch is ended more often than it was begun")
    }

    /// Sends at most one update for all changes that are made, on any thread, while a closure runs: from the
    /// first old value to the last new one. Its author is that of the last change.
    ///
    ///     position.batch {
    ///         position.value.x = 1
    ///         position.value.y = 2
    ///     }
    public func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
        beginBatch()
        defer { endBatch() }
        return try body()
    }
}

/// Sends at most one update of each of several variables for all changes that are made while a closure
/// runs. They are sent in the order in which the variables stand here.
///
///     batch(width, height) {
///         width <- 3
///         height <- 4
///     }
public func batch<Result>(_ variables: any Batchable..., body: () throws -> Result) rethrows -> Result {
    for variable in variables { variable.beginBatch() }
    defer { for variable in variables { variable.endBatch() } }
    return try body()
}
