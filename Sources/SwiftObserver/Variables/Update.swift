// SPDX-License-Identifier: MIT

/// The message of a variable belongs to the engine, and is part of this vocabulary. Exported, so that a
/// program that imports this module alone sees its properties, also where the compiler is asked to be
/// strict about that (MemberImportVisibility).
@_exported import struct ObserverEngine.Update
