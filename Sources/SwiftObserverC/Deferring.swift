// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine
import Synchronization

/// Where the assignments of a variable wait for their turn: a messenger whose messages are the values to be assigned,
/// and updates to be sent as they are. It delivers the next one when the variable has delivered all that came of the
/// one before. Batches begin and end, and replays are received, in their turn, too: so nobody else delivers there.
final class Turns {
    let core = Core<CHandler>()
    /// How many batches have been begun and not been ended, whether or not their turn has come.
    private let batches = Atomic(0)

    init(of variable: Variable<OwnedValue, CHandler>) {
        let assigner = Unmanaged.passRetained(Assigner(variable, core))
        _ = core.observe(
            CHandler(
                function: { assigner, message, author in
                    Unmanaged<Assigner>.fromOpaque(assigner!)._withUnsafeGuaranteedRef { $0.receive(message, author!) }
                },
                context: assigner.toOpaque()),
            destroy: { Unmanaged<Assigner>.fromOpaque($0!).release() })
    }

    func beginBatch() {
        _ = mark(Turns.beginning(of: core))
        // Counted only now, so that no end stands before its beginning.
        batches.add(1, ordering: .relaxed)
    }

    /// @return SWO_NOT_FOUND if no batch is open.
    func endBatch() -> swo_status {
        var open = batches.load(ordering: .relaxed)
        while open > 0 {
            let (isMine, now) = batches.weakCompareExchange(expected: open, desired: open - 1, ordering: .relaxed)
            if isMine { return status(of: mark(Turns.end(of: core))) }
            open = now
        }
        return SWO_NOT_FOUND
    }

    /// Lets those that have begun to observe the variable receive their replays.
    func join() { _ = mark(Turns.joining(of: core)) }

    private func mark(_ place: UnsafeRawPointer) -> Outcome {
        core.send(kept: WaitingMessage(), author: place)
    }

    /// As its author, says that a message is no value: an address that nobody else can name.
    fileprivate static func beginning(of core: Core<CHandler>) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(core).toOpaque())
    }

    fileprivate static func end(of core: Core<CHandler>) -> UnsafeRawPointer { beginning(of: core) + 1 }

    fileprivate static func joining(of core: Core<CHandler>) -> UnsafeRawPointer { beginning(of: core) + 2 }
}

/// Has an assignment wait for its turn.
func setInTurn(
    _ handle: ObservableHandle, _ value: UnsafePointer<swo_value>, _ author: UnsafeRawPointer
) -> swo_status {
    let status = checkValue(value, updates: false)
    return status == SWO_OK ? handle.send(value, author: author) : status
}

private final class Assigner {
    private let variable: Variable<OwnedValue, CHandler>
    // Not kept: the core outlives its handlers.
    private let turns: Unmanaged<Core<CHandler>>

    init(_ variable: Variable<OwnedValue, CHandler>, _ turns: Core<CHandler>) {
        self.variable = variable
        self.turns = .passUnretained(turns)
    }

    // The variable has died, and what waited for its turn is done.
    deinit { variable.core.close() }

    func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer) {
        turns._withUnsafeGuaranteedRef { turns in
            if takeTurn(message, author, turns) != SWO_OK { turns.reportFailure() }
        }
    }

    private func takeTurn(
        _ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer, _ turns: Core<CHandler>
    ) -> swo_status {
        if message.pointee.kind == SWO_KIND_UPDATE { return status(of: variable.core.send(message, author: author)) }
        if author == Turns.beginning(of: turns) {
            variable.beginBatch()
            return SWO_OK
        }
        if author == Turns.end(of: turns) { return status(of: variable.endBatch() ?? .sent) }
        if author == Turns.joining(of: turns) {
            variable.core.join()
            return SWO_OK
        }
        return setNow(variable, message, author)
    }
}
