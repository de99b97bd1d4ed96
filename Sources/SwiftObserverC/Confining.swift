// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

@_cdecl("swo_observable_confine")
public func swo_observable_confine(
    _ observable: OpaquePointer?, _ executor: UnsafePointer<swo_executor>?
) -> swo_status {
    guard let observable, executor.map({ isValid($0.pointee) }) ?? true else { return SWO_INVALID_ARGUMENT }
    return withObservable(observable) { handle in
        switch handle.role {
        case .messenger, .variable: break
        case .deferred, .transform: return SWO_WRONG_KIND
        }
        if platform_is_out_of_memory() { return SWO_NO_MEMORY }
        return handle.confine(to: Home(executor?.pointee)) ? SWO_OK : SWO_INVALID_ARGUMENT
    }
}

/// The thread that an observable is confined to, and the way there, if there is one.
final class Home {
    let thread = platform_thread()
    let executor: swo_executor?

    /// That of the present thread.
    init(_ executor: swo_executor?) {
        self.executor = executor
        executor?.retain?(executor?.context)
    }

    deinit { executor?.release?(executor?.context) }
}

extension ObservableHandle {
    /// Whether this is confined to another thread.
    var isElsewhere: Bool { confinement.map { $0.thread != platform_thread() } ?? false }

    /// Leaves a message, or a value for a variable, to the thread that this is confined to. It has been checked.
    @inline(never)
    func handOver(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer) -> swo_status {
        guard let executor = confinement?.executor else { return SWO_WRONG_THREAD }
        guard let message = UniqueMessage(copying: message) else { return SWO_NO_MEMORY }
        let job = Unmanaged.passRetained(HandedOver(message, author, to: self))
        if executor.execute!(executor.context, OpaquePointer(job.toOpaque())) == SWO_OK { return SWO_OK }
        job.release()
        return SWO_WRONG_THREAD
    }
}

/// A message, or a value for a variable, on its way to the thread of its observable, which it keeps alive.
private final class HandedOver: Job {
    private var message: UniqueMessage
    private let author: UnsafeRawPointer
    private let target: Unmanaged<ObservableHandle>

    init(_ message: UniqueMessage, _ author: UnsafeRawPointer, to target: ObservableHandle) {
        self.message = message
        self.author = author
        self.target = .passRetained(target)
    }

    deinit {
        message.clear()
        target.release()
    }

    override func run() {
        let status = target._withUnsafeGuaranteedRef { target in
            if target.isElsewhere { return SWO_WRONG_THREAD }
            let pointer = OpaquePointer(target.pointer)
            let isUpdate = message.isUpdate
            return message.withMessage { message in
                if target.role.isVariable, !isUpdate { return swo_variable_set(pointer, message, author) }
                return sendChecking(pointer, message, author)
            }
        }
        end(isLost: status != SWO_OK && status != SWO_CALLBACK_FAILED)
    }

    override func drop() { end(isLost: true) }

    private func end(isLost: Bool) {
        if isLost { target._withUnsafeGuaranteedRef { $0.core.countRefusal() } }
        Unmanaged.passUnretained(self).release()
    }
}
