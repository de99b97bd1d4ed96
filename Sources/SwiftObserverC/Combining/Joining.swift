// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine

@_cdecl("swo_combine")
public func swo_combine(
    _ observables: UnsafePointer<OpaquePointer?>?, _ count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    joining(nil, observables, count, out, kind: "combine") { sources, target in
        let list = LatestList(sources)
        return Joined(rule: passing(list, to: target), latest: list)
    }
}

@_cdecl("swo_with_latest_from")
public func swo_with_latest_from(
    _ source: OpaquePointer?, _ observables: UnsafePointer<OpaquePointer?>?, _ count: Int,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let source else { return SWO_INVALID_ARGUMENT }
    return joining(source, observables, count, out, kind: "with latest from") { sources, target in
        Joined(rule: passing(LatestList(sources, whenFirstSends: true), to: target), latest: nil)
    }
}

private func passing(_ list: LatestList, to target: Core<CHandler>) -> Junction<CHandler>.Rule {
    { part, message, author in
        guard let message else { return true }
        return list.take(message, of: part, author: author, to: target)
    }
}

@_cdecl("swo_zip")
public func swo_zip(
    _ observables: UnsafePointer<OpaquePointer?>?, _ count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    joining(nil, observables, count, out, kind: "zip") { sources, target in
        Joined(rule: Junction<CHandler>.zipping(sources.count, passingLists(to: target)), latest: nil)
    }
}

@_cdecl("swo_sample")
public func swo_sample(
    _ source: OpaquePointer?, _ sampler: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    guard let source else { return SWO_INVALID_ARGUMENT }
    return withUnsafePointer(to: sampler) { sampler in
        joining(source, sampler, 1, out, kind: "sample") { _, target in
            Joined(rule: Junction<CHandler>.sampling(passing(to: target)), latest: nil)
        }
    }
}

/// A buffer of so many messages, which waits for no time.
func gathering(_ source: OpaquePointer?, _ count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?) -> swo_status {
    withUnsafePointer(to: source) { source in
        joining(nil, source, 1, out, kind: "buffer", function: "swo_buffer") { _, target in
            Joined(rule: Junction<CHandler>.gathering(count, passingBuffers(to: target)), latest: nil)
        }
    }
}

/// What joins several sources: a rule, and, where it is known, the latest message of each.
private struct Joined {
    let rule: Junction<CHandler>.Rule
    let latest: LatestList?
}

/// Makes an observable of several, of which one may be given apart as the first.
private func joining(
    _ first: OpaquePointer?, _ observables: UnsafePointer<OpaquePointer?>?, _ count: Int,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, kind: StaticString, function: StaticString = #function,
    _ make: ([ObservableHandle], Core<CHandler>) -> Joined
) -> swo_status {
    guard let observables, count > 0, let out else { return SWO_INVALID_ARGUMENT }
    for index in 0..<count where observables[index] == nil { return SWO_INVALID_ARGUMENT }
    if platform_is_out_of_memory() { return SWO_NO_MEMORY }
    var sources: [ObservableHandle] = []
    if let first { sources.append(handle(first, function: function)) }
    for index in 0..<count { sources.append(handle(observables[index]!, function: function)) }
    let target = Core<CHandler>(kind: text(kind)), joined = make(sources, target)
    let upstream = Upstream(joining: sources, Junction(joined.rule), to: target, latest: joined.latest)
    out.pointee = ObservableHandle(target, .transform(upstream)).export()
    for source in sources { source.isObservedAgain() }
    return SWO_OK
}

/// The context of the observation of a source that feeds a junction.
final class JunctionSink {
    private let source: Unmanaged<Core<CHandler>>
    private let junction: Junction<CHandler>
    private let part: Int

    /// Begins to observe a source.
    ///
    /// - Parameters:
    ///   - target: what the junction sends to. `nil`: the junction itself is an observation, which goes on in that of what
    ///     comes out, and ends with any of its parts.
    ///   - isHeard: whether its messages go there. Else it is observed for its end alone.
    static func observe(
        _ source: Core<CHandler>, as part: Int, of junction: Junction<CHandler>, to target: Core<CHandler>?,
        heard isHeard: Bool = true
    ) -> ObservationID {
        let sink = Unmanaged.passRetained(JunctionSink(source, junction, part))
        let handler = CHandler(
            function: isHeard
                ? { sink, message, author in
                    Unmanaged<JunctionSink>.fromOpaque(sink.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
                        $0.receive(message, author)
                    }
                } : { _, _, _ in },
            context: sink.toOpaque())
        guard let target else {
            return source.observe(
                handler, destroy: { Unmanaged<JunctionSink>.fromOpaque($0!).takeRetainedValue().junction.id.stop() },
                continuingIn: junction.id)
        }
        return source.observe(
            handler, destroy: { Unmanaged<JunctionSink>.fromOpaque($0!).release() }, feeding: target)
    }

    private init(_ source: Core<CHandler>, _ junction: Junction<CHandler>, _ part: Int) {
        self.source = .passUnretained(source)
        self.junction = junction
        self.part = part
    }

    private func receive(_ message: UnsafePointer<swo_value>, _ author: UnsafeRawPointer?) {
        let outcome = junction.take(message, of: part, author: author)
        if outcome != .sent { source._withUnsafeGuaranteedRef { $0.reportFailure(outcome) } }
    }
}
