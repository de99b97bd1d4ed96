# SPDX-License-Identifier: MIT
"""A call that delivers: what fails meanwhile is noted, and raised by the send that it belongs to."""

from __future__ import annotations

from _thread import get_ident
from weakref import ref

from . import _structures as structures
from ._authors import enter, forget, kept
from ._errors import Failure, check, outcome
from ._progress import nobody_is_sending, sending
from ._typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional
from ._where import name_of

if TYPE_CHECKING:
    from ._observable import Observable
    from ._where import Place


class _Noted(NamedTuple):
    thread: int
    observable: Optional[ref[Observable[Any]]]
    failure: Failure


# What failed in sends in progress. Empty as a rule: looking costs nothing then.
failures: list[_Noted] = []

# The threads on which a failure handler has seen to a failure, in a send that will hear of it.
handled: list[int] = []


def deliver(call: Callable[..., int], observable: Observable[Any], value: int, author: Any) -> None:
    """Sends or sets. Raises if a function that it called in turn has failed."""
    thread = get_ident()
    before = handled.count(thread)
    try:
        sending.append(thread)
        status = call(observable._address, value, None if author is None else enter(author))
    finally:
        # A KeyboardInterrupt may have come first.
        if thread in sending:
            sending.remove(thread)
        if kept:
            forget()
    is_handled = was_handled(before)
    if failures:
        settle(observable)
    if status != structures.CALLBACK_FAILED or not is_handled:
        check(status)


def was_handled(before: int) -> bool:
    """Whether a failure handler has seen to a failure in a send of this thread that is over. Before it, so many of
    `handled` were there, of the sends that it was inside."""
    thread = get_ident()
    count = handled.count(thread) - before
    for _ in range(count):
        handled.remove(thread)
    return count > 0


def settle(observable: Observable[Any]) -> None:
    """Sees to what a send to an observable leaves: forgets who is an author no more, raises what has failed."""
    if kept:
        forget()
    thread = get_ident()
    mine = [each for each in failures if each.thread == thread and _concerns(each.observable, observable)]
    for each in mine:
        failures.remove(each)
        attached = each.observable() if each.observable is not None else None
        if attached is not None:
            attached._is_stopped = False
    if mine:
        try:
            raise outcome([each.failure for each in mine])
        finally:
            # The exceptions know this frame, which must not know them.
            del mine, each, attached


def _concerns(reference: Optional[ref[Observable[Any]]], observable: Observable[Any]) -> bool:
    """Whether what failed was attached to an observable, or to one that is made from it."""
    attached = reference() if reference is not None else None
    return attached is None or attached is observable or any(each is observable for each in attached._origins())


def failed(
    exception: BaseException,
    role: str,
    function: str,
    observable: Optional[ref[Observable[Any]]] = None,
    place: Optional[Place] = None,
) -> None:
    """Notes that a function which the library called has failed."""
    attached = observable() if observable is not None else None
    title = attached._title() if attached is not None else "an observable that is gone" if observable else ""
    failure = Failure(role, function, title, place, exception)
    if attached is not None and attached._failure_handler is not None:
        try:
            attached._failure_handler(failure)
            dropped()
            return
        except BaseException as error:
            failure = Failure("failure handler", name_of(attached._failure_handler), title, place, error)
    thread = get_ident()
    if thread in sending or not (nobody_is_sending() or (attached is not None and attached._native)):
        failures.append(_Noted(thread, observable, failure))
        if attached is not None and attached._stops_at_failure:
            attached._is_stopped = True
    else:
        _report(failure)


def note(observable: Observable[Any], failure: Failure) -> None:
    """Notes a failure for a send to an observable that is about to begin."""
    failures.append(_Noted(get_ident(), ref(observable), failure))


def dropped() -> None:
    """Notes that a function which the library called has dropped a message, which is no failure."""
    if get_ident() in sending:
        handled.append(get_ident())


def _raise(failure: Failure) -> None:
    raise outcome([failure])


# A C program is sending, and there is nobody in Python to raise it to. An exception that leaves a
# callback is one that Python hands to sys.unraisablehook.
if structures.pointing is None:
    _report = structures.CFUNCTYPE(None, structures.py_object)(_raise)
else:
    _report = structures.pointing.handing_over(_raise)
