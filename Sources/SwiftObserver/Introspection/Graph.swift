// SPDX-License-Identifier: MIT

internal import CPlatform
import ObserverEngine

/// Draws observables in Graphviz DOT: these, all that they are made from, and all that observes any of them or is
/// made from one that does.
///
///     print(graphDOT(title, textLength))   // pipe it into: dot -Tsvg
///
/// Each observable is a box with its type and, if it has one, its name (``Messenger/name``). Each of its observations
/// is an arrow: to what is made from it, or to a handler, an ellipse, which bears the type of the object that it is
/// called for, if that is held weakly. Only their observers know whose the other handlers are. Any thread
/// may ask; the picture shows each observable at the moment at which it was looked at.
public func graphDOT(_ observables: any Observable...) -> String {
    var kinds: [ObjectIdentifier: String] = [:]
    var graph = Graph()
    var pending = observables.map { messengerAndObject($0) }
    var index = 0
    while index < pending.count {
        let (messenger, observable) = pending[index]
        if graph.add(root: messenger.anyCore) {
            kinds[ObjectIdentifier(messenger.anyCore)] = String(describing: type(of: observable))
            pending += (messenger.upstream?.feeding ?? []).map { ($0, $0.upstream ?? $0) }
        }
        index += 1
    }
    graph.walk()
    return graph.text { kinds[ObjectIdentifier($0)] ?? $0.kindText }
}

private func messengerAndObject<O: Observable>(_ observable: O) -> (any AnyMessenger, AnyObject) {
    (observable.messenger, observable)
}

extension Graph {
    /// - Parameter kind: what kind of observable a core is of.
    fileprivate func text(_ kind: (AnyCore) -> String) -> String {
        var kept: [UnsafeMutablePointer<CChar>] = []
        defer { for text in kept { platform_free(text) } }
        func keep(_ text: String) -> UnsafePointer<CChar> {
            kept.append(strdup(text))
            return UnsafePointer(kept.last!)
        }
        let dot = dot(kind: { keep(kind($0)) }) { edge in
            (edge.served as? any Forgetful).map { keep($0.nameOfObserver) }
        }
        guard let dot else { fatalError("out of memory") }
        defer { platform_free(dot.text) }
        return String(cString: dot.text)
    }
}

extension AnyCore {
    /// The type of the observable that this is the core of.
    fileprivate var kindText: String {
        kind.map { String(describing: unsafeBitCast($0, to: Any.Type.self)) } ?? "combined"
    }
}
