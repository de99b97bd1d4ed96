// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

/// Old values of variables that no function has read yet, kept while a view is pinned: it may be about to read one of them for
/// the first time, and has to see it as of its moment (law 27). Guarded by the lock of the pins.
enum KeptElsewhere {
    struct Value {
        var next: UnsafeMutablePointer<Value>?
        let core: Unmanaged<AnyCore>
        let box: Unmanaged<ValueBox>
        /// The epoch in which another value came.
        let until: UInt64
    }

    private nonisolated(unsafe) static var newest: UnsafeMutablePointer<Value>?
    /// The epochs in which values were kept last, by cores.
    private nonisolated(unsafe) static var epochs = PointerTable()

    /// Keeps the value of a variable, which is about to be set. The lock of its core is held.
    static func keep(_ box: ValueBox, of core: AnyCore) {
        platform_pins_lock_acquire()
        defer { platform_pins_lock_release() }
        guard platform_pinned() != 0 else { return }
        let now = epoch.load(ordering: .sequentiallyConsistent)
        let place = Unmanaged.passUnretained(core).toOpaque()
        // No view can see what comes and goes in one epoch.
        if epochs.value(of: place) == Int(truncatingIfNeeded: now) { return }
        epochs.set(place, Int(truncatingIfNeeded: now))
        let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        value.initialize(
            to: Value(
                next: newest, core: .passRetained(core), box: .passRetained(box),
                until: now))
        newest = value
    }

    /// Gives a node that joins the old values of its variable. The lock of its core is held.
    static func hand(to node: NodePointer, of core: AnyCore) {
        guard platform_pinned() != 0 else { return }
        platform_pins_lock_acquire()
        defer { platform_pins_lock_release() }
        var last: UnsafeMutablePointer<OldValue>?
        var next = newest
        let core = Unmanaged.passUnretained(core).toOpaque()
        while let one = next {
            next = one.pointee.next
            guard one.pointee.core.toOpaque() == core else { continue }
            // The value that came then, which has been met already, or is the present one.
            if let last { last.pointee.stamp = one.pointee.until } else { node.pointee.stamp = one.pointee.until }
            let old = UnsafeMutablePointer<OldValue>.allocate(capacity: 1)
            old.initialize(to: OldValue(next: nil, stamp: 0, version: .max, box: one.pointee.box))
            _ = one.pointee.box.retain()
            if let last { last.pointee.next = old } else { node.pointee.old = old }
            last = old
        }
    }

    /// No view is pinned any more. @return What is to be released without the lock.
    static func takeAll() -> UnsafeMutablePointer<Value>? {
        defer {
            newest = nil
            epochs = PointerTable()
        }
        return newest
    }

    static func release(_ values: UnsafeMutablePointer<Value>?, _ tracker: TrackerPointer) {
        var next = values
        while let one = next {
            next = one.pointee.next
            tracker.pointee.boxes.append(one.pointee.box)
            one.pointee.core.release()
            UnsafeMutableRawPointer(one).deallocate()
        }
    }
}
