// SPDX-License-Identifier: MIT

internal import CPlatform
import ObserverEngine

/// Keeps what has changed each observable last, for `why()`.
///
///     Why.start()
///     clicks.send(2)
///     print(width.why())
///     // Var<Int> "width" changed, on thread 7 "main"
///     //   because Messenger<Int> "clicks" changed, on thread 7 "main"
///
/// Sends and sets take some hundred nanoseconds more between `start()` and `stop()`, and nothing before and after. A
/// program that starts with `SWIFTOBSERVER_WHY=1` in its environment has begun (`SWIFTOBSERVER_WHY=values`: with
/// values). Any thread may call this.
public enum Why {
    /// How an answer is written.
    public enum Format: Sendable {
        /// A line for each change, the last one first.
        case text
        /// An array of the same changes.
        case json
        /// The language of Graphviz.
        case dot
    }

    /// Begins. A switch: it is not counted.
    ///
    /// - Parameter values: whether values are kept, too. They may be secret; a value describes itself on the thread that
    ///   sends it.
    public static func start(values: Bool = false) { Tracing.begin(Int(PLATFORM_ANSWERS), values: values) }

    /// Ends, and forgets what was kept.
    public static func stop() { Tracing.end(Int(PLATFORM_ANSWERS)) }

    /// Something that ``lint(slowerThan:)`` finds.
    public struct Finding: Sendable, CustomStringConvertible {
        public enum Kind: Int32, Sendable {
            /// Nothing observes what is made from another observable.
            case isUnobserved = 2
            /// A change has led to another one of the same observable.
            case comesBack = 3
            /// Several threads have called a handler that has no executor.
            case isCalledOnSeveralThreads = 4
            /// A call of a handler took long.
            case isSlow = 5
        }

        public let kind: Kind
        /// Tells the finding, with the names of observables and observations.
        public let description: String
    }

    /// Finds what looks wrong with the observables that something observes or reads, and what is made from them.
    ///
    ///     Why.start()
    ///     …
    ///     for finding in Why.lint(slowerThan: .milliseconds(10)) { print(finding) }
    ///     // handler 17 of Messenger<Int> "clicks" has taken 0.25 seconds
    ///
    /// All but what nothing observes is known of what has happened since ``start(values:)``; of changes, the last one of
    /// each observable. It takes time for each observable and each observation. Any thread may call this.
    ///
    /// - Parameter bound: what a call of a handler may take.
    public static func lint(slowerThan bound: Duration = .milliseconds(100)) -> [Finding] {
        var found: [Finding] = []
        let (seconds, attoseconds) = bound.components
        precondition(seconds >= 0 && attoseconds >= 0, "no call of a handler takes less than nothing: \(bound)")
        let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let nanoseconds = isTooLong ? .max : whole &+ UInt64(attoseconds / 1_000_000_000)
        let hasMemory = withUnsafeMutablePointer(to: &found) {
            platform_lint(
                nanoseconds,
                { found, kind, _, sentence in
                    guard let kind = Finding.Kind(rawValue: kind), let sentence else { return }
                    let finding = Finding(kind: kind, description: String(cString: sentence))
                    found?.assumingMemoryBound(to: [Finding].self).pointee.append(finding)
                }, $0)
        }
        guard hasMemory else { fatalError("out of memory") }
        return found
    }
}

/// Writes a trace of the whole process, which ui.perfetto.dev shows: a track for each thread, a slice for each send and
/// each handler, and a flow from each send to what it has caused, over threads and queues.
///
/// A program that starts with `SWIFTOBSERVER_TRACE=FILE` in its environment writes one to its end. A child process writes
/// none. Any thread may call this.
public enum Trace {
    /// Why there is no trace, or not all of it.
    public enum Failure: Error {
        /// There is one already.
        case isWriting
        /// There is none.
        case isNotWriting
        /// The descriptor could not be written: it is closed, its disk is full, or its reader has gone.
        case cannotBeWritten
    }

    /// Begins to write.
    ///
    /// - Parameters:
    ///   - descriptor: of a file or a pipe, of which this has a copy: the caller may close it.
    ///   - values: as in ``Why/start(values:)``.
    public static func start(writingTo descriptor: Int32, values: Bool = false) throws(Failure) {
        switch platform_trace_start(descriptor) {
        case 0: Tracing.begin(Int(PLATFORM_TRACE), values: values)
        case Int32(PLATFORM_TRACE_STATE): throw .isWriting
        default: throw .cannotBeWritten
        }
    }

    /// Writes what is left, and ends.
    public static func stop() throws(Failure) {
        Tracing.end(Int(PLATFORM_TRACE))
        switch platform_trace_stop() {
        case 0: return
        case Int32(PLATFORM_TRACE_STATE): throw .isNotWriting
        default: throw .cannotBeWritten
        }
    }
}

extension Observable {
    /// Answers why this has changed last: on which thread, from which value to which (if values are kept), and in the
    /// handler of which observation; then, what that handler was called for, and so on, over threads and queues, and over all
    /// that waits for a clock.
    ///
    /// A derived variable has changed because of the source that changed last; nothing is known of one that nothing observes,
    /// nor an effect reads. The update of a batch and a replay come from the last change. An observable that was there before
    /// ``Why/start(values:)``, and that nothing observed or read, is known from this call on. Names are cut after 63 bytes,
    /// values after 200, a path after 32 changes.
    ///
    /// - Returns: Where nothing is known, the text says so, and the array or the graph is empty.
    public func why(_ format: Why.Format = .text) -> String { answer(messenger.anyCore.why(format.code)) }
}

extension ObservationHandle {
    /// Answers why the handler was called last: as `why()` of the message that it was called with.
    public func why(_ format: Why.Format = .text) -> String { answer(id.why(format.code)) }
}

extension Why.Format {
    fileprivate var code: Int {
        switch self {
        case .text: return Int(PLATFORM_TEXT)
        case .json: return Int(PLATFORM_JSON)
        case .dot: return Int(PLATFORM_DOT)
        }
    }
}

private func answer(_ text: UnsafeMutablePointer<CChar>?) -> String {
    guard let text else { fatalError("out of memory") }
    defer { platform_free(text) }
    return String(cString: text)
}
