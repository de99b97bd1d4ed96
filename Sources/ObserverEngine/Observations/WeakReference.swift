// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    import CPlatform

    /// A weak reference that is cheap to use.
    ///
    /// Swift's own has a table made for the object, which every later retain and release of it has to go through,
    /// and observers are used with every message.
    public struct WeakReference<Object: AnyObject>: ~Copyable {
        #if canImport(ObjectiveC)
            // Objects of Objective-C have no other.
            public private(set) weak var object: Object?

            public init(_ object: Object) { self.object = object }
        #else
            @usableFromInline let pointer: UnsafeMutableRawPointer

            @inlinable
            public init(_ object: Object) {
                pointer = Unmanaged.passUnretained(object).toOpaque()
                platform_remember(pointer)
            }

            @inlinable
            deinit { platform_forget(pointer) }

            /// The object, unless it is dead or dying.
            @inlinable public var object: Object? {
                platform_try_retain(pointer).map { Unmanaged.fromOpaque($0).takeRetainedValue() }
            }
        #endif
    }
#endif
