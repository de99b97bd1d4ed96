// SPDX-License-Identifier: MIT

import CPlatform

// What derived variables do while something asks what has changed them, or writes a trace.

extension DerivedVariable {
    @usableFromInline @inline(never)
    func deriveTraced() -> Derivation<Value> {
        guard Tracing.writesTrace else { return body.pointee.rule.derive() }
        core.traceComputation()
        defer { platform_trace_end() }
        return body.pointee.rule.derive()
    }

    /// The same as `publish`, which notes the cause of a change that is not sent: effects and other derived variables go
    /// on from it.
    @usableFromInline @inline(never)
    func publishTraced(
        _ result: Derivation<Value>, _ tracker: TrackerPointer, _ view: ViewPointer, _ region: RegionPointer,
        _ frame: Frame
    ) -> RegionPointer {
        let (hadValue, before, version) = (node.pointee.hasValue, body.pointee.last, node.pointee.version)
        let entered = publish(result, tracker, view, region, frame)
        let isChanged = hadValue && node.pointee.isLive && node.pointee.version != version
        let (isFailed, new) = (body.pointee.failure != nil, body.pointee.last)
        let isSent = node.pointee.isObserved && !isFailed
        Regions.leave(entered, tracker)
        let core = core
        if isChanged, !isSent {
            core.becauseOfLatest(of: core.dependencies) { noteChange(isFailed ? nil : new, since: before) }
        }
        return withExtendedLifetime((before, new)) { Regions.enter(node, tracker) }
    }

    /// Notes what this thread does as the cause of a change that nothing receives.
    ///
    /// - Parameter new: `nil` where the function has failed.
    private func noteChange(_ new: Value?, since before: Value?) {
        let core = core, author = body.pointee.rule.author(of: core)
        let cause = core.withLock { core.makeCause(author) }
        guard let new else { return platform_cause_release(cause) }
        _ = core.sendTraced(stored: body.pointee.rule.makeMessage(before ?? new, new), cause) { .sent }
    }

    /// The same as `deliver`, where causes are noted.
    @usableFromInline @inline(never)
    func sendTraced(_ before: Value?, _ new: Value, _ tracker: TrackerPointer, _ region: RegionPointer) -> Bool {
        Regions.leave(region, tracker)
        let core = core
        return core.becauseOfLatest(of: core.dependencies) {
            let entered = Regions.enter(node, tracker)
            body.pointee.sent.unsafelyUnwrapped.pointee = new
            if core.isBlocked {
                Regions.leave(entered, tracker)
                noteChange(new, since: before)
                return true
            }
            let message = body.pointee.rule.makeMessage(before ?? new, new)
            let author = body.pointee.rule.author(of: core)
            core.lock()
            let cause = core.makeCause(author), sending = core.decide(change: message, author)
            core.noteWaiting(sending, cause)
            if sending.isLeft { core.letTurnsWait(for: node, in: entered, tracker) }
            core.unlock()
            Regions.leave(entered, tracker)
            return core.sendTraced(stored: message, cause) { core.perform(sending, message, author) } == .sent
        }
    }
}
