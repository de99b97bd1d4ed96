// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_queue_new")
public func swo_queue_new(
    _ bound: Int, _ policy: Int32, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let out, bound >= 0, policy >= SWO_QUEUE_BLOCK, policy <= SWO_QUEUE_REFUSE else {
        return SWO_INVALID_ARGUMENT
    }
    let event = platform_event_new()
    guard event.watched >= 0 else { return SWO_NO_RESOURCES }
    let made: JobQueue? =
        bound > 0
        ? BoundedQueue.make(raising: event, bound: bound, policy: policy) : UnboundedQueue.make(raising: event)
    guard let jobs = made else {
        platform_event_free(event)
        return SWO_NO_MEMORY
    }
    out.pointee = export(QueueHandle(jobs), "queue")
    return SWO_OK
}

@_cdecl("swo_queue_retain")
public func swo_queue_retain(_ queue: OpaquePointer?) -> OpaquePointer? {
    retain(queue, QueueHandle.self)
}

@_cdecl("swo_queue_release")
public func swo_queue_release(_ queue: OpaquePointer?) {
    release(queue, QueueHandle.self)
}

@_cdecl("swo_queue_fd")
public func swo_queue_fd(_ queue: OpaquePointer?) -> Int32 {
    guard let queue else { return -1 }
    return withHandle(queue, QueueHandle.self) { $0.queue.event.watched }
}

@_cdecl("swo_queue_executor")
public func swo_queue_executor(_ queue: OpaquePointer?, _ out: UnsafeMutablePointer<swo_executor>?) -> swo_status {
    guard let queue, let out else { return SWO_INVALID_ARGUMENT }
    out.pointee = swo_executor(
        size: MemoryLayout<swo_executor>.size,
        execute: JobQueue.execute,
        context: withHandle(queue, QueueHandle.self) { Unmanaged.passUnretained($0.queue).toOpaque() },
        retain: { _ = Unmanaged<JobQueue>.fromOpaque($0!).retain() },
        release: { Unmanaged<JobQueue>.fromOpaque($0!).release() })
    return SWO_OK
}

@_cdecl("swo_queue_drain")
public func swo_queue_drain(
    _ queue: OpaquePointer?, _ most: Int, _ out: UnsafeMutablePointer<Int>?
) -> swo_status {
    guard let queue else { return SWO_INVALID_ARGUMENT }
    platform_end_cancelled()
    // Counted, because a job may release the queue.
    let jobs = withHandle(queue, QueueHandle.self) { $0.queue }
    let most = bounded(most)
    let woken = jobs.presentTimers?.run(most: most == 0 ? .max : most, spent: false).woken ?? 0
    let isEnough = most > 0 && woken >= most
    let run = isEnough ? 0 : withExtendedLifetime(jobs) { jobs.drain(most: most == 0 ? 0 : most - woken) }
    out?.pointee = woken + run
    return SWO_OK
}

/// What a `swo_queue *` points at. Observations keep the queue itself, so that it can tell them when
/// its owners are gone and no thread drains any more.
final class QueueHandle: Handle {
    static var kind: HandleKind { .queue }

    let queue: JobQueue

    init(_ queue: JobQueue) { self.queue = queue }

    deinit {
        queue.close()
        queue.presentTimers?.end()
    }
}
