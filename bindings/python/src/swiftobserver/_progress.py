# SPDX-License-Identifier: MIT
"""Which sends are in progress. Lists, because their append, pop and remove are atomic."""

from __future__ import annotations

import os

# As all that is loaded at once, from where `threading` has it, which takes long to load.
from _thread import get_ident
from ctypes import c_size_t

from ._structures import Value
from ._typing import Any, List, Tuple
from ._within import Within

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


def _reset_after_fork() -> None:
    # The other threads are not there any more. What they were using counts as in use for ever.
    sending[:] = [thread for thread in sending if thread == get_ident()]


os.register_at_fork(after_in_child=_reset_after_fork)
