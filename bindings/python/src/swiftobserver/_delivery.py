# SPDX-License-Identifier: MIT
"""A call that delivers: what fails meanwhile on this thread is collected, and raised when the call is over."""

from __future__ import annotations

from ctypes import CFUNCTYPE, py_object
from threading import get_ident
from typing import Any, Callable, Optional

from ._authors import enter, forget, kept, sending
from ._errors import Failure, check, outcome
from ._where import Place

# What failed in the innermost send of each thread. Empty as a rule: looking costs nothing then.
_failures: dict[int, list[Failure]] = {}


def deliver(call: Callable[..., int], observable: int, value: int, author: Any) -> None:
    """Sends or sets. Raises if a function that it called in turn has failed."""
    thread = get_ident()
    outer = _failures.pop(thread, None) if _failures else None
    try:
        sending.append(thread)
        status = call(observable, value, None if author is None else enter(author))
    finally:
        # A KeyboardInterrupt may have come first.
        if thread in sending:
            sending.remove(thread)
        if kept and not sending:
            forget()
        failures = _failures.pop(thread, None) if _failures else None
        if outer:
            _failures[thread] = outer
    if failures:
        try:
            raise outcome(failures)
        finally:
            # The exceptions know this frame, which must not know them.
            del failures
    check(status)


def failed(exception: BaseException, role: str, function: str, observable: str, place: Optional[Place]) -> None:
    """Notes that a function which the library called has failed."""
    failure = Failure(role, function, observable, place, exception)
    thread = get_ident()
    if thread in sending:
        _failures.setdefault(thread, []).append(failure)
    else:
        _report(failure)


def _raise(failure: Failure) -> None:
    raise outcome([failure])


# A C program is sending, and there is nobody in Python to raise it to. An exception that leaves a
# callback is one that Python hands to sys.unraisablehook.
_report = CFUNCTYPE(None, py_object)(_raise)
