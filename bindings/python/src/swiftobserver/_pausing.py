# SPDX-License-Identifier: MIT
"""Messages that wait until a pause is over.

    sent      1 [ 2 3 ] 4
    arrives   1       2 3 4

While its messages are delivered at the end, what is sent meanwhile still waits: so the order holds. Pauses of one
observable may overlap: the messages of one that ends go to the one before or after it, and are delivered with the last.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import contextmanager
from functools import reduce
from threading import RLock
from typing import TYPE_CHECKING, Any, Deque, Iterator, Tuple

from ._arity import require_arguments
from ._delivery import settle
from ._forking import free
from ._observing import MISSING
from ._progress import sending_here

if TYPE_CHECKING:
    from ._observable import Observable

# Guards the pauses of all observables, and what waits in them. Nothing foreign runs under it.
lock = RLock()
os.register_at_fork(after_in_child=lambda: free(lock))

# Messages with their authors.
Waiting = Deque[Tuple[Any, Any]]


class Pause:
    """One of possibly several, the latest of which has what is sent."""

    __slots__ = ("waiting",)

    def __init__(self) -> None:
        self.waiting: Waiting = deque()


def wait(observable: Observable[Any], message: Any, author: Any) -> bool:
    """Has a message wait. False if the observable is not paused any more."""
    with lock:
        if not observable._pauses:
            return False
        observable._pauses[-1].waiting.append((message, author))
        return True


@contextmanager
def pausing(observable: Observable[Any], reducer: Any, initial: Any) -> Iterator[None]:
    """The work of `paused`, where an observable can be."""
    if observable._has_pointer:
        raise TypeError(f"a {type(observable).__name__} that C code can reach cannot be paused: C code may send, too")
    if reducer is not None:
        require_arguments(reducer, 2, "reducer")
    elif initial is not MISSING:
        raise TypeError("initial must not be given without a reducer")
    pause = Pause()
    observable._before_pause()
    try:
        with lock:
            observable._pauses = (*observable._pauses, pause)
            if len(observable._pauses) == 1:
                observable._pauses_begin()
        try:
            yield
        finally:
            _end(observable, pause, reducer, initial)
    finally:
        observable._after_pause()


def _end(observable: Observable[Any], pause: Pause, reducer: Any, initial: Any) -> None:
    with lock:
        messages, pause.waiting = pause.waiting, deque()
    try:
        if reducer is not None and messages:
            messages = deque([(_reduced(observable, messages, reducer, initial), messages[-1][1])])
    finally:
        # Also if the reducer has failed: its failure keeps no message from arriving.
        if not _handed_over(observable, pause, messages):
            _deliver(observable, pause, messages)


def _reduced(observable: Observable[Any], messages: Waiting, reducer: Any, initial: Any) -> Any:
    each = [message for message, _ in messages]
    message = reduce(reducer, each) if initial is MISSING else reduce(reducer, each, initial)
    observable._require_message(message)
    return message


def _handed_over(observable: Observable[Any], pause: Pause, messages: Waiting) -> bool:
    """Gives what waits to another pause, if there is one."""
    with lock:
        pauses = observable._pauses
        if len(pauses) == 1:
            return False
        index = pauses.index(pause)
        if index:
            pauses[index - 1].waiting += messages + pause.waiting
        else:
            pauses[1].waiting = messages + pause.waiting + pauses[1].waiting
        observable._pauses = pauses[:index] + pauses[index + 1 :]
        return True


def _deliver(observable: Observable[Any], pause: Pause, messages: Waiting) -> None:
    try:
        with sending_here():
            while messages or not _is_over(observable, pause):
                while messages:
                    observable._send_waiting(*messages.popleft())
                with lock:
                    messages, pause.waiting = pause.waiting, messages
    except BaseException:
        # An interrupt: the rest arrives all the same, and the pause ends.
        _deliver(observable, pause, messages)
        raise
    finally:
        settle(observable)


def _is_over(observable: Observable[Any], pause: Pause) -> bool:
    """Ends a pause, unless something has come meanwhile."""
    with lock:
        if pause.waiting:
            return False
        if len(observable._pauses) == 1:
            observable._pauses_end()
        observable._pauses = tuple(each for each in observable._pauses if each is not pause)
        return True
