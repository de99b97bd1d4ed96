// SPDX-License-Identifier: MIT

import CPlatform
import Synchronization

// A message that goes through a long chain of transforms does not take the stack with it: at every 64th transform the
// thread notes that it is on its way, and where it is already, the next stretch of the chain waits until the stack is
// back at the note. So it is with bindings, at every 16th, for these take more of the stack.

extension Core {
    /// Sends a message that a transform has made of one of its source, after which this comes.
    @inlinable
    public func pass(_ message: Message, author: Author) -> Outcome {
        isDeep ? passByTrampoline(message, author) : send(message, author: author)
    }

    @usableFromInline @inline(never)
    func passByTrampoline(_ message: Message, _ author: Author) -> Outcome {
        guard let under = platform_trampoline().pointee else {
            return startTrampoline { send(message, author: author) }
        }
        guard !isUnordered, let kept = Handler.copy(message) else { return send(message, author: author) }
        lock()
        let now = state.load()
        guard
            now & (CoreState.owned | CoreState.offered | CoreState.empty | CoreState.closed | CoreState.blocked)
                == 0,
            tryAcquireLocked()
        else {
            unlock()
            return send(message, author: author)
        }
        if !signalOwner() { fail("an owner has lost what it owns") }
        appendOwn(kept, author)
        unlock()
        under.assumingMemoryBound(to: [AnyCore].self).pointee.append(self)
        return .sent
    }

    /// Lets a binding set the variable that sends from here. At every 16th of those that set one another the value is set
    /// at once, and its update waits until the stack is back.
    public func setByBinding(_ set: () -> Outcome) -> Outcome {
        let nested = platform_nested_bindings()!
        nested.pointee &+= 1
        defer { nested.pointee &-= 1 }
        guard nested.pointee & 15 == 0 else { return set() }
        guard let under = platform_trampoline().pointee else { return startTrampoline(set) }
        lock()
        let isInTheWay =
            state.load() & (CoreState.owned | CoreState.offered | CoreState.empty | CoreState.closed) != 0
        guard !isInTheWay, !isUnordered, tryAcquireLocked() else {
            unlock()
            return set()
        }
        owner.store(platform_thread(), ordering: .relaxed)
        unlock()
        let outcome = set()
        withLock { if let inbox { makeBacklog().pointee.own = inbox.appended } }
        under.assumingMemoryBound(to: [AnyCore].self).pointee.append(self)
        return outcome
    }

    /// Sends, and then lets the stretches go on that have waited for the stack to come back.
    private func startTrampoline(_ send: () -> Outcome) -> Outcome {
        var waiting: [AnyCore] = []
        return withUnsafeMutablePointer(to: &waiting) { waiting in
            platform_trampoline().pointee = UnsafeMutableRawPointer(waiting)
            var outcome = send(), place = 0
            while place < waiting.pointee.count {
                let next = waiting.pointee[place]
                place += 1
                if place == waiting.pointee.count {
                    waiting.pointee = []
                    place = 0
                }
                let late = next.resume()
                outcome = outcome.and(late)
            }
            platform_trampoline().pointee = nil
            return outcome
        }
    }
}

extension AnyCore {
    /// Says that a core gets what another one sends.
    public final func setDepth(above source: AnyCore) {
        let before = source.depth.load(ordering: .relaxed)
        // Never 0 again, which is for what has no source.
        depth.store(before == .max ? 64 : before + 1, ordering: .relaxed)
    }

    /// Says that a core gets what several others send: it is as far from the last place where the stack comes back as the
    /// farthest of them.
    public final func setDepth(above sources: [AnyCore]) {
        var farthest: UInt8 = 0
        for source in sources { farthest = max(farthest, source.depth.load(ordering: .relaxed) & 63) }
        depth.store(farthest + 1, ordering: .relaxed)
    }

    /// Whether a chain that leads here may be long, and is not to take the stack with it.
    @inlinable public final var isDeep: Bool { depth.load(ordering: .relaxed) & 63 == 0 }

    /// Says that a core gets what other ones send, or will.
    public final func setDepthUnknown() { depth.store(64, ordering: .relaxed) }
}
