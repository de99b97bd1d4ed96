// SPDX-License-Identifier: MIT

import ObserverEngine

/// Brings the messages of several observables into one line, at whose end stands one handler.
///
///     observable --part--\
///     observable --part---+--> line --> handler
///
/// Without it the handler would run on two threads at once, or inside itself, for the observables know
/// nothing of each other. The parts hold the line. When the last of them has ended, so does the line.
@usableFromInline
final class Line<Message> {
    @usableFromInline typealias Element = (message: Message, part: LatePart)

    @usableFromInline let core = Core<ClosureHandler<Element>>()
    @usableFromInline let id: ObservationID

    @inlinable
    init(_ handler: ClosureHandler<Message>) {
        id = core.observe(
            .authored { element, author in
                // It may have been stopped while the message stood in the line.
                if element.part.isLiving { handler.receive(element.message, author) }
            })
    }

    @inlinable
    deinit { core.close() }

    /// Observes a messenger, and puts into the line what is made of its messages.
    @inlinable
    func observe<Part>(_ messenger: Messenger<Part>, _ make: @escaping (Part) -> Message?) -> ObservationID {
        let part = LatePart()
        let id = messenger.observe(
            .authored { [self] message, author in
                if let made = make(message) { _ = core.send((made, part), author: author) }
            })
        part.begin(id)
        return id
    }
}

/// The id of an observation whose handler may be called before anybody knows it.
@usableFromInline
final class LatePart: Sendable {
    @usableFromInline let id = Guarded<ObservationID?>(nil)

    @inlinable init() {}
    @inlinable func begin(_ id: ObservationID) { self.id.withLock { $0 = id } }
    @inlinable var isLiving: Bool { id.withLock { $0 }?.isLiving ?? true }
}

extension Observer {
    /// Begins an observation of several observables.
    @inlinable
    func begin<Message>(_ line: Line<Message>, _ parts: [ObservationID]) -> ObservationHandle {
        receiver.keeper.keep(line.id)
        for part in parts { receiver.keeper.keep(part) }
        return ObservationHandle(id: line.id, parts: parts)
    }
}
