# SPDX-License-Identifier: MIT
"""How a variable changes: one step at a time, with its updates in the order of its values; and how it keeps them back.

    batch     one update at the end, from the first old to the last new value
    paused    each update at the end
    blocked   none

A value that Python holds is of `Changing`. The library could hold it, and does for C code; but the garbage collector
would not see what refers from there to the variable. Such a variable is in a batch of the library's, and cannot be
paused. On the fast way, where nothing hinders, `Var.set` does in one piece what this does by a lock.
"""

from __future__ import annotations

import os
from _thread import RLock
from collections import deque

from . import _library as library
from ._authors import forget, kept
from ._environment import FAST
from ._failures import Failure, check, deliver, failures, note, settle
from ._library import INVALID_ARGUMENT
from ._observable import Observable
from ._ownership import living_handles
from ._pausing import MISSING, pausing, wait
from ._relays import pass_on
from ._threads import begin_sending, end_sending, free
from ._typing import Any, Callable, ContextManager, Generic, List, Optional, Tuple, TypeVar, Within
from ._values import Update

if FAST:
    from ._fast_calls import send
else:
    send = pass_on  # type: ignore[assignment]

Content = TypeVar("Content")

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
        # The thread that sets this delivers, until it is False again.
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
        """Values that cannot be compared differ. The setter gets the exception."""
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
        """Puts an update in line; returns it if it can be sent at once. The caller holds the lock."""
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


class Batching(Changing, Observable[Update[Content]], Generic[Content]):
    """The part of a variable that keeps its updates back."""

    # The batches that are in progress where the library holds the value.
    _batches_in_library: List[None]

    def batch(self) -> Within:
        """Within, changes send nothing; at the end there is one update, from the first old to the last new value.

        The batch belongs to the variable: it takes in the changes of all threads. Batches nest.

        >>> from swiftobserver import Var
        >>> volume = Var(0)
        >>> with volume.observe(print), volume.batch():
        ...     volume.value = 1
        ...     volume.value = 2
        Update(old=0, new=2)
        """
        if self._has_pointer:
            return Within(self._begin_batch_in_library, self._end_batch_in_library)
        return Within(self._begin_batch, self._end_batch)

    def paused(
        self,
        reducer: Optional[Callable[[Update[Content], Update[Content]], Update[Content]]] = None,
        *,
        initial: Update[Content] = MISSING,
    ) -> ContextManager[None]:
        """Within, the variable changes as ever, and its updates wait. At the end they are delivered.

        With a `reducer` only one update is, which it has made of them all; see `Observable.paused`. `batch` does that
        by itself, and costs less.

        >>> from swiftobserver import Var
        >>> volume = Var(0)
        >>> with volume.observe(print), volume.paused():
        ...     volume.value = 1
        ...     volume.value = 2
        ...     print("set")
        set
        Update(old=0, new=1)
        Update(old=1, new=2)
        """
        return pausing(self, reducer, initial)

    @property
    def is_blocked(self) -> bool:
        """Whether what changes sends nothing: within `blocked()`."""
        return super().is_blocked if self._has_pointer else self._blocks > 0

    def _block(self) -> None:
        if self._has_pointer:
            super()._block()
        else:
            self._hinder_sending(1)

    def _unblock(self) -> None:
        if self._has_pointer:
            super()._unblock()
        else:
            self._hinder_sending(-1)

    def _keep_order(self, ordered: bool) -> None:
        if not self._has_pointer:
            self._hinder(self._ordered - ordered)
        super()._keep_order(ordered)

    def _begin_batch_in_library(self) -> None:
        check(library.variable_begin_batch(self._address), type(self).__name__)
        self._batches_in_library.append(None)
        # The author of the last change is named when the batch ends, and kept until then.
        begin_sending()

    def _end_batch_in_library(self) -> None:
        self._batches_in_library.pop()
        try:
            deliver(lambda address, value, author: library.variable_end_batch(address), self, 0, None)
        finally:
            end_sending()
            forget()

    def _before_pause(self) -> None:
        self._hinder(1)

    def _after_pause(self) -> None:
        self._hinder(-1)

    def _send_waiting(self, message: Any, author: Any) -> None:
        self._send_in_line(message, author)

    def _require_message(self, message: Any) -> None:
        if type(message) is not Update:
            raise TypeError(f"reducer must return an Update for a variable, not {type(message).__name__}")


def _after_fork_in_child() -> None:
    for each in living_handles():
        if isinstance(each, Changing) and not each._has_pointer:
            free(each._lock)


os.register_at_fork(after_in_child=_after_fork_in_child)
