// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_latest")
public func swo_latest(_ observable: OpaquePointer?, _ out: UnsafeMutablePointer<swo_value>?) -> swo_status {
    guard let observable, let out else { return SWO_INVALID_ARGUMENT }
    let latest = handle(observable).latest
    guard let message = latest.message else { return latest.status }
    var copy = swo_value()
    guard message.withValue({ copyValue($0, &copy) }) else { return SWO_NO_MEMORY }
    out.pointee = copy
    return SWO_OK
}

@_cdecl("swo_send_latest")
public func swo_send_latest(_ observable: OpaquePointer?, _ author: UnsafeRawPointer?) -> swo_status {
    guard let observable else { return SWO_INVALID_ARGUMENT }
    // Counted, because a mapper may release it.
    let handle = handle(observable)
    if handle.isElsewhere {
        return handle.role.isVariable
            ? handle.handOver(.sendLatest, nil, author ?? UnsafeRawPointer(observable)) : SWO_WRONG_KIND
    }
    endIfCancelled()
    return withExtendedLifetime(handle) {
        var message: StoredMessage?
        if handle.role.mayLackLatest {
            // What all others see, in a transaction as well.
            let latest = Transactions.outsideUnlessComputing { handle.latest }
            guard latest.message != nil else { return latest.status }
            message = latest.message
        }
        return handle.sendLatest(author ?? UnsafeRawPointer(observable)).map { status(of: $0) }
            ?? message.unsafelyUnwrapped.withValue { sendChecking(observable, $0, author) }
    }
}

/// The latest message of a buffered observable, or the reason why it has none.
struct Latest {
    let message: StoredMessage?
    let status: swo_status

    init(_ message: StoredMessage) {
        self.message = message
        status = SWO_OK
    }

    init(_ status: swo_status) {
        message = nil
        self.status = status
    }
}

/// Fetches the latest message, on any thread. It does not need the observable itself any more.
typealias Buffer = () -> Latest

extension ObservableHandle {
    /// Set where this is buffered.
    @inline(never)
    var buffer: Buffer? {
        let role = role
        return role.isBuffered ? { role.latest } : nil
    }

    var latest: Latest { role.latest }

    /// Sends the value of a variable. `nil`: this is none.
    @inline(never)
    func sendLatest(_ author: UnsafeRawPointer, isHeard: Bool? = nil) -> Outcome? {
        switch role {
        case .variable(let variable): variable.sendLatest(author: author, isHeard: isHeard)
        case .deferred(let variable): variable.sendLatest(author: author, isHeard: isHeard)
        case .derived(let variable): variable.sendLatest(author: author)
        case .messenger, .transform: nil
        }
    }

    /// What to replay of the last messages, or nil if there is nothing to replay here.
    @inline(never)
    func replay(_ count: Int) -> Replay<CHandler>? {
        let author = UnsafeRawPointer(pointer)
        switch role {
        case .variable(let variable): return { variable.replay(oldValue: { $0.oldValue }, author: author) }
        case .deferred(let variable): return { variable.replay(author: author) }
        case .derived(let variable): return { variable.replay(oldValue: { $0.oldValue }, author: author) }
        case .messenger: return nil
        case .transform(let upstream):
            if let memory = upstream.memory { return { memory.last(count, author) } }
            guard let buffer else { return nil }
            return { [core = Unmanaged.passUnretained(core)] in
                let latest = Transactions.outsideUnlessComputing(buffer)
                if let message = latest.message { return [Replayed(message, author)] }
                // The replay is of no send.
                if latest.status != SWO_NOT_FOUND { core._withUnsafeGuaranteedRef { $0.countRefusal() } }
                return []
            }
        }
    }
}

/// Not inlined where most variables are of another kind.
@inline(never)
private func valueOf(_ variable: DeferredVariable<OwnedValue, CHandler>) -> OwnedValue { variable.get() }

// Where the latest message of an observable comes from. It does not keep the observable.
extension Role {
    /// The value of a variable that has no function.
    var value: OwnedValue? {
        switch self {
        case .variable(let variable): return variable.get()
        case .deferred(let variable): return valueOf(variable)
        case .messenger, .derived, .transform: return nil
        }
    }

    /// False for a variable that has no function.
    fileprivate var mayLackLatest: Bool {
        switch self {
        case .variable, .deferred: false
        case .messenger, .derived, .transform: true
        }
    }

    fileprivate var isBuffered: Bool {
        var next = self
        // No recursion, because a chain may be long.
        while !next.isVariable {
            guard let upstream = next.upstream else { return false }
            if let memory = upstream.memory { return memory.isBuffered }
            if upstream.combines { return true }
            guard upstream.computing != nil, let source = upstream.source else { return false }
            next = source.role
        }
        return true
    }

    /// Puts the latest message where it is borrowed from, with an update that it may be.
    ///
    /// - Parameter kept: what it points at, where it is no number, until that is released.
    /// - Returns: `SWO_NOT_FOUND` if there is none yet.
    func borrowLatest(
        _ message: UnsafeMutablePointer<swo_value>, _ update: UnsafeMutablePointer<swo_update>,
        keepingIn kept: UnsafeMutablePointer<StoredMessage?>
    ) -> swo_status {
        // Most chains are that short, and need no list of their steps.
        guard case .transform(let upstream) = self, let step = upstream.computing,
            let value = upstream.source?.role.value
        else {
            let latest = value.map { Latest(StoredMessage(old: $0, new: $0)) } ?? latest
            guard let found = latest.message else { return latest.status }
            kept.pointee = found
            message.pointee = found.borrow(update)
            return SWO_OK
        }
        defer { withExtendedLifetime(value) {} }
        var made = swo_value()
        update.pointee = swo_update(old_value: value.borrowed, new_value: value.borrowed)
        return withUnsafePointer(to: swo_update_value(update)) { of in
            withUnsafeMutablePointer(to: &made) { made in
                guard let passed = step(of, nil, made), passed.pointee.kind >= 0 else { return SWO_CALLBACK_FAILED }
                if isNumber(passed) {
                    message.pointee = passed.pointee
                    message.pointee.owned = 0
                    return SWO_OK
                }
                guard let copy = made.lend({ StoredMessage(copying: passed) }) else { return SWO_NO_MEMORY }
                kept.pointee = copy
                message.pointee = copy.borrow(update)
                return SWO_OK
            }
        }
    }

    @inline(never)
    fileprivate var latest: Latest {
        var steps: [CStep] = []
        switch find(&steps) {
        case .found(let latest): return latest.after(steps)
        case .source, .gather, .steps: return latestOfCombined
        }
    }

    /// The same of what is made of something combined. No recursion, because chains may be long.
    @inline(never)
    private var latestOfCombined: Latest {
        var ways: [Way] = [.source(self)], found: [Latest] = []
        while let way = ways.popLast() {
            switch way {
            case .found(let latest): found.append(latest)
            case .steps(let steps): found.append(found.removeLast().after(steps))
            case .gather(let all):
                let first = found.count - all.parts.count, gathered = Latest(listing: found[first...])
                found.removeLast(all.parts.count)
                found.append(gathered)
            case .source(let role):
                var steps: [CStep] = []
                let way = role.find(&steps)
                ways.append(.steps(steps))
                ways.append(way)
                guard case .gather(let all) = way else { continue }
                // The first is popped first.
                for part in all.parts.indices.reversed() { ways.append(all.way(to: part)) }
            }
        }
        return found[0]
    }

    /// Finds the latest message, or of what it is to be gathered.
    ///
    /// - Parameter steps: what is still to be made of it, the last step first.
    private func find(_ steps: inout [CStep]) -> Way {
        var next = self
        // No recursion, because a chain may be long.
        while true {
            if let value = next.value { return .found(Latest(StoredMessage(old: value, new: value))) }
            if case .derived(let variable) = next {
                switch variable.get() {
                case .value(let value): return .found(Latest(StoredMessage(old: value, new: value)))
                case .failure(let failure): return .found(Latest(status(of: failure)))
                }
            }
            guard let upstream = next.upstream else { return .found(Latest(SWO_WRONG_KIND)) }
            if let memory = upstream.memory { return .found(memory.latest) }
            if let all = upstream.latestOfAll { return .gather(all) }
            guard let step = upstream.computing, let source = upstream.source else {
                return .found(Latest(SWO_WRONG_KIND))
            }
            steps.append(step)
            next = source.role
        }
    }
}

/// A piece of the way to a latest message.
enum Way {
    case source(Role)
    case found(Latest)
    /// Makes one list of the latest messages of several.
    case gather(LatestList)
    /// What the steps of transforms make of what has been found, the last step first.
    case steps([CStep])
}

extension Latest {
    /// What the steps of transforms make of a message, the last step first.
    fileprivate func after(_ steps: [CStep]) -> Latest {
        var latest = self
        for step in steps.reversed() { latest = latest.after(step) }
        return latest
    }

    fileprivate func after(_ step: CStep) -> Latest {
        guard let message else { return self }
        var made = swo_value()
        return message.withValue { message in
            withUnsafeMutablePointer(to: &made) { made in
                guard let passed = step(message, nil, made), passed.pointee.kind >= 0 else {
                    return Latest(SWO_CALLBACK_FAILED)
                }
                return made.lend { StoredMessage(copying: passed) }.map { Latest($0) } ?? Latest(SWO_NO_MEMORY)
            }
        }
    }
}
