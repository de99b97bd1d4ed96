// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine
import Synchronization

@_cdecl("swo_observe_on")
public func swo_observe_on(
    _ observable: OpaquePointer?, _ observer: OpaquePointer?, _ executor: UnsafePointer<swo_executor>?,
    _ handler: swo_handler?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    guard let observable, let handler, let executor, isValid(executor.pointee) else {
        destroy?(context)
        return SWO_INVALID_ARGUMENT
    }
    let handle = handle(observable)
    let courier = Courier(
        CHandler(function: handler, context: context), destroy, executor.pointee, nil, from: handle.core)
    if let observer { withHandle(observer, Keeper.self) { $0.keep(courier.mailbox.observation) } }
    out?.pointee = courier.mailbox.observation.rawValue
    courier.begin(handle, nil)
    return SWO_OK
}

func isValid(_ executor: swo_executor) -> Bool {
    executor.size >= MemoryLayout<swo_executor>.size && executor.execute != nil
}

// A `swo_job *` points at the courier whose next message is to be delivered. As long as a message waits, its mailbox
// owns the courier, for all jobs together: whoever has taken the last message lets go of it.

@_cdecl("swo_job_run") @inline(never)
public func swo_job_run(_ job: OpaquePointer?) {
    guard let job else { return }
    let courier = Courier.of(job)
    let taken = courier._withUnsafeGuaranteedRef { $0.mailbox.deliverNext() }
    if taken.last { courier.release() }
    if !taken.any { courier.takeUnretainedValue().beginNow() }
}

@_cdecl("swo_job_drop") @inline(never)
public func swo_job_drop(_ job: OpaquePointer?) {
    guard let job else { return }
    let courier = Courier.of(job)
    let taken = courier._withUnsafeGuaranteedRef { $0.mailbox.dropNext() }
    if taken.last { courier.release() }
    if !taken.any { courier.takeUnretainedValue().giveUpBeginning() }
}

/// Carries the messages of one observation to its handler by way of an executor.
///
/// The observation of the source holds it, and so does what waits: when the observable dies, that still finds its
/// handler.
final class Courier {
    let mailbox: Mailbox<CHandler>
    /// What the observation is called.
    let name: Name?
    let executor: swo_executor
    /// The queue that the executor belongs to, if that takes messages without jobs.
    private let queue: Unmanaged<UnboundedQueue>?
    /// What in the queue keeps this already. Guarded by the queue.
    var kept: UInt = 0
    /// Points at what it is still to begin with, before any message can come. Owned.
    let beginning = Atomic<UnsafeMutableRawPointer?>(nil)
    // Not kept: the core outlives its handlers.
    private let source: Unmanaged<Core<CHandler>>

    /// The function of the observation of the source.
    static var receive: swo_handler {
        { courier, message, author in
            Unmanaged<Courier>.fromOpaque(courier!)._withUnsafeGuaranteedRef { $0.receive(message, author) }
        }
    }

    init(
        _ handler: CHandler, _ destroy: Destroy?, _ executor: swo_executor, _ name: Name?, from source: Core<CHandler>
    ) {
        self.name = name
        mailbox = Mailbox(handler: handler, destroy: destroy)
        self.executor = executor
        queue = JobQueue.of(executor)?.unbounded.map { .passRetained($0) }
        self.source = .passUnretained(source)
        executor.retain?(executor.context)
    }

    deinit {
        executor.release?(executor.context)
        queue?.release()
    }

    /// Begins to observe the source.
    func begin(_ source: ObservableHandle, _ replay: Replay<CHandler>?) {
        source.begin(handler(Courier.receive), Courier.destroy, replay) { link($0) }
    }

    /// A handler of an observation of the source. It owns this, until `destroy`.
    func handler(_ function: @escaping swo_handler) -> CHandler {
        CHandler(function: function, context: Unmanaged.passRetained(self).toOpaque())
    }

    static var destroy: Destroy { { Unmanaged<Courier>.fromOpaque($0!).release() } }

    /// Makes one observation of that of the source and that of the mailbox, which is the one that is named: it
    /// outlives the observable, as long as something waits, and until then can be stopped.
    func link(_ id: ObservationID) {
        id.continues(in: mailbox.observation)
        mailbox.observation.continues(in: id)
    }

    /// The courier of a job.
    static func of(_ job: OpaquePointer) -> Unmanaged<Courier> { .fromOpaque(UnsafeRawPointer(job)) }

    func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        if let queue {
            guard let parcel = Parcel(copying: message) else { return reportFailure() }
            if !queue._withUnsafeGuaranteedRef({ $0.put(parcel, author, of: self) }) {
                var refused = parcel
                refused.clear()
                reportFailure()
            }
            return
        }
        let job = Unmanaged.passUnretained(self)
        let outcome = mailbox.put(message, author, hold: { _ = job.retain() }, letGo: { job.release() }) {
            executor.execute!(executor.context, OpaquePointer(job.toOpaque())) == SWO_OK
        }
        if outcome != .sent { reportFailure() }
    }

    private func reportFailure() { source._withUnsafeGuaranteedRef { $0.reportFailure() } }
}
