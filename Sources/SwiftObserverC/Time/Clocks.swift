// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_clock_new")
public func swo_clock_new() -> OpaquePointer { export(ClockHandle(TimerQueue()), "clock") }

@_cdecl("swo_clock_retain")
public func swo_clock_retain(_ clock: OpaquePointer?) -> OpaquePointer? { retain(clock, ClockHandle.self) }

@_cdecl("swo_clock_release")
public func swo_clock_release(_ clock: OpaquePointer?) { release(clock, ClockHandle.self) }

/// Keeps the clock that the program has named.
private let standard = Guarded<TimerQueue?>(nil)

@_cdecl("swo_clock_set_default")
public func swo_clock_set_default(_ clock: OpaquePointer?) {
    let named = clock.map { timers(of: $0) }
    // Released here, without the lock.
    let before = standard.withLock { standard in
        defer { standard = named }
        return standard
    }
    withExtendedLifetime(before) {}
}

@_cdecl("swo_clock_now")
public func swo_clock_now(_ clock: OpaquePointer?) -> Int64 {
    guard let clock else { return 0 }
    return timers(of: clock).now
}

@_cdecl("swo_clock_waiting")
public func swo_clock_waiting(_ clock: OpaquePointer?) -> Int {
    guard let clock else { return 0 }
    return timers(of: clock).count
}

@_cdecl("swo_clock_advance")
public func swo_clock_advance(_ clock: OpaquePointer?, _ interval: Int64) -> swo_status {
    guard let clock, interval >= 0 else { return SWO_INVALID_ARGUMENT }
    // Counted, because a handler may release the clock.
    let timers = timers(of: clock)
    guard timers.isTurnedByHand else { return SWO_WRONG_KIND }
    return timers.advance(by: interval) ? SWO_OK : SWO_CALLBACK_FAILED
}

@_cdecl("swo_clock_with_timer")
public func swo_clock_with_timer(
    _ timer: UnsafePointer<swo_timer>?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    let context = Context(context, destroy)
    guard let timer = timer?.pointee, timer.size >= MemoryLayout<swo_timer>.size, let wakeAt = timer.wake_at, let out
    else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    let now = timer.now
    let timers = TimerQueue(
        now: { now.map { $0(context.pointer) } ?? platform_now() }, wakeAt: { wakeAt(context.pointer, $0) })
    out.pointee = export(ClockHandle(timers), "clock")
    return SWO_OK
}

@_cdecl("swo_clock_run")
public func swo_clock_run(_ clock: OpaquePointer?) -> swo_status {
    guard let clock else { return SWO_INVALID_ARGUMENT }
    let handle = withHandle(clock, ClockHandle.self) { $0 }
    guard !handle.timers.isTurnedByHand, !handle.isOfQueue else { return SWO_WRONG_KIND }
    return handle.timers.run().isDelivered ? SWO_OK : SWO_CALLBACK_FAILED
}

@_cdecl("swo_clock_end")
public func swo_clock_end(_ clock: OpaquePointer?) -> swo_status {
    guard let clock else { return SWO_INVALID_ARGUMENT }
    timers(of: clock).end()
    return SWO_OK
}

@_cdecl("swo_queue_clock")
public func swo_queue_clock(_ queue: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?) -> swo_status {
    guard let queue, let out else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    let timers = withHandle(queue, QueueHandle.self) { $0.queue.madeTimers() }
    guard let timers else { return SWO_NO_RESOURCES }
    out.pointee = export(ClockHandle(timers, ofQueue: true), "clock")
    return SWO_OK
}

/// What a `swo_clock *` points at.
final class ClockHandle: Handle {
    static var kind: HandleKind { .clock }

    let timers: TimerQueue
    /// Whether what drains a queue runs it.
    let isOfQueue: Bool

    init(_ timers: TimerQueue, ofQueue isOfQueue: Bool = false) {
        self.timers = timers
        self.isOfQueue = isOfQueue
    }
}

/// The clock behind a pointer of C, counted.
func timers(of clock: OpaquePointer, function: StaticString = #function) -> TimerQueue {
    withHandle(clock, ClockHandle.self, function: function) { $0.timers }
}

/// The clock on which something is to wait: the program's, where none is given; `nil` if it has none.
func timers(orDefault clock: OpaquePointer?, function: StaticString = #function) -> TimerQueue? {
    guard let clock else { return standard.withLock { $0 } }
    return timers(of: clock, function: function)
}
