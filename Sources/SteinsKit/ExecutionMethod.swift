// SPDX-License-Identifier: MIT

public import Dispatch

/// Where the handler of an observation is called.
///
/// Whatever is chosen, it is called with one value at a time, in the order in which they were accepted.
public enum ExecutionMethod: Sendable {
    /// On the thread that accepts the value, at once.
    case directly
    /// On a queue, later.
    case async(DispatchQueue)
    /// On a queue, while the thread that accepts the value waits. On that very queue it would wait for itself for
    /// ever: that ends the program with a sentence.
    case sync(DispatchQueue)

    /// The same as `async`, as the published code has it.
    public static func asyncOnQueue(_ queue: DispatchQueue) -> ExecutionMethod { .async(queue) }

    /// The same as `sync`, as the published code has it.
    public static func syncOnQueue(_ queue: DispatchQueue) -> ExecutionMethod { .sync(queue) }

    /// On the main queue, later.
    public static var asyncOnMain: ExecutionMethod { .async(.main) }

    /// On a global queue, later.
    public static func asyncOnGlobal(qos: DispatchQoS.QoSClass = .default) -> ExecutionMethod {
        .async(.global(qos: qos))
    }

    /// Runs a job where this says; `nil` where it is simply called.
    @usableFromInline var schedule: ((@escaping @Sendable () -> Void) -> Void)? {
        switch self {
        case .directly: nil
        case .async(let queue): { queue.async(execute: $0) }
        case .sync(let queue): { queue.runAndWait($0) }
        }
    }
}

extension DispatchQueue {
    fileprivate func runAndWait(_ job: () -> Void) {
        if getSpecific(key: itself) == nil { setSpecific(key: itself, value: ObjectIdentifier(self)) }
        precondition(
            DispatchQueue.getSpecific(key: itself) != ObjectIdentifier(self),
            "a value accepted on a queue cannot be handled on it synchronously: it would wait for itself")
        sync(execute: job)
    }
}

/// Tells on which queue one is.
private let itself = DispatchSpecificKey<ObjectIdentifier>()
