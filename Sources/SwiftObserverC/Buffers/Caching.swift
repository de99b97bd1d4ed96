// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_cache")
public func swo_cache(
    _ source: OpaquePointer?, _ initial: UnsafePointer<swo_value>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let source, let out else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    let null = swo_value()
    let status = initial.map { checkValue($0) } ?? SWO_OK
    guard status == SWO_OK else { return status }
    // Counted, because the copy of an object is a callback, which may release it.
    let counted = handle(source)
    let kept = withUnsafePointer(to: null) { StoredMessage(copying: initial ?? $0) }
    guard let kept else { return SWO_NO_MEMORY }
    Memory.remember(counted, limit: 1, initial: kept, out)
    return SWO_OK
}

@_cdecl("swo_replay")
public func swo_replay(
    _ source: OpaquePointer?, _ count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let source, let out else { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    Memory.remember(handle(source), limit: count < 0 ? nil : count, initial: nil, out)
    return SWO_OK
}

/// What a cache or a replaying observable remembers.
final class Memory {
    private let core: Unmanaged<Core<CHandler>>
    private let history: History<CHandler>
    /// The latest message of a cache until there is one.
    private let initial: StoredMessage?

    /// Makes an observable that sends what `source` sends, and remembers it.
    static func remember(
        _ source: ObservableHandle, limit: Int?, initial: StoredMessage?,
        _ out: UnsafeMutablePointer<OpaquePointer?>
    ) {
        let core = Core<CHandler>(kind: text(initial == nil ? "replay" : "cache"))
        let memory = Memory(core, limit, initial)
        // The first observation of all, so that what others receive has been remembered.
        core.observe(
            CHandler(
                function: { memory, message, author in
                    Unmanaged<Memory>.fromOpaque(memory!)._withUnsafeGuaranteedRef { $0.receive(message, author) }
                },
                context: Unmanaged.passRetained(memory).toOpaque()),
            destroy: { Unmanaged<Memory>.fromOpaque($0!).release() }, feeding: core)
        let upstream = Upstream(from: source, to: core, memory: memory, passingAll())
        out.pointee = ObservableHandle(core, .transform(upstream)).export()
        source.isObservedAgain()
    }

    private init(_ core: Core<CHandler>, _ limit: Int?, _ initial: StoredMessage?) {
        self.core = .passUnretained(core)
        history = History(of: core, limit: limit)
        self.initial = initial
    }

    /// The last messages, the oldest first.
    func last(_ count: Int, _ author: UnsafeRawPointer) -> [Replayed<CHandler>] {
        let messages = history.replay(last: count)
        guard messages.isEmpty, count > 0, let initial else { return messages }
        return [Replayed(initial, author)]
    }

    /// Whether this is a cache, which always has a latest message.
    var isBuffered: Bool { initial != nil }

    /// The core has to be there. The upstream of the observable keeps it, by the handler of its step.
    var latest: Latest {
        guard let initial else { return Latest(SWO_WRONG_KIND) }
        return Latest(history.replay(last: 1).first?.message ?? initial)
    }

    private func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        if !history.remember(message, author) { core._withUnsafeGuaranteedRef { $0.reportFailure() } }
    }
}
