// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

/// Makes where the assignments of a variable wait for their turn: a messenger whose messages are the values to be
/// assigned, and updates to be sent as they are. It delivers the next one when the variable has delivered all that
/// came of the one before.
func turns(of variable: Variable<OwnedValue, CHandler>) -> Core<CHandler> {
    let turns = Core<CHandler>()
    let assigner = Unmanaged.passRetained(Assigner(variable, turns))
    _ = turns.observe(
        CHandler(
            function: { assigner, message, author in
                Unmanaged<Assigner>.fromOpaque(assigner!)._withUnsafeGuaranteedRef { $0.receive(message, author!) }
            },
            context: assigner.toOpaque()),
        destroy: { Unmanaged<Assigner>.fromOpaque($0!).release() })
    return turns
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
        let status =
            message.pointee.kind == SWO_KIND_UPDATE
            ? SwiftObserverC.status(of: variable.core.send(message, author: author))
            : setNow(variable, message, author)
        if status != SWO_OK { turns._withUnsafeGuaranteedRef { $0.reportFailure() } }
    }
}
