# SPDX-License-Identifier: MIT
"""What threads are doing: which sends are in progress, and what a child process inherits of threads it does not have.

In the child, locks that other threads held are free. What another thread was delivering is lost there, and so is what
is sent to an observable that it was sending to.
"""

from __future__ import annotations

import os

# As all that is loaded at once, from where `threading` has it, which takes long to load.
from _thread import get_ident
from ctypes import c_size_t
from weakref import WeakSet

from ._library import Value
from ._typing import Any, List, Tuple, Within

# Lists, because their append, pop and remove are atomic.

# The threads that are sending on the plain way, once for each send.
sending: list[int] = []

# Values that sends on the fast way fill in, as such and as arguments of a call. Those that are not spare are in use.
values: List[Tuple[Value, Any]] = []
spare: List[Tuple[Value, Any]] = []


# How many more sends are in progress: those of senders that are functions of the library's.
calls = c_size_t()


def nobody_is_sending() -> bool:
    """Whether no message that Python code has sent can be on its way."""
    return not sending and len(spare) == len(values) and not calls.value


def sending_here() -> Within:
    """While this thread is sending on the plain way."""
    return Within(begin_sending, end_sending)


def begin_sending() -> None:
    """This thread is sending on the plain way."""
    sending.append(get_ident())


def end_sending() -> None:
    """The counterpart."""
    # A KeyboardInterrupt may have come first.
    if get_ident() in sending:
        sending.remove(get_ident())


# Things that have an `_after_fork`.
with_locks: WeakSet[Any] = WeakSet()


def free(lock: Any) -> None:
    """Frees a re-entrant lock in the child, unless the thread that has forked holds it itself."""
    if not lock._is_owned():
        lock._at_fork_reinit()


def _after_fork_in_child() -> None:
    # What the other threads were using counts as in use for ever.
    sending[:] = [thread for thread in sending if thread == get_ident()]
    for each in list(with_locks):
        each._after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)
