// SPDX-License-Identifier: MIT

import CPlatform
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
    if platform_is_out_of_memory() {
        destroy?(context)
        return SWO_NO_MEMORY
    }
    let handle = handle(observable)
    let delivery = ExecutorDelivery(destroy, executor.pointee, from: handle.core) { id in
        out?.pointee = id.rawValue
        return CHandler(function: handler, context: context)
    }
    delivery.begin(handle, keptBy: observer)
    return SWO_OK
}

func isValid(_ executor: swo_executor) -> Bool {
    executor.size >= MemoryLayout<swo_executor>.size && executor.execute != nil
}

@_cdecl("swo_job_run") @inline(never)
public func swo_job_run(_ job: OpaquePointer?) {
    if let job { Job.of(job)._withUnsafeGuaranteedRef { $0.run() } }
}

@_cdecl("swo_job_drop") @inline(never)
public func swo_job_drop(_ job: OpaquePointer?) {
    if let job { Job.of(job)._withUnsafeGuaranteedRef { $0.drop() } }
}

/// What a `swo_job *` points at. It ends with either of the two.
class Job {
    func run() {}
    func drop() {}
    /// Whether it is to be run at all.
    var isWanted: Bool { true }

    static func of(_ job: OpaquePointer) -> Unmanaged<Job> { .fromOpaque(UnsafeRawPointer(job)) }
}

/// Carries the messages of one observation to its handler by way of an executor.
///
/// A job is the delivery whose next message is to be delivered. As long as a message waits, its mailbox owns the delivery,
/// for all jobs together: the job that takes the last message releases it.
///
/// The observation of the source holds it, and so does what waits: when the observable dies, that still finds its
/// handler.
final class ExecutorDelivery: Job {
    let mailbox: Mailbox<CHandler>
    let executor: swo_executor
    /// The queue that the executor belongs to, if that takes messages without jobs.
    private let queue: Unmanaged<UnboundedQueue>?
    /// What in the queue keeps this already. Guarded by the queue.
    var kept: UInt = 0
    /// Points at what it is still to begin with, before any message can come. Owned.
    let beginning = Atomic<UnsafeMutableRawPointer?>(nil)
    // Not kept: the core outlives its handlers.
    private let source: Unmanaged<Core<CHandler>>

    /// - Parameters:
    ///   - destroy: ends the handler's context.
    ///   - make: makes the handler of the observation, which is that of the mailbox.
    init(
        _ destroy: Destroy?, _ executor: swo_executor, from source: Core<CHandler>,
        _ make: (ObservationID) -> CHandler
    ) {
        mailbox = Mailbox(destroy: destroy, make)
        self.executor = executor
        queue = JobQueue.of(executor)?.unbounded.map { .passRetained($0) }
        self.source = .passUnretained(source)
        super.init()
        executor.retain?(executor.context)
    }

    deinit {
        executor.release?(executor.context)
        queue?.release()
    }

    /// Begins to observe the source.
    func begin(
        _ source: ObservableHandle, keptBy observer: OpaquePointer? = nil,
        named name: UnsafeMutablePointer<CChar>? = nil, _ replay: Replay<CHandler>? = nil,
        function: StaticString = #function
    ) {
        if let name { mailbox.call(name) }
        source.begin(ExecutorDelivery.destroy, continuingIn: mailbox.observation, named: name, replay) { id in
            link(id, keptBy: observer, function)
            return handler { delivery, message, author in
                Unmanaged<ExecutorDelivery>.fromOpaque(delivery!)._withUnsafeGuaranteedRef {
                    $0.receive(message, author)
                }
            }
        }
    }

    /// A handler of an observation of the source. It owns this, until `destroy`.
    func handler(_ function: @escaping swo_handler) -> CHandler {
        CHandler(function: function, context: Unmanaged.passRetained(self).toOpaque())
    }

    static var destroy: Destroy { { Unmanaged<ExecutorDelivery>.fromOpaque($0!).release() } }

    /// Makes one observation of that of the source, which continues in that of the mailbox, and the latter, which is the
    /// one that is named: it outlives the observable, as long as something waits, and until then can be stopped.
    ///
    /// - Parameter observer: keeps both. Only once they are one, as it finds them by what they observe.
    func link(_ id: ObservationID, keptBy observer: OpaquePointer?, _ function: StaticString) {
        mailbox.observation.continues(in: id)
        if let observer { withHandle(observer, Keeper.self, function: function) { $0.keep(mailbox.observation) } }
    }

    override func run() {
        let taken = mailbox.deliverNext()
        if !taken.any { countingSelf { beginNow() } }
        if taken.last { Unmanaged.passUnretained(self).release() }
    }

    override func drop() {
        let taken = mailbox.dropNext()
        if !taken.any { countingSelf { giveUpBeginning() } }
        if taken.last { Unmanaged.passUnretained(self).release() }
    }

    /// Keeps this alive while a job gives it up.
    private func countingSelf(_ body: () -> Void) {
        let kept = Unmanaged.passUnretained(self).retain()
        body()
        kept.release()
    }

    override var isWanted: Bool { mailbox.observation.isLiving }

    func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        if let queue {
            guard let message = UniqueMessage(copying: message) else { return reportRefusal() }
            mailbox.notePending()
            if !queue._withUnsafeGuaranteedRef({ $0.put(message, author, of: self) }) {
                var refused = message
                refused.clear()
                mailbox.forgetPending()
                reportRefusal()
            }
            return
        }
        if source._withUnsafeGuaranteedRef({ $0.isUnordered }) { return receiveAlone(message, author) }
        let job = Unmanaged.passUnretained(self)
        let outcome = mailbox.put(message, author, retain: { _ = job.retain() }, release: { job.release() }) {
            executor.execute!(executor.context, OpaquePointer(job.toOpaque())) == SWO_OK
        }
        if outcome != .sent { reportRefusal() }
    }

    /// Where several threads may be here at once, one of them could not tell its message from those of the others, if the
    /// executor refuses: each has a job of its own.
    @inline(never)
    private func receiveAlone(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        guard let message = UniqueMessage(copying: message) else { return reportRefusal() }
        let job = Unmanaged.passRetained(LoneDelivery(message, author, by: self))
        if executor.execute!(executor.context, OpaquePointer(job.toOpaque())) == SWO_OK { return }
        job.release()
        reportRefusal()
    }

    /// What has been stopped refuses nothing.
    private func reportRefusal() {
        if isWanted { source._withUnsafeGuaranteedRef { $0.reportRefusal() } }
    }
}

/// A job with its message.
private final class LoneDelivery: Job {
    private var message: UniqueMessage
    private let author: UnsafeRawPointer?
    private let delivery: Unmanaged<ExecutorDelivery>

    init(_ message: UniqueMessage, _ author: UnsafeRawPointer?, by delivery: ExecutorDelivery) {
        self.message = message
        self.author = author
        self.delivery = .passRetained(delivery)
    }

    deinit {
        message.clear()
        delivery.release()
    }

    override var isWanted: Bool { delivery._withUnsafeGuaranteedRef { $0.isWanted } }

    override func run() {
        let message = message.shared()
        self.message = UniqueMessage()
        delivery._withUnsafeGuaranteedRef { $0.mailbox.deliver(message, author) {} }
        drop()
    }

    override func drop() { Unmanaged.passUnretained(self).release() }
}
