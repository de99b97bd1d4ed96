// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    import CPlatform

    // The library for C knows what holds what (`letGo`), and takes a loop. Swift's objects die by themselves, each of
    // a chain inside the end of the one before: these bring them into a loop, too.

    /// Ends the next object of a chain: at once, or, inside such an end on this thread, when the stack is back there.
    ///
    /// - Parameters:
    ///   - end: lets go of that object. The caller must not hold it any more.
    ///   - finally: is called when all that ends with it has ended.
    public func unwinding(_ end: @escaping () -> Void, finally: (() -> Void)? = nil) {
        let place = platform_unwinding()!
        if let waiting = place.pointee {
            let waiting = waiting.assumingMemoryBound(to: [() -> Void].self)
            if let finally { waiting.pointee.append(finally) }
            waiting.pointee.append(end)
            return
        }
        var waiting = finally.map { [$0, end] } ?? [end]
        withUnsafeMutablePointer(to: &waiting) { waiting in
            place.pointee = UnsafeMutableRawPointer(waiting)
            while let next = waiting.pointee.popLast() { next() }
            place.pointee = nil
        }
    }

    /// Holds the next object of a chain for one that lets go of it in its `deinit`.
    public final class Linked<Content> {
        public private(set) var content: Content?

        public init(_ content: Content) { self.content = content }

        public func letGo() { unwinding { [self] in content = nil } }
    }
#endif
