// SPDX-License-Identifier: MIT

internal import CPlatform
import ObserverEngine
import Synchronization

/// A variable that a live page shows and sets.
@usableFromInline
protocol InspectedVariable: AnyObject {
    /// The value, if showing it runs no code but that of the standard library and of types that are made from texts.
    var inspectedText: String? { get }

    /// Sets the variable to what a text says.
    ///
    /// - Returns: Whether the text is a value of its type.
    func set(inspected text: String) -> Bool
}

extension Var: InspectedVariable {
    @usableFromInline var inspectedText: String? {
        guard Value.self is any LosslessStringConvertible.Type, !(Value.self is AnyClass) else { return nil }
        let value = value
        return value is String ? String(reflecting: value) : String(describing: value)
    }

    @usableFromInline
    func set(inspected text: String) -> Bool {
        guard let type = Value.self as? any LosslessStringConvertible.Type, let new = type.init(text) as? Value else {
            return false
        }
        value = new
        return true
    }
}

/// The variables of a program that was started with `SWIFTOBSERVER_INSPECT`, by their cores; in others there are none.
@usableFromInline
enum InspectedVariables {
    @usableFromInline static let areWanted = platform_is_inspected()

    /// - Note: `@unchecked Sendable`: any thread may read and set a variable, and a value that is shown is no object.
    private struct Known: @unchecked Sendable {
        weak var variable: (any InspectedVariable)?
    }

    private static let known = Mutex<(entries: [UnsafeRawPointer: Known], most: Int)>(([:], 64))

    @usableFromInline
    static func note(_ variable: any InspectedVariable, _ core: AnyCore) {
        let noted = Known(variable: variable)
        known.withLock {
            if $0.entries.count == $0.most {
                $0.entries = $0.entries.filter { $0.value.variable != nil }
                $0.most = max(64, 2 * $0.entries.count)
            }
            $0.entries[UnsafeRawPointer(core.address)] = noted
        }
    }

    fileprivate static func at(_ core: UnsafeRawPointer?) -> (any InspectedVariable)? {
        core.flatMap { core in known.withLock { $0.entries[core] }?.variable }
    }
}

@_cdecl("observer_inspect_describe")
func observer_inspect_describe(_ node: UnsafeMutablePointer<platform_shown_node>, _ values: Bool) {
    guard let variable = InspectedVariables.at(node.pointee.core) else { return }
    guard let text = variable.inspectedText else { return }
    node.pointee.is_settable = true
    if values { node.pointee.value = UnsafePointer(strdup(text)) }
}

@_cdecl("observer_inspect_set")
func observer_inspect_set(_ core: UnsafeRawPointer?, _ text: UnsafePointer<CChar>) -> UnsafePointer<CChar>? {
    guard let variable = InspectedVariables.at(core) else { return sentence("this cannot be set") }
    return variable.set(inspected: String(cString: text)) ? nil : sentence("it holds no such value")
}

private func sentence(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
