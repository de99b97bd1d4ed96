// SPDX-License-Identifier: MIT

internal import CPlatform
import ObserverEngine

extension Messenger {
    /// What this messenger, or the observable it belongs to, is called, for those who look at a graph.
    ///
    ///     model.messenger.name = "model"
    ///
    /// Any thread may set and read it. It costs nothing where it is not set.
    public var name: String? {
        get { anyCore.nameText }
        set { core.setName(newValue.flatMap { strdup($0) }) }
    }
}

extension ObservationHandle {
    /// What the handler is called, for those who look at a graph, a trace or an answer.
    ///
    ///     dog.observe(clicks) { ... }.name = "resize"
    ///
    /// Any thread may set and read it. Of an observation that has ended it is `nil`, and cannot be set.
    public var name: String? {
        get {
            guard let name = id.copyName() else { return nil }
            defer { platform_free(name) }
            return String(cString: name)
        }
        nonmutating set {
            for part in [id] + parts { part.setName(newValue.flatMap { strdup($0) }) }
        }
    }
}

extension AnyCore {
    /// A copy of the name.
    var nameText: String? {
        guard let name = copyName() else { return nil }
        defer { platform_free(name) }
        return String(cString: name)
    }
}
