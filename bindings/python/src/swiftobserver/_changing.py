# SPDX-License-Identifier: MIT
"""How a variable that Python holds changes: one step at a time, with its updates in the order of its values.

The library could hold the value, and does for C code; but what refers from there to the variable, the garbage
collector would not see. On the fast way, where nothing stands in the way, `Var.set` does in one piece what is done here
by a lock.
"""

from __future__ import annotations

import os
from _thread import RLock
from collections import deque

from ._authors import kept
from ._delivery import failures, note, settle
from ._errors import Failure, check
from ._forking import free
from ._handle import living_handles
from ._structures import INVALID_ARGUMENT
from ._typing import Any, Callable, Optional, Tuple
from ._update import Update
from ._way import FAST

if FAST:
    from ._fast import send
else:
    from ._relays import pass_on as send  # type: ignore[assignment]

# An update, without the detour through a function of Python's that a named tuple makes.
new_update: Callable[..., Any] = tuple.__new__


class Changing:
    """The part of a variable that has a value, and a line of updates that wait for their turn."""

    _address: int
    _has_pointer: bool
    _ordered: bool
    _pauses: Tuple[Any, ...]

    def _hold(self, value: Any) -> None:
        self._held = value
        # Whoever sets this delivers, until it is False again.
        self._is_delivering = False
        self._waiting: deque[Tuple[Update[Any], Any]] = deque()
        # Not 0 while a change has to take the lock. On the plain way Python may let other threads in anywhere.
        self._hindrances = 0 if FAST else 1
        # Guards changes then. Nothing foreign runs under it, except if the garbage collector or a signal does so:
        # therefore re-entrant.
        self._lock = RLock()
        self._blocks = self._batches = 0
        # The value before the first change of a batch, and the author of the last.
        self._batched: Optional[Tuple[Any, Any]] = None

    def _hinder(self, count: int) -> None:
        with self._lock:
            self._hindrances += count

    def _hinder_sending(self, count: int) -> None:
        with self._lock:
            self._hindrances += count
            self._blocks += count

    def _differ(self, old: Any, value: Any) -> bool:
        try:
            return value is not old and not (type(value) is type(old) and value == old)
        except BaseException as error:
            self._note_unequal(error, value)
            return True

    def _note_unequal(self: Any, error: BaseException, value: Any) -> None:
        """Values that cannot be compared differ, and whoever sets them is told."""
        note(self, Failure("equality", type(value).__qualname__, "", None, error))

    def _set_by_the_lock(self, old: Any, value: Any, author: Any) -> None:
        """Sets a value that differs from the old one."""
        while not self._assign(old, value, author):
            # Another thread was faster.
            old = self._held
            if not self._differ(old, value):
                return

    def _assign(self, old: Any, value: Any, author: Any) -> bool:
        """Replaces the old value and sends the update, unless it is not the old value any more."""
        with self._lock:
            self._hindrances += 1
            try:
                if self._held is not old:
                    return False
                if not self._address:
                    check(INVALID_ARGUMENT, type(self).__name__)
                self._held = value
                if self._batches:
                    self._batched = (self._batched[0] if self._batched else old, author)
                    return True
                ready = self._line_up(old, value, author)
            finally:
                self._hindrances -= 1
        self._deliver(ready)
        return True

    def _repeat(self, author: Any) -> None:
        """Sends an update from the present value to itself."""
        with self._lock:
            value = self._held
            ready = self._line_up(value, value, author)
        self._deliver(ready)

    def _begin_batch(self) -> None:
        with self._lock:
            self._hindrances += 1
            self._batches += 1

    def _end_batch(self) -> None:
        ready = None
        while True:
            with self._lock:
                if self._batches > 1 or self._batched is None:
                    break
                (old, author), value = self._batched, self._held
            # Foreign code, so without the lock.
            differ = self._differ(old, value)
            with self._lock:
                if self._held is value and self._batches == 1:
                    self._batched = None
                    ready = self._line_up(old, value, author) if differ else None
                    break
        with self._lock:
            self._batches -= 1
            self._hindrances -= 1
        self._deliver(ready)

    def _line_up(self, old: Any, value: Any, author: Any) -> Optional[Tuple[Any, Any]]:
        """Has an update wait for its turn; returns it if it waits for nobody's. The lock is held."""
        if self._blocks:
            return None
        update = new_update(Update, (old, value)), author
        if self._pauses and self._wait(*update):
            return None
        if not self._ordered:
            return update
        self._waiting.append(update)
        return None

    def _wait(self: Any, update: Any, author: Any) -> bool:
        from ._pausing import wait

        return wait(self, update, author)

    def _send_in_line(self: Any, update: Any, author: Any) -> None:
        """Sends an update that has waited."""
        if not self._ordered:
            send(self, update, author)
            return
        self._waiting.append((update, author))
        self._deliver_waiting()

    def _deliver(self: Any, ready: Optional[Tuple[Any, Any]]) -> None:
        if ready:
            send(self, *ready)
        self._deliver_waiting()
        if kept or failures:
            settle(self)

    def _deliver_waiting(self: Any) -> None:
        """Sends what waits, one at a time; unless another does."""
        while True:
            is_mine = False
            try:
                with self._lock:
                    if self._is_delivering or not self._waiting:
                        return
                    self._is_delivering = is_mine = True
                send(self, *self._waiting.popleft())
            finally:
                # Also after an interrupt: what waits goes with the next update then.
                if is_mine:
                    self._is_delivering = False


def _after_fork_in_child() -> None:
    for each in living_handles():
        if isinstance(each, Changing) and not each._has_pointer:
            free(each._lock)


os.register_at_fork(after_in_child=_after_fork_in_child)
