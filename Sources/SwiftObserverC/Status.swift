// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

@_cdecl("swo_status_text")
public func swo_status_text(_ status: swo_status) -> UnsafePointer<CChar> {
    switch status {
    case SWO_OK: text("done")
    case SWO_INVALID_ARGUMENT: text("an argument is NULL that must not be, or out of bounds")
    case SWO_WRONG_KIND: text("a value or an observable is of a kind that does not serve here")
    case SWO_NOT_FOUND: text("there is none: no such observation or property, no block, batch or transaction to end")
    case SWO_INVALID_TEXT: text("a text is not valid UTF-8")
    case SWO_NO_MEMORY: text("there is no memory left")
    case SWO_CALLBACK_FAILED: text("a handler or another callback failed, or made no valid value")
    case SWO_WRONG_THREAD: text("the observable is confined to another thread")
    case SWO_CYCLE: text("a derived variable needs its own value")
    case SWO_CONFLICT: text("another thread has changed what the transaction has read, and nothing was set")
    case SWO_COMPUTING: text("a function of a derived variable must not set anything")
    case SWO_REFUSED: text("an executor or a full queue has refused a message")
    case SWO_NO_RESOURCES: text("the system has no descriptor or thread left, or could not wait")
    case SWO_DECLINED: text("the updater has left the variable as it is")
    default: text("unknown status")
    }
}

@inline(__always)
func status(of outcome: Outcome) -> swo_status { outcome.code }
