// SPDX-License-Identifier: MIT

import CSwiftObserver

@_cdecl("swo_version")
public func swo_version() -> Int32 {
    SWO_VERSION_MAJOR * 10000 + SWO_VERSION_MINOR * 100 + SWO_VERSION_PATCH
}

@_cdecl("swo_version_text")
public func swo_version_text() -> UnsafePointer<CChar> {
    header_version_text()
}

@_cdecl("swo_runtime_text")
public func swo_runtime_text() -> UnsafePointer<CChar> {
    #if hasFeature(Embedded)
        text("embedded")
    #else
        text("static")
    #endif
}

/// Text that lies in the library, for C.
func text(_ literal: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
}
