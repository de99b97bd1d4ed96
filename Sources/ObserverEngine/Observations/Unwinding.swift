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
        var waiting = finally.map { [$0] } ?? []
        withUnsafeMutablePointer(to: &waiting) { waiting in
            place.pointee = UnsafeMutableRawPointer(waiting)
            end()
            while let next = waiting.pointee.popLast() { next() }
            place.pointee = nil
        }
    }

    extension Core {
        /// Closes this, whose observable dies: its handlers may hold the next one of a chain.
        @inlinable
        public func closeInLoop() {
            if state.load() & CoreState.empty != 0 { close() } else { unwinding { [self] in close() } }
        }
    }

    extension Keeper {
        /// Stops everything, because its observer dies: the handlers may hold the next one of a chain.
        public func stopAllInLoop() { unwinding { [self] in stopAll() } }
    }

    /// Holds the next object of a chain for one that lets go of it in its `deinit`.
    public final class Linked<Content> {
        public private(set) var content: Content?

        public init(_ content: Content) { self.content = content }

        public func letGo() { unwinding { [self] in content = nil } }
    }
#endif
