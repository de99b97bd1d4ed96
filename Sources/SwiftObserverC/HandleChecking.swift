// SPDX-License-Identifier: MIT

// What the debugging library does with each handle: see CPlatform/handles.c. In the ordinary one all of this is empty.

import ObserverEngine

#if CHECKS_HANDLES
    import CPlatform
#endif

enum HandleKind: Int32 {
    case observable, observer, queue, clock
}

/// A function of C uses a handle.
@inline(__always)
func check(_ handle: OpaquePointer, _ kind: HandleKind, _ function: StaticString) {
    #if CHECKS_HANDLES
        platform_handle_use(UnsafeRawPointer(handle), kind.rawValue, text(function))
    #endif
}

@inline(__always)
func checkDelivering(_ observable: OpaquePointer, function: StaticString = #function) {
    #if CHECKS_HANDLES
        platform_handle_use_delivering(UnsafeRawPointer(observable), text(function))
    #endif
}

@inline(__always)
func noteMade(_ handle: UnsafeRawPointer, _ kind: HandleKind, _ what: UnsafeRawPointer?) {
    #if CHECKS_HANDLES
        platform_handle_made(handle, kind.rawValue, what?.assumingMemoryBound(to: CChar.self))
    #endif
}

@inline(__always)
func noteRetain(_ handle: OpaquePointer, _ kind: HandleKind, _ function: StaticString = #function) {
    #if CHECKS_HANDLES
        platform_handle_retain(UnsafeRawPointer(handle), kind.rawValue, text(function))
    #endif
}

@inline(__always)
func noteRelease(_ handle: OpaquePointer, _ kind: HandleKind, _ function: StaticString = #function) {
    #if CHECKS_HANDLES
        platform_handle_release(UnsafeRawPointer(handle), kind.rawValue, text(function))
    #endif
}

/// An observable is dead for its owners, but may still deliver. An observer or a queue is dead with its last owner.
@inline(__always)
func noteDied(_ core: Core<CHandler>) {
    #if CHECKS_HANDLES
        platform_handle_died(Unmanaged.passUnretained(core).toOpaque(), core.copyName())
    #endif
}
