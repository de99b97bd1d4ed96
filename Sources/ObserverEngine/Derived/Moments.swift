// SPDX-License-Identifier: MIT

import CPlatform

// What reads at one moment, or without being noted.

/// Calls a function whose reads are of one moment, derived variables included (law 33). It makes no other thread wait.
public func readingAtOneMoment<Result>(_ function: () -> Result) -> Result {
    let tracker = TrackerPointer.here
    // Inside of a function, or of a snapshot, it is the moment of that.
    if tracker.pointee.view != nil { return function() }
    let view = tracker.takeView()
    tracker.pointee.view = view
    tracker.pushFrame(nil, sets: true)
    let result = function()
    tracker.popFrame()
    tracker.pointee.view = nil
    tracker.end(view)
    return result
}

/// Calls a function whose reads are not noted: what runs does not depend on them (law 26). They are of its moment all the
/// same.
public func readingUntracked<Result>(_ function: () -> Result) -> Result {
    guard let tracker = TrackerPointer.present, tracker.pointee.view != nil else { return function() }
    tracker.pushFrame(nil, sets: tracker.frame?.pointee.sets ?? true)
    let result = function()
    let failure = failureReadLast()
    tracker.popFrame()
    // What it fails with may be the failure of the function around it.
    if let failure { tracker.noteFailure(failure) }
    return result
}

/// Whether a function runs on this thread that must not change anything (law 30).
public var isComputing: Bool { TrackerPointer.present?.isComputing ?? false }

/// The failure that the innermost function on this thread has read last: with which it fails, unless it handles it.
public func failureReadLast() -> DerivedFailure? {
    TrackerPointer.present?.frame?.pointee.failure?.takeUnretainedValue()
}
