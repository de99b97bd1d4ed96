// SPDX-License-Identifier: MIT

/// The message of a variable: its value before and after, `old` and `new`.
///
/// The two are equal when the present value is sent without a change. Where the value is `Equatable`
/// an update is too, and says whether it `isChange`.
public typealias Update = ObserverEngine.Update

// Its properties belong to the engine, and a program that imports this module alone must see them, also
// where the compiler is asked to be strict about it (MemberImportVisibility).
@_exported import struct ObserverEngine.Update
