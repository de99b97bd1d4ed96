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
    // Counted, for a mapper may release it.
    let handle = handle(observable)
    let latest = handle.latest
    guard let message = latest.message else { return latest.status }
    return withExtendedLifetime(handle) { message.withValue { swo_send(observable, $0, author) } }
}

/// The latest message of a buffered observable, or why there is none.
struct Latest {
    let message: WaitingMessage?
    let status: swo_status

    init(_ message: WaitingMessage) {
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
    var isBuffered: Bool { variable != nil || origin?.isBuffered == true }

    /// Set where this is buffered.
    @inline(never)
    var buffer: Buffer? {
        guard isBuffered else { return nil }
        return { [variable, origin] in ObservableHandle.latest(variable, origin) }
    }

    var latest: Latest { ObservableHandle.latest(variable, origin) }

    @inline(never)
    private static func latest(_ variable: Variable<OwnedValue, CHandler>?, _ origin: Origin?) -> Latest {
        guard let variable else { return origin?.latest ?? Latest(SWO_WRONG_KIND) }
        let value = variable.get()
        return Latest(WaitingMessage(old: value, new: value))
    }

    /// What to replay of the last messages, or nil if there is nothing to replay here.
    @inline(never)
    func replay(_ count: Int) -> Replay<CHandler>? {
        let author = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        if let variable { return { variable.replay(oldValue: { $0.oldValue }, author: author) } }
        if let memory = origin?.memory { return { memory.last(count, author) } }
        guard let buffer else { return nil }
        return { [core = Unmanaged.passUnretained(core)] in
            if let message = buffer().message { return [Replayed(message, author)] }
            core._withUnsafeGuaranteedRef { $0.reportFailure() }
            return []
        }
    }
}

/// The latest message of a transform that can compute it from that of its source.
func computing(_ latest: Latest, _ step: CStep) -> Latest {
    guard let message = latest.message else { return latest }
    return message.withValue { message in
        guard let made = step(message, nil), made.kind >= 0 else { return Latest(SWO_CALLBACK_FAILED) }
        let copy = withUnsafePointer(to: made) { WaitingMessage(copying: $0) }
        return copy.map { Latest($0) } ?? Latest(SWO_NO_MEMORY)
    }
}
