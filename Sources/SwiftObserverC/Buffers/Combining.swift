// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_observe_combined")
public func swo_observe_combined(
    _ observables: UnsafePointer<OpaquePointer?>?, _ count: Int, _ observer: OpaquePointer?,
    _ handler: swo_combined_handler?, _ context: UnsafeMutableRawPointer?, _ destroy: swo_destroy?,
    _ out: UnsafeMutablePointer<swo_observation>?
) -> swo_status {
    let context = Context(context, destroy)
    guard let observables, count > 0, let handler else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    var parts: [Combination.Part] = []
    var combined: [ObservableHandle] = []
    for index in 0..<count {
        guard let observable = observables[index] else { return SWO_INVALID_ARGUMENT }
        let one = handle(observable)
        guard let buffer = one.buffer else { return SWO_WRONG_KIND }
        parts.append(Combination.Part(core: one.core, buffer: buffer))
        combined.append(one)
    }
    let combination = Combination.begin(parts, handler, context, keptBy: observer)
    out?.pointee = combination.id.rawValue
    for one in combined { one.isObservedAgain() }
    return SWO_OK
}

/// Brings the messages of several observables into one queue, at whose end stands one handler.
///
///     observable --part--\
///     observable --part---+--> serializer --> handler
///
/// Its observations hold it: that of the serializer and those of the parts. When the serializer ends, all parts end, and
/// when a part ends, because its observable died or the observer stopped it, so does the serializer.
private final class Combination {
    struct Part {
        let core: Core<CHandler>
        let buffer: Buffer
    }

    let id: ObservationID
    private let serializer: Core<CHandler>
    private let parts: [Part]
    private let keeper = Keeper()
    private let handler: swo_combined_handler
    private let context: Context
    /// The message that is being delivered, and its part. Only the owner of the serializer reads and writes it.
    private var sent: (index: Int, message: StoredMessage)?

    static func begin(
        _ parts: [Part], _ handler: @escaping swo_combined_handler, _ context: Context, keptBy observer: OpaquePointer?
    ) -> Combination {
        let serializer = Core<CHandler>()
        var made: Combination!
        serializer.observe(destroy: { Unmanaged<Combination>.fromOpaque($0!).release() }) { id in
            made = Combination(serializer, id, parts, handler, context)
            return CHandler(
                function: { combination, _, author in
                    Unmanaged<Combination>.fromOpaque(combination!)._withUnsafeGuaranteedRef { $0.receive(author) }
                },
                context: Unmanaged.passRetained(made).toOpaque())
        }
        // As soon as it is stopped, also from within its handler.
        serializer.follow { [keeper = made.keeper] _ in keeper.stopAll() }
        for index in parts.indices {
            let part = made.begin(index)
            made.keeper.keep(part)
            if let observer {
                withHandle(observer, Keeper.self, function: "swo_observe_combined") { $0.keep(part) }
            }
        }
        // It may have ended before all parts were kept.
        if !made.id.isLiving { made.keeper.stopAll() }
        return made
    }

    private init(
        _ serializer: Core<CHandler>, _ id: ObservationID, _ parts: [Part], _ handler: @escaping swo_combined_handler,
        _ context: Context
    ) {
        self.serializer = serializer
        self.id = id
        self.parts = parts
        self.handler = handler
        self.context = context
    }

    deinit { serializer.close() }

    private func begin(_ index: Int) -> ObservationID {
        // Stopping the part stops the serializer, at once.
        parts[index].core.observe(
            destroy: { Unmanaged<PartSink>.fromOpaque($0!).takeRetainedValue().combination.id.stop() },
            continuingIn: id, feeding: serializer
        ) { _ in
            CHandler(
                function: { sink, message, author in
                    Unmanaged<PartSink>.fromOpaque(sink!)._withUnsafeGuaranteedRef {
                        $0.combination.take(message, of: $0.index, author)
                    }
                },
                context: Unmanaged.passRetained(PartSink(self, index)).toOpaque())
        }
    }

    /// Enqueues the message of a part.
    func take(_ message: UnsafePointer<swo_value>, of index: Int, _ author: UnsafeRawPointer?) {
        guard let copy = StoredMessage(copying: message) else { return fail(parts[index].core) }
        let cause = KeptCause.here
        let outcome = serializer.enqueueBarrier { [self] in
            sent = (index, copy)
            var nothing = swo_value()
            cause.during(in: serializer) { serializer.dispatchInOrder(&nothing, author) }
            sent = nil
        }
        if outcome != .sent { parts[index].core.reportFailure(outcome) }
    }

    /// Reports that the handler cannot be called. What has been stopped fails no send.
    private func fail(_ core: Core<CHandler>) {
        if id.isLiving { core.reportFailure() }
    }

    /// Fetches the latest messages of the others, and calls the handler.
    private func receive(_ author: UnsafeRawPointer?) {
        guard let sent else { return }
        var messages: [StoredMessage] = []
        for part in parts {
            let latest = isSame(part.core, parts[sent.index].core) ? sent.message : part.buffer().message
            guard let latest else { return fail(serializer) }
            messages.append(latest)
        }
        let values = UnsafeMutablePointer<swo_value>.allocate(capacity: messages.count)
        let updates = UnsafeMutablePointer<swo_update>.allocate(capacity: messages.count)
        for index in messages.indices {
            (values + index).initialize(to: messages[index].borrow(updates + index))
        }
        handler(context.pointer, values, messages.count, author)
        // What swo_combined_fail() leaves there.
        if values.pointee.owned < 0 { serializer.reportFailure() }
        values.deallocate()
        updates.deallocate()
        withExtendedLifetime(messages) {}
    }
}

/// The context of the observation of one part.
private final class PartSink {
    let combination: Combination
    let index: Int

    init(_ combination: Combination, _ index: Int) {
        self.combination = combination
        self.index = index
    }
}
