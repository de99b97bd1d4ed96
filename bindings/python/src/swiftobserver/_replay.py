# SPDX-License-Identifier: MIT
"""Beginning to observe with what was sent before.

    begun:     messages that are sent from now on wait
    recalled:  what is remembered goes to the handler
    caught up: what has waited, unless it was recalled; from then on every message goes straight through

Where C code can reach the observable, the library does all that: it may remember what C code has sent.
"""

from __future__ import annotations

from _thread import RLock
from collections import deque
from ctypes import addressof, byref, sizeof

from . import _native as native
from . import _structures as structures
from ._buffers import no_latest_message, replay_count
from ._context import destroy
from ._delivery import deliver
from ._errors import check
from ._forking import free, with_locks
from ._handle import Handle
from ._observation import Observation, start
from ._receiving import callback
from ._typing import TYPE_CHECKING, Any, Callable, Optional, Tuple

if TYPE_CHECKING:
    from ._observable import Observable


class _CatchingUp:
    """Stands before a handler."""

    def __init__(self, observation: Observation, both: bool) -> None:
        self._observable = observation._observable
        self._handler: Callable[..., Any] = observation._handler
        self._both = both
        # What is sent meanwhile, each with its number; None when the handler has caught up. Guarded by the lock.
        self._waiting: Optional[deque[Tuple[float, Tuple[Any, ...]]]] = deque()
        self._lock = RLock()
        # The number of the last message that was recalled.
        self._recalled: float = 0
        with_locks.add(self)

    def receiver(self) -> Callable[..., Any]:
        """What observes in place of the handler."""

        def receive_with_author(message: Any, author: Any) -> None:
            self._receive((message, author))

        def receive(message: Any) -> None:
            self._receive((message,))

        call = receive_with_author if self._both else receive
        call.__qualname__ = getattr(self._handler, "__qualname__", type(self._handler).__qualname__)
        return call

    def catch_up(self, observation: Observation, count: int) -> None:
        """Calls the handler with what it has missed."""
        observable = self._observable()
        assert observable is not None
        remembered, self._recalled = observable._recall(count)
        for message, author in remembered:
            self._call(observation, (message, author) if self._both else (message,))
        while True:
            with self._lock:
                if not self._waiting:
                    self._waiting = None
                    return
                number, arguments = self._waiting.popleft()
            if number > self._recalled:
                self._call(observation, arguments)

    def _after_fork(self) -> None:
        free(self._lock)

    def _receive(self, arguments: Tuple[Any, ...]) -> None:
        observable = self._observable()
        number = observable._count if observable is not None else float("inf")
        if self._waiting is not None:
            with self._lock:
                if self._waiting is not None:
                    self._waiting.append((number, arguments))
                    return
        if number > self._recalled:
            self._handler(*arguments)

    def _call(self, observation: Observation, arguments: Tuple[Any, ...]) -> None:
        if not observation.is_living:
            return
        try:
            self._handler(*arguments)
        except BaseException as error:
            observation._failed(error)


def begin_with_replay(
    observable: Observable[Any], observer: Optional[Handle], observation: Observation, both: bool, replay: Any
) -> Observation:
    """Starts an observation that knows its handler. If that fails in the replay, the observation ends."""
    count = replay_count(replay, "replay")
    if count == 0:
        check(start(observable, observer, observation, both), "observable")
        return observation
    if observable._has_pointer:
        begin = _natively(observable, observer, observation, both, count)
    else:
        # Refused before anything has begun.
        observable._recall(count)
        begin = _here(observable, observer, observation, both, count)
    try:
        deliver(begin, observable, 0, None)
    except BaseException:
        observation.stop()
        raise
    return observation


def _here(
    observable: Observable[Any], observer: Optional[Handle], observation: Observation, both: bool, count: int
) -> Callable[..., int]:
    def begin(address: int, value: int, author: Optional[int]) -> int:
        catching_up = _CatchingUp(observation, both)
        observation._handler = catching_up.receiver()
        check(start(observable, observer, observation, both), "observable")
        catching_up.catch_up(observation, count)
        return structures.OK

    return begin


def _natively(
    observable: Observable[Any], observer: Optional[Handle], observation: Observation, both: bool, count: int
) -> Callable[..., int]:
    def begin(address: int, value: int, author: Optional[int]) -> int:
        options = structures.ObserveOptions(size=sizeof(structures.ObserveOptions), replay=count)
        options.observer = None if observer is None else observer._address
        observation._contexts[observation] = None
        status = native.observe_with(
            address,
            addressof(options),
            callback(both, observable._stops_at_failure),
            observation,
            destroy,
            byref(observation._number),
        )
        if status == structures.WRONG_KIND:
            raise TypeError(no_latest_message(observable) + "; what replaying() makes has more")
        check(status, "observable")
        return structures.OK

    return begin
