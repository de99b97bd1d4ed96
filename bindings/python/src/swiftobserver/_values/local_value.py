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
from collections import deque
from time import sleep

from .._core.authors import ITSELF, forget, kept
from .._core.failures import (
    Failure,
    amid,
    are_noted_here,
    check,
    conclude,
    deliver,
    failures,
    is_interrupted,
    note,
    use_stack,
)
from .._core.observable import Observable
from .._core.within import Stay, Within
from .._library import declarations as library
from .._library.declarations import CALLBACK_FAILED, INVALID_ARGUMENT, NOT_FOUND, OK
from .._library.environment import FAST
from .._library.inspection import name_of
from .._library.ownership import living_handles, set_attribute
from .._library.threads import RLock, batches, free
from .._library.typing import MISSING, Any, Callable, Generic, List, Optional, Tuple, TypeVar
from .._operators.pure import IsOld, Moving, Told
from .._operators.sinks import leave_in_line, pass_on
from .encoding import Update
from .pause import Pause, pausing
from .pause import lock as pauses_lock
from .sameness import same

if FAST:
    from .._library.vectorcall import send
else:
    send: Any = pass_on  # type: ignore[no-redef]

Content = TypeVar("Content")

# An update, without the detour through a function of Python's that a named tuple makes.
new_update: Callable[..., Any] = tuple.__new__


class State:
    """What changes with each assignment. Beside the variable, whose attributes are looked at when they are set: see
    `Handle.__setattr__`."""

    __slots__ = (
        *("held", "equals", "validator", "has_rules", "waiting", "lock"),
        *("delivered", "hindrances", "blocks", "batches", "batched"),
    )

    def __init__(self, value: Any, equals: Any, validator: Any) -> None:
        self.equals: Optional[Callable[[Any, Any], object]] = equals
        self.validator: Optional[Callable[[Any], Any]] = validator
        self.has_rules = equals is not None or validator is not None
        self.held = value
        self.waiting: deque[Tuple[Update[Any], Any]] = deque()
        # Guards changes where it has to be. Nothing foreign runs under it, except if the garbage collector or a signal
        # does so: therefore re-entrant.
        self.lock = RLock()
        # The update that is delivered, by the thread that sets the variable, until it is None again.
        self.delivered: Optional[Update[Any]] = None
        # Not empty while a change has to take the lock. On the plain way Python may let other threads in anywhere.
        self.hindrances: List[Any] = [] if FAST else [None]
        # The stays in blocks and in batches.
        self.blocks: List[Stay] = []
        self.batches: List[Stay] = []
        # The value before the first change of a batch, and the author of the last.
        self.batched: Optional[Tuple[Any, Any]] = None


class Changing:
    """The part of a variable that has a value, and a line of updates that wait for their turn."""

    _address: int
    _has_pointer: bool
    _ordered: bool
    _budget: int
    _has_callbacks: bool
    _pauses: Tuple[Any, ...]
    _state: State

    def _hold(self, value: Any, equals: Any, validator: Any) -> None:
        held = value if validator is None else validator(value)
        set_attribute(self, "_state", State(held, equals, validator))

    def _differ(self: Any, old: Any, value: Any) -> bool:
        """Values that cannot be compared differ. The setter gets the exception."""
        try:
            if self._state.equals is not None:
                return value is not old and not self._state.equals(old, value)
            return not same(value, old)
        except Exception as error:
            function = type(value).__qualname__ if self._state.equals is None else name_of(self._state.equals)
            note(self, Failure("equality", function, self._title(), None, error))
            return True

    def _checked(self, value: Any) -> Any:
        return value if self._state.validator is None else self._state.validator(value)

    def _has_replaced(self, value: Any) -> bool:
        """Whether a validator has made another value of one that was set."""
        return not self._has_pointer and self._state.validator is not None and self._differ(value, self._state.held)

    def _set_by_the_lock(self: Any, old: Any, value: Any, author: Any) -> None:
        """Sets a value that differs from the old one."""
        while not self._assign(old, value, author):
            # Another thread was faster.
            old = self._state.held
            if not self._differ(old, value):
                if kept or failures:
                    conclude(self)
                return

    def _assign(self, old: Any, value: Any, author: Any) -> bool:
        """Replaces the old value and sends the update, unless it is not the old value any more."""
        if self._has_callbacks:
            use_stack()
        update = new_update(Update, (old, value)), author
        with self._state.lock, self._pauses_lock():
            if not self._address:
                check(INVALID_ARGUMENT, type(self).__name__)
            line, ready = self._line()
            # From here to the append nothing is called, and nothing made that the garbage collector tracks. So no other
            # thread, no handler of a signal and no finaliser runs in between.
            if self._state.held is not old:
                return False
            self._state.held = value
            if self._state.batches:
                self._state.batched = (self._state.batched[0] if self._state.batched else old, author)
                return True
            line.append(update)
        self._deliver(ready)
        return True

    def _repeat(self, author: Any) -> None:
        """Sends an update from the present value to itself."""
        while True:
            value = self._state.held
            update = new_update(Update, (value, value)), author
            with self._state.lock, self._pauses_lock():
                line, ready = self._line()
                if self._state.held is value:
                    line.append(update)
                    break
        self._deliver(ready)

    def _begin_batch(self, stay: Stay) -> None:
        self._state.hindrances.append(stay)
        self._state.batches.append(stay)

    def _end_batch(self, stay: Stay) -> None:
        if failures and are_noted_here():
            return amid(self._end_batch, stay)  # type: ignore[no-any-return]
        if stay in self._state.batches:
            self._deliver(self._leave_batch(stay))
        _remove(stay, self._state.hindrances)

    def _leave_batch(self, stay: Stay) -> deque[Any]:
        while True:
            batched, value = self._state.batched, self._state.held
            # Foreign code, so without the lock.
            update = (new_update(Update, (batched[0], value)), batched[1]) if batched else None
            differ = batched is not None and self._differ(batched[0], value)
            with self._state.lock, self._pauses_lock():
                line, ready = self._line()
                # In one piece with the end of the batch, so that no change in between is lost.
                if len(self._state.batches) > 1 or (self._state.batched is batched and self._state.held is value):
                    if len(self._state.batches) == 1:
                        if differ and not stay.notes:
                            stay.call(line.append, update)
                        self._state.batched = None
                    self._state.batches.remove(stay)
                    return ready

    def _recall_latest(self, told: Told) -> Tuple[Any, IsOld]:
        moving = Moving()
        # So that no other thread sets the variable without the lock.
        self._state.hindrances.append(moving)
        try:
            with self._state.lock, pauses_lock:
                value = self._state.held
                for each in (*self._state.waiting, *[each for pause in self._pauses for each in pause.waiting]):
                    moving.add(each[0])
                # After those that wait, as it was one of them.
                moving.add(self._state.delivered)
                told(moving)
        finally:
            _remove(moving, self._state.hindrances)
        return new_update(Update, (value, value)), moving

    def _pauses_lock(self) -> Any:
        return pauses_lock if self._pauses else self._state.lock

    def _line(self) -> Tuple[deque[Any], deque[Any]]:
        """Where an update waits for its turn, and the same if it can be sent at once. The caller holds the lock."""
        ready: deque[Any] = deque()
        if self._state.blocks:
            return deque(), ready
        if self._pauses:
            return self._pauses[-1].waiting, ready
        return (self._state.waiting if self._ordered else ready), ready

    def _send_in_line(self: Any, update: Any, author: Any) -> None:
        """Sends an update that has waited."""
        if not self._ordered:
            send(self, update, author)
            return
        self._state.waiting.append((update, author))
        self._deliver_waiting()

    def _deliver(self: Any, ready: deque[Any]) -> None:
        # First what an interrupt has left, also where no order is kept.
        has_failed = self._deliver_waiting()
        for each in ready:
            has_failed |= send(self, *each) == CALLBACK_FAILED
        if has_failed or kept or failures:
            conclude(self, CALLBACK_FAILED if has_failed else OK)

    def _deliver_waiting(self: Any) -> bool:
        """Sends what waits, one at a time; unless another does. Returns whether a handler has failed."""
        has_failed, left = False, 0
        while True:
            is_mine = False
            try:
                try:
                    with self._state.lock:
                        if self._state.delivered is not None or not self._state.waiting:
                            return has_failed
                        is_mine = True
                        self._state.delivered = self._state.waiting[0][0]
                    some_failed, left = self._send_some()
                    has_failed |= some_failed
                finally:
                    # Also after an interrupt: what waits goes with the next update then.
                    if is_mine:
                        self._state.delivered = None
                        is_mine = False
            except BaseException:
                # An interrupt may have come between the two.
                if is_mine:
                    self._state.delivered = None
                raise
            if left == 0:
                # Lets go of the interpreter lock: a thread that sets now takes over.
                sleep(0.0001)

    def _send_some(self: Any) -> Tuple[bool, int]:
        """Whether a handler has failed, and how many more it would have sent."""
        # On its own: CPython 3.12 to 3.14 find no handler around an interrupt at the end of a loop beside it.
        has_failed, left = False, self._budget
        while self._state.waiting:
            update = self._state.waiting[0]
            # At each moment it is in at least one of the two places.
            self._state.delivered = update[0]
            self._state.waiting.popleft()
            if failures and is_interrupted(self):
                leave_in_line(self, *update)
            else:
                has_failed |= send(self, *update) == CALLBACK_FAILED
            left -= 1
            if left == 0:
                break
        return has_failed, left


# Hinders a variable that keeps no order.
_UNORDERED = object()


def _remove(thing: Any, things: List[Any]) -> None:
    if thing in things:
        things.remove(thing)


class Batching(Changing, Observable[Update[Content]], Generic[Content]):
    """The part of a variable that keeps its updates back."""

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
            begin, end = self._begin_batch_in_library, self._end_batch_in_library
        else:
            begin, end = self._begin_batch, self._end_batch
        return Within(begin, end, self._lacks_batch, self._begun_as("batch"))

    def paused(
        self,
        reducer: Optional[Callable[[Update[Content], Update[Content]], Update[Content]]] = None,
        *,
        initial: Update[Content] = MISSING,
    ) -> Within:
        """Within, the variable changes as usual, and its updates wait. At the end they are delivered.

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
        return super().is_blocked if self._has_pointer else bool(self._state.blocks)

    def _block(self, stay: Stay) -> None:
        if self._has_pointer:
            super()._block(stay)
        else:
            self._state.hindrances.append(stay)
            self._state.blocks.append(stay)

    def _unblock(self, stay: Stay) -> None:
        if self._has_pointer:
            super()._unblock(stay)
        else:
            _remove(stay, self._state.blocks)
            _remove(stay, self._state.hindrances)

    def _keep_order(self, ordered: bool) -> None:
        if not self._has_pointer:
            _remove(_UNORDERED, self._state.hindrances)
            if not ordered:
                self._state.hindrances.append(_UNORDERED)
        super()._keep_order(ordered)

    def _recall_latest(self, told: Told) -> Tuple[Any, IsOld]:
        if self._has_pointer:
            return Observable._recall_latest(self, told)
        return super()._recall_latest(told)

    def _delivered(self) -> Any:
        return None if self._has_pointer else self._state.delivered

    def _begin_batch_in_library(self, stay: Stay) -> None:
        # The author of the last change is named when the batch ends, and kept until then.
        self._begun_as("batch of the library").append(stay)
        batches.append(stay)
        check(stay.call(library.variable_begin_batch, self._address), type(self).__name__)

    def _end_batch_in_library(self, stay: Stay) -> None:
        try:
            if stay.notes == [OK]:
                deliver(lambda address, value, author: stay.call(library.variable_end_batch, address), self, 0, ITSELF)
        finally:
            _remove(stay, batches)
            _remove(stay, self._begun_as("batch of the library"))
            if kept:
                forget()

    def _lacks_batch(self) -> None:
        if self._has_pointer:
            # C code may have begun it.
            deliver(lambda address, value, author: library.variable_end_batch(address), self, 0, ITSELF)
        else:
            check(NOT_FOUND, type(self).__name__)

    def _silence(self) -> None:
        for each in self._begun.get("batch of the library", ()):
            _remove(each, batches)
        # What an interrupt has left here is delivered before the end.
        if "_state" in vars(self) and self._state.waiting:
            self._deliver(deque())
        super()._silence()

    def _before_pause(self, pause: Pause) -> None:
        self._state.hindrances.append(pause)

    def _after_pause(self, pause: Pause) -> None:
        _remove(pause, self._state.hindrances)

    def _send_waiting(self, message: Any, author: Any) -> None:
        self._send_in_line(message, author)

    def _leave_waiting(self, message: Any, author: Any) -> None:
        self._state.waiting.append((message, author))

    def _require_message(self, message: Any, must: str) -> None:
        if type(message) is not Update:
            raise TypeError(f"{must} an Update for a variable, not {type(message).__name__}")


def _after_fork_in_child() -> None:
    for each in living_handles():
        if isinstance(each, Changing) and not each._has_pointer:
            free(each._state.lock)


os.register_at_fork(after_in_child=_after_fork_in_child)
