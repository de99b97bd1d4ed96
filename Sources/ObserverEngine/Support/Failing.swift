// SPDX-License-Identifier: MIT

import CPlatform

/// Ends the program with a sentence. A `StaticString`, because Embedded Swift 6.0 has no `String`.
func fail(_ sentence: StaticString) -> Never {
    platform_fail(UnsafeRawPointer(sentence.utf8Start).assumingMemoryBound(to: CChar.self))
}
