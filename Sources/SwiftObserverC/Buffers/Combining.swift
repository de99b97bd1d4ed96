// SPDX-License-Identifier: MIT

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
    var parts: [Combination.Part] = []
    var combined: [ObservableHandle] = []
    for index in 0..<count {
        guard let observable = observables[index] else { return SWO_INVALID_ARGUMENT }
        let one = handle(observable)
        guard let buffer = one.buffer else { return SWO_WRONG_KIND }
        parts.append(Combination.Part(core: one.core, buffer: buffer))
        combined.append(one)
    }
    let combination = Combination(parts, handler, context)
    combination.begin(keptBy: observer)
    out?.pointee = combination.id.rawValue
    for one in combined { one.isObservedAgain() }
    return SWO_OK
}

/// Brings the messages of several observables into one line, at whose end stands one handler.
///
///     observable --part--\
///     observable --part---+--> line --> handler
///
/// Its observations hold it: that of the line and those of the parts. When the line ends, all parts end, and
/// when a part ends, because its observable died or the observer stopped it, so does the line.
final class Combination {
    struct Part {
        let core: Core<CHandler>
        let buffer: Buffer
    }

    private(set) var id = ObservationID(rawValue: 0)
    fileprivate let line = Core<CHandler>()
    private let parts: [Part]
    private let keeper = Keeper()
    private let handler: swo_combined_handler
    private let context: Context

    init(_ parts: [Part], _ handler: @escaping swo_combined_handler, _ context: Context) {
        self.parts = parts
        self.handler = handler
        self.context = context
    }

    deinit { line.close() }

    func begin(keptBy observer: OpaquePointer?) {
        id = line.observe(
            CHandler(
                function: { combination, sent, author in
                    Unmanaged<Combination>.fromOpaque(combination!)._withUnsafeGuaranteedRef {
                        $0.receive(SentPart.of(sent), author)
                    }
                },
                context: Unmanaged.passRetained(self).toOpaque()),
            destroy: { Unmanaged<Combination>.fromOpaque($0!).takeRetainedValue().keeper.stopAll() })
        for index in parts.indices {
            let part = begin(index)
            keeper.keep(part)
            if let observer { withHandle(observer, Keeper.self) { $0.keep(part) } }
        }
        // It may have ended before all parts were kept.
        if !id.isLiving { keeper.stopAll() }
    }

    private func begin(_ index: Int) -> ObservationID {
        let intake = PartIntake(self, index)
        let part = parts[index].core.observe(
            CHandler(function: PartIntake.receive, context: Unmanaged.passRetained(intake).toOpaque()),
            destroy: { Unmanaged<PartIntake>.fromOpaque($0!).takeRetainedValue().combination.id.stop() })
        // Whoever stops the part stops the line, at once.
        part.continues(in: id)
        return part
    }

    /// Puts the message of a part into the line.
    func send(_ message: UnsafePointer<swo_value>, of index: Int, _ author: UnsafeRawPointer?) {
        var outcome = Outcome.noMemory
        if let copy = WaitingMessage(copying: message) {
            outcome = SentPart(index, copy).send(to: line, author)
        }
        if outcome != .sent { parts[index].core.reportFailure() }
    }

    /// Fetches the latest messages of the others, and calls the handler.
    private func receive(_ sent: SentPart, _ author: UnsafeRawPointer?) {
        var messages: [WaitingMessage] = []
        for part in parts {
            let latest = part.core === parts[sent.index].core ? sent.message : part.buffer().message
            guard let latest else { return line.reportFailure() }
            messages.append(latest)
        }
        let values = UnsafeMutablePointer<swo_value>.allocate(capacity: messages.count)
        let updates = UnsafeMutablePointer<swo_update>.allocate(capacity: messages.count)
        for index in messages.indices {
            (values + index).initialize(to: messages[index].borrow(updates + index))
        }
        handler(context.pointer, values, messages.count, author)
        values.deallocate()
        updates.deallocate()
        withExtendedLifetime(messages) {}
    }
}

/// The context of the observation of one part.
final class PartIntake {
    let combination: Combination
    private let index: Int

    /// The function of the observation.
    static var receive: swo_handler {
        { intake, message, author in
            Unmanaged<PartIntake>.fromOpaque(intake!)._withUnsafeGuaranteedRef { $0.receive(message, author) }
        }
    }

    var leading: Leading { Leading(target: combination.line, kind: "combined") }

    init(_ combination: Combination, _ index: Int) {
        self.combination = combination
        self.index = index
    }

    func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        combination.send(message, of: index, author)
    }
}

/// A message that came in, and from which part: what is sent along the line.
private final class SentPart {
    let index: Int
    let message: WaitingMessage

    init(_ index: Int, _ message: WaitingMessage) {
        self.index = index
        self.message = message
    }

    static func of(_ value: UnsafePointer<swo_value>) -> SentPart {
        Unmanaged<SentPart>.fromOpaque(value.pointee.as.object.pointer!).takeUnretainedValue()
    }

    func send(to line: Core<CHandler>, _ author: UnsafeRawPointer?) -> Outcome {
        let value = swo_object(Unmanaged.passUnretained(self).toOpaque(), &sentPartType)
        let outcome = withUnsafePointer(to: value) { line.send($0, author: author) }
        return withExtendedLifetime(self) { outcome }
    }
}

/// Never changed, but a variable has an address.
nonisolated(unsafe) private var sentPartType = swo_object_type(
    size: MemoryLayout<swo_object_type>.size,
    retain: { _ = Unmanaged<SentPart>.fromOpaque($0!).retain() },
    release: { Unmanaged<SentPart>.fromOpaque($0!).release() },
    equal: nil)
