// SPDX-License-Identifier: MIT

internal import CPlatform

/// Whether an object is in its `deinit`. It must not be kept any more then: not even in the queue, by a
/// message whose author it would be.
@usableFromInline
func isDying(_ object: AnyObject) -> Bool {
    platform_is_dying(Unmanaged.passUnretained(object).toOpaque())
}
