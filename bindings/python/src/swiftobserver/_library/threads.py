# SPDX-License-Identifier: MIT
"""The doings of threads: which sends are in progress, and what a child process inherits of threads it does not have.

In the child, locks that other threads held are free. What another thread was delivering is lost there, and so is what
is sent to an observable that it was sending to.
"""

from __future__ import annotations

import os
import sys

# As all that is loaded at once, from where `threading` has it, which takes long to load.
from _thread import RLock as RLock
from _thread import get_ident
from collections import deque
from ctypes import c_size_t
from itertools import repeat
from time import monotonic
from weakref import WeakSet

from .environment import lasting
from .typing import Any, Callable, List, Optional

# The threads that are sending, once for each send by a function of Python's. A list: its append and remove are atomic.
sending: list[int] = []

# Calls what an iterator calls, in C code alone.
_none: deque[Any] = deque(maxlen=0)
_exhaust = _none.extend

# How many sends are in progress whose sender is a function of the library's.
calls = lasting(c_size_t())


# The batches of the library's that are in progress: what they will send has an author already.
batches: List[Any] = []


def nobody_is_sending() -> bool:
    """Whether no message that Python code has sent can be on its way."""
    return not sending and not calls.value and not batches


def as_sender(call: Callable[..., Any], *arguments: Any) -> Any:
    """Makes a call while this thread counts as sending, by ctypes."""
    thread = get_ident()
    sends = sending.count(thread)
    # It ends here, not in a function: where the stack ends there is no room for a frame. And without a loop of
    # Python's, at whose end 3.12 to 3.14 take interrupts.
    try:
        try:
            sending.append(thread)
            return call(*arguments)
        finally:
            _exhaust(map(sending.remove, repeat(thread, sending.count(thread) - sends)))
    except BaseException:
        # Also if an interrupt came before that began.
        _exhaust(map(sending.remove, repeat(thread, sending.count(thread) - sends)))
        raise


if sys.implementation.name == "cpython" and sys.version_info >= (3, 14):

    class RLock(RLock):  # type: ignore[no-redef]
        """A re-entrant lock that no interrupt leaves taken.

        This Python looks for signals between the call of `__enter__` and the `with` block, where nothing would free a
        lock. After a function of Python's it does not.
        """

        def __enter__(self) -> bool:
            before: int = self._recursion_count()
            try:
                return self.acquire()
            except BaseException:
                if self._recursion_count() > before:
                    self.release()
                raise


def require_timeout(timeout: Any) -> None:
    """Tells who gave one that is no time to wait."""
    # Neither nan nor an int that is too large for a float.
    is_time = type(timeout) in (int, float) and (0 <= timeout <= sys.float_info.max or timeout == float("inf"))
    if timeout is not None and not is_time:
        raise ValueError(f"timeout must be seconds, 0 or more, or None, not {timeout!r:.99}")


def acquire(lock: Any, timeout: Optional[float], is_needless: Optional[Callable[[], bool]] = None) -> Optional[bool]:
    """Takes a lock. False if that takes more seconds than `timeout`, None if it has become needless. A handler of a
    signal may end the waiting.

    In short sleeps: Python looks for signals only when it is awake, and one that comes just before the thread falls
    asleep does not wake it.
    """
    end = monotonic() + (float("inf") if timeout is None else timeout)
    while not lock.acquire(True, max(0, min(0.1, end - monotonic()))):
        if is_needless is not None and is_needless():
            return None
        if monotonic() >= end:
            return False
    return True


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
