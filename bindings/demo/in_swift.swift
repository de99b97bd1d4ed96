// SPDX-License-Identifier: MIT
// What the demo does in Swift, with the library that C and Python use, too.

import CSwiftObserver

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@_cdecl("demo_observe_in_swift")
public func observe(_ variable: OpaquePointer) {
    swo_observe(
        variable, nil,
        { _, update, _ in
            print("  Swift hears \(text(update.pointee.as.update!.pointee.new_value.as.float64))", terminator: "")
            fflush(nil)
        }, nil, nil, nil)
}

@_cdecl("demo_set_in_swift")
public func set(_ variable: OpaquePointer, _ number: Double) {
    var value = swo_double(number)
    swo_variable_set(variable, &value, nil)
}

private func text(_ number: Double) -> String { "\(Int(number))" }
