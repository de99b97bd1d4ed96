// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization

/// What the `client` of a core says: where its handle is, and in the lowest bits, which are zero in addresses, what can be
/// done without a look at it.
///
/// Or how many owners a messenger has that has no handle. Most are never more than sent to and observed, and a handle would
/// take 64 bytes and an allocation of each. What needs one makes it, and that takes over the owners.
enum Client {
    static var count: UInt { 1 }
    /// Above the marks: a messenger with two owners is no variable.
    static var owner: UInt { 8 }
    static var oneOwner: UInt { count + owner }

    /// Any message can be sent.
    static var takesAnything: UInt { 2 }
    /// It is a variable that any thread may read and set.
    static var isVariable: UInt { 4 }
    static var marks: UInt { 7 }

    static func mark(of role: Role) -> UInt {
        switch role {
        case .messenger, .transform: return takesAnything
        case .variable: return isVariable
        case .deferred, .derived: return 0
        }
    }

    @inline(__always)
    static func isCount(_ client: UInt) -> Bool { client & count != 0 }

    @inline(__always)
    static func handle(_ client: UInt) -> Unmanaged<ObservableHandle> {
        .fromOpaque(UnsafeRawPointer(bitPattern: client & ~marks).unsafelyUnwrapped)
    }

    static func handle(of core: Core<CHandler>) -> UInt { core.client.load(ordering: .relaxed) & ~marks }

    /// Changes the number of owners, where there is one.
    ///
    /// - Returns: What was there before.
    @inline(__always)
    static func change(_ core: Core<CHandler>, _ change: (UInt) -> UInt) -> UInt? {
        var client = core.client.load(ordering: .relaxed)
        while isCount(client) {
            let (isDone, found) = core.client.weakCompareExchange(
                expected: client, desired: change(client), ordering: .acquiringAndReleasing)
            if isDone { return client }
            client = found
        }
        return nil
    }

    /// Gives a messenger its handle. Called by an owner, or by one who borrows from it.
    @inline(never)
    static func makeHandle(of core: Core<CHandler>) -> Unmanaged<ObservableHandle> {
        let made = Unmanaged.passRetained(ObservableHandle(core))
        var held = oneOwner
        let before = change(core) { client in
            // It has all its owners before any of them can release it.
            while held < client {
                _ = made.retain()
                held += owner
            }
            while held > client {
                made.release()
                held -= owner
            }
            return made._withUnsafeGuaranteedRef { $0.address | mark(of: .messenger) }
        }
        guard before == nil else {
            // The owners' reference: the handle has its own.
            Unmanaged.passUnretained(core).release()
            return made
        }
        // Another thread was faster.
        while held > oneOwner {
            made.release()
            held -= owner
        }
        made.release()
        return handle(core.client.load(ordering: .acquiring))
    }
}
