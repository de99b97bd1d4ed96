// SPDX-License-Identifier: MIT

// What pictures show of derived variables and effects.

extension AnyCore {
    /// What a function has read last.
    public final var dependencies: [AnyCore] { node?.sources ?? [] }

    /// What has read this last, as far as it is observed.
    public final var dependents: [AnyCore] { node?.neighbours { $0.appendTargets(to: &$1) } ?? [] }

    /// How often the function of a derived variable ran, and how often its value was equal afterwards. `nil` of any other
    /// observable.
    public final var computations: (all: Int, inVain: Int)? {
        guard let node, node.pointee.kind == .derived, let region = node.region else { return nil }
        let tracker = TrackerPointer.here
        let entered = Regions.enter(region, tracker)
        defer { Regions.leave(entered, tracker) }
        return (Int(node.pointee.runs), Int(node.pointee.vain))
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Node {
    /// What the function has read last.
    var sources: [AnyCore] { neighbours { $0.appendSources(to: &$1) } }

    fileprivate func neighbours(_ append: (NodePointer, inout [AnyCore]) -> Void) -> [AnyCore] {
        guard let region else { return [] }
        var found: [AnyCore] = []
        let tracker = TrackerPointer.here
        let entered = Regions.enter(region, tracker)
        append(self, &found)
        Regions.leave(entered, tracker)
        return found
    }
}

// The region is entered.
extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Node {
    fileprivate func appendSources(to found: inout [AnyCore]) {
        for index in 0..<Int(pointee.dependencyCount) {
            if let core = pointee.dependencies![index].source.observable { found.append(core) }
        }
    }

    fileprivate func appendTargets(to found: inout [AnyCore]) {
        for index in 0..<Int(pointee.outCount) {
            if let core = pointee.outs![index].target.observable { found.append(core) }
        }
    }

    private var observable: AnyCore? { pointee.content._withUnsafeGuaranteedRef { $0.observable } }
}
