// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

// The beginning of an observation on the thread of its executor: a job that comes before those of all messages. Until
// it is run, another observation of the source stands for the one to come, so that it is found and can be stopped.

/// What an observation begins with later.
private final class Beginning {
    /// Kept alive until then.
    let source: ObservableHandle
    let replay: Replay<CHandler>?
    let placeholder: ObservationID
    /// What the observation is to be called.
    let name: CopiedName?

    init(
        _ source: ObservableHandle, _ replay: Replay<CHandler>?, _ placeholder: ObservationID,
        _ name: UnsafeMutablePointer<CChar>?
    ) {
        self.source = source
        self.replay = replay
        self.placeholder = placeholder
        self.name = CopiedName.adopting(name)
    }
}

extension ExecutorDelivery {
    /// Has the executor begin.
    ///
    /// - Returns: False if it refuses, and nothing is left.
    func beginLater(
        _ source: ObservableHandle, keptBy observer: OpaquePointer?, named name: UnsafeMutablePointer<CChar>?,
        _ replay: Replay<CHandler>?
    ) -> Bool {
        let copy = name.flatMap { strdup($0) }
        let placeholder = source.core.observe(
            destroy: ExecutorDelivery.destroy, continuingIn: mailbox.observation, named: name
        ) { id in
            link(id, keptBy: observer, "swo_observe_with")
            return handler { _, _, _ in }
        }
        let made = Unmanaged.passRetained(Beginning(source, replay, placeholder, copy))
        beginning.store(made.toOpaque(), ordering: .releasing)
        // The job owns this, until one of the two below.
        let job = Unmanaged.passRetained(self)
        if executor.execute!(executor.context, OpaquePointer(job.toOpaque())) == SWO_OK { return true }
        giveUpBeginning()
        // The executor may have begun all the same.
        mailbox.observation.stop()
        return false
    }

    func beginNow() {
        guard let now = takeBeginning() else { return }
        if now.replay != nil, now.source.isElsewhere { mailbox.observation.stop() }
        if mailbox.observation.isLiving { begin(now.source, named: now.name.flatMap { strdup($0.text) }, now.replay) }
        // Only now, so that the source is observed all the time.
        now.placeholder.finish()
    }

    func giveUpBeginning() {
        if takeBeginning() != nil { mailbox.observation.stop() }
    }

    /// Takes over what the job owns, once.
    private func takeBeginning() -> Beginning? {
        guard let taken = beginning.exchange(nil, ordering: .acquiringAndReleasing) else { return nil }
        Unmanaged.passUnretained(self).release()
        return Unmanaged<Beginning>.fromOpaque(taken).takeRetainedValue()
    }
}
