// SPDX-License-Identifier: MIT

internal import CPlatform
import ObserverEngine

// Observers do not keep transforms, so `observer.observe(number.new()) { ... }` receives nothing: the transform dies when
// the call returns. A debug build says so on standard error, once for each place in the program where such an observation
// begins. It is silent where nothing is lost: where the observer has died, too, or the observation was stopped, or all
// that the transform was made from dies with it, or where the transform has sent meanwhile, as at the end of a function
// that held it. SWIFTOBSERVER_WARNINGS=off in the environment switches it off. In a
// release build nothing of this is there.

extension ObservationHandle {
    /// Notes where an observation began, in case it ends because a transform is released.
    @inlinable @inline(__always)
    func began(
        observing observable: some Observable, by observer: AnyObject, _ file: StaticString, _ line: UInt
    ) -> ObservationHandle {
        #if DEBUG
            observable.messenger.beginnings?.note(
                Beginning(self, by: observer, "\(file):\(line)", observable.messenger.core.latestThread))
        #endif
        return self
    }
}

#if DEBUG
    /// Where an observation of a transform began, and whose it is.
    @usableFromInline
    struct Beginning {
        let observation: ObservationHandle
        private weak var observer: AnyObject?
        let place: String
        /// Which thread had delivered last.
        let thread: UInt

        @usableFromInline
        init(_ observation: ObservationHandle, by observer: AnyObject, _ place: String, _ thread: UInt) {
            self.observation = observation
            self.observer = observer
            self.place = place
            self.thread = thread
        }

        /// Whether there is still an object that expects messages.
        var isAwaited: Bool {
            guard let observer, observation.isLiving else { return false }
            return (observer as? any Forgetful)?.isAbandoned != true
        }
    }

    /// Where the observations of one transform began.
    @usableFromInline
    final class Beginnings: Sendable {
        private let noted = Guarded<[Beginning]>([])
        private let room = Guarded(16)

        @usableFromInline
        init() {}

        @usableFromInline
        func note(_ beginning: Beginning) {
            let count = noted.withLock { noted in
                noted.append(beginning)
                return noted.count
            }
            if count > room.withLock({ $0 }) { forgetEnded() }
        }

        /// Outside the lock, because looking at an observer can release it.
        private func forgetEnded() {
            let all = noted.withLock { noted in
                defer { noted = [] }
                return noted
            }
            let awaited = all.filter(\.isAwaited)
            noted.withLock { $0 += awaited }
            room.withLock { $0 = max(16, awaited.count * 2) }
        }

        /// Ends the transform, and says where observations began that would have received more.
        ///
        /// - Parameters:
        ///   - thread: that delivered last.
        ///   - sources: of the transform. They are let go of before it ends.
        @usableFromInline
        func end(_ thread: UInt, from sources: () -> [any AnyMessenger], _ end: @escaping () -> Void) {
            let awaited = noted.withLock { $0 }.filter { $0.isAwaited && $0.thread == thread }
            guard !awaited.isEmpty else { return unwinding(end) }
            let origins = originsOf(sources())
            unwinding(end) { if origins.contains(where: { $0.messenger != nil }) { awaited.forEach { $0.say() } } }
        }
    }

    extension Beginning {
        fileprivate func say() {
            guard placesSaid.withLock({ $0.insert(place).inserted }) else { return }
            platform_warn(
                """
                \(place): warning: the observation that begins here has ended, because the transform that it observes was \
                released. Hold the transform, or transform ad hoc: observer.observe(source).map { ... }.receive { ... }
                """)
        }
    }

    /// As many as there are such places in the program.
    private let placesSaid = Guarded<Set<String>>([])

    private struct OriginReference {
        weak var messenger: (any AnyMessenger)?
    }

    /// The observable that messages come from at first, through however many transforms.
    private func originsOf(_ sources: [any AnyMessenger]) -> [OriginReference] {
        var origins: [OriginReference] = [], pending = sources, seen: Set<ObjectIdentifier> = []
        while let messenger = pending.popLast() {
            guard seen.insert(ObjectIdentifier(messenger)).inserted else { continue }
            if let upstream = messenger.upstream {
                pending += upstream.feeding
            } else {
                origins.append(OriginReference(messenger: messenger))
            }
        }
        return origins
    }
#endif
