// SPDX-License-Identifier: MIT

internal import CPlatform
import ObserverEngine

extension Messenger {
    /// The name of this messenger, or of the observable it belongs to, in graphs.
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
    /// The name of the handler in graphs, traces and answers.
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
