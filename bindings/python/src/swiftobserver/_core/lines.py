# SPDX-License-Identifier: MIT
"""Several threads bring something, and one of them at a time takes it, in the order in which it came.

    thread 1 --a--> |           | takes a, then b
    thread 2 --b--> |  a b ...  | finds it taken, and goes on

What looks at the present state when it takes something has so seen the last one, whichever thread brought it.
"""

from __future__ import annotations

from _thread import allocate_lock, get_ident
from collections import deque

from .._library.threads import with_locks
from .._library.typing import Any, Callable, List
from .failures import Failure, outcome


class Turn:
    """In the place of a message that is delivered, while an observation begins with a replay."""

    __slots__ = ()


def take_turn_between(store: Any, lock: Any, action: Callable[[], None]) -> None:
    """Calls a function while a store delivers nothing else, or amid what it is delivering."""
    turn = Turn()
    try:
        try:
            with lock:
                if store.delivered is None:
                    store.delivered = turn
            action()
        finally:
            if store.delivered is turn:
                store.delivered = None
    except BaseException:
        # An interrupt may have come amid that.
        if store.delivered is turn:
            store.delivered = None
        raise


class Line:
    """Has no lock that a thread waits for."""

    def __init__(self, owner: str) -> None:
        # What to call that which takes, in errors.
        self._owner = owner
        self._waiting: deque[Any] = deque()
        # What is being taken by the thread that holds the lock.
        self.taken: Any = None
        self._taking = allocate_lock()
        self._thread = 0
        with_locks.add(self)

    def put(self, thing: Any, take: Callable[[Any], None]) -> None:
        """Brings something, and takes what is there, unless another thread does. What fails keeps nothing from being
        taken."""
        self._waiting.append(thing)
        self._take_all(take)

    def between(self, action: Callable[[], None], take: Callable[[Any], None]) -> None:
        """Calls a function while nothing is taken, unless something is. What comes meanwhile is taken then."""
        is_mine = self._taking.acquire(False)
        try:
            if is_mine:
                self._thread = get_ident()
            action()
        finally:
            if is_mine:
                self._taking.release()
        self._take_all(take)

    def is_taken_here(self) -> bool:
        """Whether this thread is taking something."""
        return self.taken is not None and self._thread == get_ident()

    def here(self) -> List[Any]:
        """All that is here, taken or not."""
        return [self.taken, *self._waiting]

    def _take_all(self, take: Callable[[Any], None]) -> None:
        errors: List[BaseException] = []
        self._take_waiting(take, errors)
        if len(errors) == 1:
            raise errors.pop()
        if errors:
            raise outcome([Failure("handler", self._owner, "", None, each) for each in errors])

    def _take_waiting(self, take: Callable[[Any], None], errors: List[BaseException]) -> None:
        # One that finds the lock taken leaves what it brought to the thread that has it. That one looks again after it
        # has let go, because something may have come in that very moment.
        while self._waiting and self._taking.acquire(False):
            try:
                self._thread = get_ident()
                self._take_one(take)
            except BaseException as error:
                errors.append(error)
            finally:
                self.taken = None
                self._taking.release()

    def _take_one(self, take: Callable[[Any], None]) -> None:
        if self._waiting:
            self.taken = self._waiting[0]
            take(self._waiting.popleft())

    def _after_fork(self) -> None:
        if self._thread != get_ident():
            self._taking = allocate_lock()
            self.taken = None
