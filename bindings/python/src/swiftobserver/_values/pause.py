# SPDX-License-Identifier: MIT
"""How an observable withholds what is sent: blocked, it drops messages; paused, it lets them wait.

    sent      1 [ 2 3 ] 4
    blocked   1         4
    paused    1       2 3 4

While its messages are delivered at the end, what is sent meanwhile still waits: so the order holds. Pauses of one
observable may overlap: the messages of one that ends go to the one before or after it, and are delivered with the last.
"""

from __future__ import annotations

import os
from _thread import get_ident
from collections import deque

from .._core.failures import amid, are_pending_here, pending, raise_pending
from .._core.parts import AnyObservable
from .._core.within import Stay, Within
from .._library.inspection import require_arguments
from .._library.threads import RLock, as_sender, free
from .._library.typing import (
    MISSING,
    Any,
    Callable,
    Deque,
    Dict,
    Generic,
    List,
    Optional,
    Tuple,
    TypeVar,
)

Message_co = TypeVar("Message_co", covariant=True)

# Guards the pauses of all observables, and what waits in them. Nothing foreign runs under it.
lock = RLock()
os.register_at_fork(after_in_child=lambda: free(lock))

# Messages with their authors.
Waiting = Deque[Tuple[Any, Any]]


class Withholding(Generic[Message_co]):
    """Can be blocked, and paused if its kind allows that."""

    _store: Any
    # Those that are in progress, the oldest first. Replaced, never changed.
    _pauses: Tuple[Pause, ...] = ()
    # The blocks that Python knows of itself.
    _blocks: Tuple[Stay, ...] = ()
    # What has begun without a `with` block, by its kind.
    _begun: Dict[str, List[Any]] = {}

    def blocked(self) -> Within:
        """Within, what is sent is dropped. A variable changes as usual. What was sent before still arrives.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> with numbers.observe(print):
        ...     with numbers.blocked():
        ...         numbers.send(1)
        ...     numbers.send(2)
        2
        """
        return Within(self._block, self._unblock, self._lacks_block, self._begun_as("block"))

    def paused(self, reducer: Optional[Callable[[Any, Any], Any]] = None, *, initial: Any = MISSING) -> Within:
        """Within, what is sent waits. At the end it is delivered, in the order sent, and by the same authors.

        With a `reducer` only one message is delivered, if there were any: what `functools.reduce` makes of them, and
        of `initial`, if that is given. A variable changes as usual, only its updates wait. What was sent before still
        arrives. Messengers and variables that C code cannot reach are paused; with them what is made from them is.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> with numbers.observe(print):
        ...     with numbers.paused():
        ...         numbers.send(1)
        ...         print("sent")
        ...     with numbers.paused(lambda one, other: one + other):
        ...         numbers.send(2)
        ...         numbers.send(3)
        sent
        1
        5
        """
        raise TypeError(f"{type(self).__name__} cannot be paused: what it is made from can")

    @property
    def is_paused(self) -> bool:
        """Whether what is sent waits: within `paused()`."""
        return bool(self._pauses)

    @property
    def is_blocked(self) -> bool:
        """Whether what is sent is dropped: within `blocked()`."""
        return bool(self._store.is_blocked(self))

    def _block(self, stay: Stay) -> None:
        self._store.block(self, stay)

    def _unblock(self, stay: Stay) -> None:
        self._store.unblock(self, stay)

    def _lacks_block(self) -> None:
        self._store.lacks_block(self)

    def _begun_as(self, kind: str) -> List[Any]:
        if "_begun" not in vars(self):
            self._begun = {}
        return self._begun.setdefault(kind, [])

    def _require_message(self, message: Any, must: str) -> None:
        """`TypeError` for what this cannot send."""


class Pause(Stay):
    """One of possibly several, the latest of which has what is sent."""

    __slots__ = ("waiting", "is_reduced")

    def __init__(self) -> None:
        super().__init__()
        self.waiting: Waiting = deque()
        self.is_reduced: bool = False


def wait(observable: AnyObservable, message: Any, author: Any) -> bool:
    """Has a message wait, or drops it where that is what the observable does. False if it is not paused any more, or
    confined to another thread."""
    with lock:
        if not observable._pauses or observable._home_thread not in (None, get_ident()):
            return False
        if not observable._blocks:
            observable._pauses[-1].waiting.append((message, author))
        return True


class Pausing(Within):
    """Returned by `paused`. May be entered again, also while it is."""

    __slots__ = ("_observable", "_reducer", "_initial")

    def __init__(self, observable: AnyObservable, reducer: Any, initial: Any) -> None:
        if reducer is not None:
            require_arguments(reducer, 2, "reducer")
            if initial is not MISSING:
                observable._require_message(initial, "initial must be")
        elif initial is not MISSING:
            raise TypeError("initial must not be given without a reducer")
        super().__init__(self._pause, self._resume, self._lacks_pause)
        self._observable, self._reducer, self._initial = observable, reducer, initial

    def _new_stay(self) -> Pause:
        return Pause()

    def _pause(self, pause: Pause) -> None:
        observable = self._observable
        observable._require_initialised()
        observable._store.before_pause(pause)
        with lock:
            observable._pauses = (*observable._pauses, pause)
            observable._store.withhold(observable)

    def _resume(self, pause: Pause) -> None:
        try:
            if pause not in self._observable._pauses:
                return
            if pending and are_pending_here():
                amid(_end, self._observable, pause, self._reducer, self._initial)
            else:
                _end(self._observable, pause, self._reducer, self._initial)
        finally:
            with lock:
                self._observable._store.withhold(self._observable)
            self._observable._store.after_pause(pause)

    def _lacks_pause(self) -> None:
        raise RuntimeError(f"{type(self._observable).__name__}: this pause has not begun, or is over")


def _end(observable: AnyObservable, pause: Pause, reducer: Any, initial: Any) -> None:
    try:
        if reducer is not None and not pause.is_reduced:
            _reduce(observable, pause, reducer, initial)
    finally:
        # Also if the reducer has failed: its failure keeps no message from arriving.
        if not _handed_over(observable, pause):
            _deliver(observable, pause, observable._store.send_waiting)


def _reduce(observable: AnyObservable, pause: Pause, reducer: Any, initial: Any) -> None:
    """Puts one message in the place of those that wait."""
    messages = list(pause.waiting)
    if not messages:
        return
    each = [message for message, _ in messages]
    message = each.pop(0) if initial is MISSING else initial
    for other in each:
        message = reducer(message, other)
    observable._require_message(message, "reducer must return")
    with lock:
        pause.waiting = deque([(message, messages[-1][1]), *list(pause.waiting)[len(messages) :]])
        pause.is_reduced = True


def _handed_over(observable: AnyObservable, pause: Pause) -> bool:
    """Gives what waits to another pause, if there is one."""
    with lock:
        pauses = observable._pauses
        if len(pauses) == 1:
            return False
        index = pauses.index(pause)
        if index:
            pauses[index - 1].waiting += pause.waiting
        else:
            pauses[1].waiting = pause.waiting + pauses[1].waiting
        observable._pauses = pauses[:index] + pauses[index + 1 :]
        return True


def _deliver(observable: AnyObservable, pause: Pause, send: Callable[[Any, Any, Any], None]) -> None:
    if not pause.waiting and _is_over(observable, pause):
        # No send, so what an interrupt has left goes on waiting.
        return
    try:
        as_sender(_send_all, observable, pause, send)
    except BaseException:
        # An interrupt: the rest stays in line, and the pause ends.
        if pause in observable._pauses:
            _deliver(observable, pause, observable._store.leave_waiting)
        raise
    finally:
        raise_pending(observable)


def _send_all(observable: AnyObservable, pause: Pause, send: Callable[[Any, Any, Any], None]) -> None:
    # On its own: CPython 3.12 to 3.14 find no handler around an interrupt at the end of a loop beside it.
    while not _is_over(observable, pause):
        while pause.waiting:
            send(observable, *pause.waiting.popleft())


def _is_over(observable: AnyObservable, pause: Pause) -> bool:
    """Ends a pause, unless something has come meanwhile."""
    with lock:
        if not pause.waiting:
            observable._pauses = tuple(each for each in observable._pauses if each is not pause)
            observable._store.withhold(observable)
        # A handler of a signal may have sent something amid that.
        return not pause.waiting
