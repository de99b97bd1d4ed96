# SPDX-License-Identifier: MIT
"""A message goes to those that observe: in a send of its own, or as a part of the send that is in progress."""

from __future__ import annotations

from ctypes import addressof

from .._library import declarations as library
from .._library.typing import Any, Callable
from .._values.encoding import encode, in_flight, plain
from .._values.moments import beside, is_in_function, running
from .._values.pause import wait
from .authors import ITSELF, pending_authors
from .failures import amid, are_pending_here, check, deliver, is_interrupted, pending, raise_pending, use_stack
from .parts import AnyObservable


def pass_on(observable: AnyObservable, message: Any, author: Any) -> None:
    """Sends to those that observe. What fails stays pending until the send that this is part of is over."""
    store = observable._store
    status = store.calls.send(observable, message, author)
    if status == library.CALLBACK_FAILED:
        store.require_pending(observable)
    elif status == library.WRONG_THREAD:
        # What is confined was paused, and goes on elsewhere.
        check(observable._hand_over(status, again(observable, message, author)), type(observable).__name__)


def leave_in_line(observable: AnyObservable, message: Any, author: Any) -> None:
    """Has a message wait for the next send, because this thread delivers no more."""
    observable._store.calls.send_later(observable, message, author)


def take_turn(observable: AnyObservable, message: Any, author: Any) -> None:
    """Passes on what has waited for its turn. An interrupt of this send leaves it in line, behind what was there."""
    if pending and is_interrupted(observable):
        leave_in_line(observable, message, author)
    else:
        pass_on(observable, message, author)


def send_objects(observable: AnyObservable, message: Any, author: Any) -> None:
    """Sends the very object, by vectorcall."""
    if pending and are_pending_here():
        return amid(send_objects, observable, message, author)  # type: ignore[no-any-return]
    if running and is_in_function():
        return beside(send_objects, observable, message, author)  # type: ignore[no-any-return]
    use_stack()
    if author is ITSELF and not observable._pauses:
        sender = observable._sender or observable._store.calls.sender(observable)
        status = library.OK if sender(message) is None else observable._call.status
    elif observable._pauses and wait(observable, message, author):
        return
    else:
        status = observable._store.calls.send(observable, message, author)
    if status or pending_authors or pending:
        raise_pending(observable, status and observable._hand_over(status, again(observable, message, author)))


def send_values(observable: AnyObservable, message: Any, author: Any) -> None:
    """Sends what the library has for the object, by ctypes."""
    if observable._pauses and wait(observable, message, author):
        return
    observable._require_initialised()
    if observable._is_plain:
        message = plain(message)
    value = encode(message)
    address = addressof(value)
    in_flight[address] = message
    try:
        call = observable._handing_over(library.send, again(observable, message, author))
        deliver(call, observable, address, author)
    finally:
        del in_flight[address]


def again(observable: Any, message: Any, author: Any) -> Callable[[], None]:
    """The send, to be made elsewhere."""
    return lambda: observable.send(message, author=author)
