// SPDX-License-Identifier: MIT

import ObserverEngine

/// Makes one change of all that a closure sets.
///
///     transaction {
///         account.value -= amount
///         other.value += amount
///     }
///
/// It reads what it has set itself, in derived variables, too; every other thread sees all of it or nothing: in reads, in
/// functions, in snapshots and in updates. Each variable sends one update at most, when all values are in place, in the order
/// in which they were first set.
///
/// If the closure throws, nothing has happened. If another thread has meanwhile changed what it has read, nothing has happened
/// either, and it is called again: so it should do nothing but read and set. Inside of another transaction it joins
/// that one, and is taken back alone if it throws. Nothing is locked meanwhile. The function of a derived variable cannot
/// make one.
///
/// - Returns: What the closure returns, in its last call.
public func transaction<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    while true {
        precondition(Transactions.begin(), changesNothing)
        let result: Result
        do throws(Failure) {
            result = try body()
        } catch {
            _ = Transactions.abort()
            throw error
        }
        if case .conflict = Transactions.commit() { continue }
        return result
    }
}

/// Calls a closure that reads any number of variables at one moment, derived ones included.
///
///     let (one, other) = snapshot { (account.value, other.value) }
///
/// It makes no other thread wait. Inside of a function of a derived variable, or of another snapshot, it is the moment of that.
///
/// - Returns: What the closure returns.
public func snapshot<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try readingAtOneMoment { outcome(of: body) }.get()
}

/// Calls a closure whose reads are not noted: what is being computed does not depend on them. They are of the same moment as
/// the others. So it is with what handlers read that a function calls, by a send or a replay.
///
///     let shown = Derived { "\(title.value) (\(untracked { count.value }))" }   // follows the title alone
///
/// - Returns: What the closure returns.
public func untracked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try readingUntracked { outcome(of: body) }.get()
}

private func outcome<Success, Failure: Error>(of body: () throws(Failure) -> Success) -> Result<Success, Failure> {
    do throws(Failure) {
        return .success(try body())
    } catch {
        return .failure(error)
    }
}
