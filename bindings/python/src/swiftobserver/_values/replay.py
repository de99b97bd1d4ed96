# SPDX-License-Identifier: MIT
"""Beginning to observe with what was sent before.

    begun:     messages that are sent from now on wait
    recalled:  what is remembered goes to the handler. In that moment all that has waited, and all that is on its way,
               is old: what it tells is in what is remembered
    caught up: what has waited, unless it is old; from then on every message goes straight through

Where C code can reach the observable, the library does all that: it may remember what C code has sent.
"""

from __future__ import annotations

from collections import deque
from ctypes import addressof, byref, c_size_t, sizeof

from .._core.authors import ITSELF
from .._core.failures import check, deliver
from .._core.parts import AnyObservable, AnyObservation
from .._core.trampolines import Trampoline, callback, named
from .._library import declarations as library
from .._library.ownership import Handle, destroy
from .._library.threads import RLock, free, with_locks
from .._library.typing import Any, Callable, List, Optional, Tuple
from .._operators.pure import IsOld, Moving, counted, map_all, no_latest_message, root_of

# More than can be remembered: all.
ALL: int = c_size_t(-1).value


def replay_count(replay: Any, parameter: str) -> int:
    """How many of the last messages are meant. `TypeError` or `ValueError` if that cannot be told."""
    if isinstance(replay, str) and replay in ("latest", "all"):
        return 1 if replay == "latest" else ALL
    if type(replay) is not int:
        error = ValueError if isinstance(replay, str) else TypeError
        raise error(f'{parameter} must be a number of messages, "latest" or "all", not {replay!r}')
    return min(counted(replay, parameter), ALL)


def replaying_from_library(observable: AnyObservable, both: bool, count: int, trampoline: Trampoline) -> Trampoline:
    """Begins with so many of the last messages, as the library knows them, and goes on as another trampoline does."""
    root, mappers = root_of(observable)
    if mappers and root._kind == "variable":
        return _InTurn(both, count, trampoline, root, mappers)
    return _ByLibrary(both, count)


def replaying_from_memory(observable: AnyObservable, both: bool, count: int, trampoline: Trampoline) -> Trampoline:
    """The same, as Python knows them."""
    # Refused before anything has begun.
    if not observable._upstream.remembers(observable):
        raise TypeError(no_latest_message(observable))
    return _ByMemory(both, count, trampoline)


class _Replaying(Trampoline):
    """If the handler fails in the replay, the observation ends."""

    __slots__ = ("_both", "_count")

    def __init__(self, both: bool, count: int) -> None:
        self._both, self._count = both, count

    def begin(self, observation: AnyObservation, observable: AnyObservable, observer: Optional[Handle]) -> int:
        def begin(address: int, value: int, author: Optional[int]) -> int:
            return self._begin(observation, observable, observer)

        try:
            deliver(begin, observable, 0, ITSELF)
        except BaseException:
            observation.stop()
            raise
        return library.OK

    def _begin(self, observation: AnyObservation, observable: AnyObservable, observer: Optional[Handle]) -> int:
        raise NotImplementedError


class _ByMemory(_Replaying):
    """Python remembers."""

    __slots__ = ("_trampoline",)

    def __init__(self, both: bool, count: int, trampoline: Trampoline) -> None:
        super().__init__(both, count)
        self._trampoline = trampoline

    def _begin(self, observation: AnyObservation, observable: AnyObservable, observer: Optional[Handle]) -> int:
        catching_up = _CatchingUp(observation, self._both)
        observation._handler = catching_up.receiver()
        check(self._trampoline.begin(observation, observable, observer), "observable")
        root, _ = root_of(observable)
        root._upstream.between(root, lambda: catching_up.catch_up(observation, self._count))
        return library.OK


class _ByLibrary(_Replaying):
    """The library remembers."""

    __slots__ = ()

    def _begin(self, observation: AnyObservation, observable: AnyObservable, observer: Optional[Handle]) -> int:
        options = library.ObserveOptions(size=sizeof(library.ObserveOptions), replay=self._count)
        options.observer = None if observer is None else observer._address
        status = library.observe_with(
            observable._address,
            addressof(options),
            callback(self._both, observable._stops_at_failure).function,
            observation,
            destroy,
            byref(observation._number),
        )
        if status == library.WRONG_KIND:
            raise TypeError(no_latest_message(observable) + "; what replaying() makes has more")
        check(status, "observable")
        return library.OK


class _InTurn(_Replaying):
    """The library remembers what the observable is mapped from, a variable, and has its turn while this replays: so no
    message of that is on its way."""

    __slots__ = ("_trampoline", "_root", "_mappers")

    def __init__(
        self, both: bool, count: int, trampoline: Trampoline, root: AnyObservable, mappers: List[Callable[[Any], Any]]
    ) -> None:
        super().__init__(both, count)
        self._trampoline, self._root, self._mappers = trampoline, root, mappers

    def _begin(self, observation: AnyObservation, observable: AnyObservable, observer: Optional[Handle]) -> int:
        catching_up = _CatchingUp(observation, self._both)
        observation._handler = catching_up.receiver()
        check(self._trampoline.begin(observation, observable, observer), "observable")
        self._root.observe(self._replaying(catching_up, observation), once=True, replay=1)
        return library.OK

    def _replaying(self, catching_up: _CatchingUp, observation: AnyObservation) -> Callable[[Any], None]:
        """Receives the replay of the variable."""
        mappers, author = self._mappers, observation._observable

        def replay(update: Any) -> None:
            catching_up.forget()
            try:
                remembered = [(map_all(update, mappers), author())] if observation.is_living else []
            except BaseException as error:
                remembered = []
                observation._failed(error)
            catching_up.call_with(observation, remembered)

        return named(replay, observation._handler)


class _CatchingUp:
    """Stands before a handler."""

    def __init__(self, observation: AnyObservation, both: bool) -> None:
        self._observable = observation._observable
        self._handler: Callable[..., Any] = observation._handler
        self._both = both
        # What is sent meanwhile, each with what stands for it; None when the handler has caught up. The lock guards it.
        self._waiting: Optional[deque[Tuple[Any, Tuple[Any, ...]]]] = deque()
        self._lock = RLock()
        # Whether what stands for a message is older than what was recalled.
        self._is_old: Optional[IsOld] = None
        with_locks.add(self)

    def receiver(self) -> Callable[..., Any]:
        """Observes in place of the handler."""

        def receive_with_author(message: Any, author: Any) -> None:
            self._receive((message, author))

        def receive(message: Any) -> None:
            self._receive((message,))

        return named(receive_with_author if self._both else receive, self._handler)

    def catch_up(self, observation: AnyObservation, count: int) -> None:
        """Calls the handler with what it has missed."""
        observable = self._observable()
        assert observable is not None
        remembered, self._is_old = observable._upstream.recall(observable, count, self._told)
        self.call_with(observation, remembered)

    def forget(self) -> None:
        """Drops what has waited: all of it is old."""
        with self._lock:
            if self._waiting:
                self._waiting.clear()

    def call_with(self, observation: AnyObservation, remembered: List[Tuple[Any, Any]]) -> None:
        """Calls the handler with what is remembered, and then with what has waited."""
        for message, author in remembered:
            self._call(observation, (message, author) if self._both else (message,))
        while True:
            with self._lock:
                if not self._waiting:
                    self._waiting = None
                    return
                message, arguments = self._waiting.popleft()
            if self._is_old is None or not self._is_old(message):
                self._call(observation, arguments)

    def _told(self, moving: Moving) -> None:
        with self._lock:
            for message, _ in self._waiting or ():
                moving.add(message)

    def _after_fork(self) -> None:
        free(self._lock)

    def _receive(self, arguments: Tuple[Any, ...]) -> None:
        observable = self._observable()
        message = observable._upstream.delivered(observable) if observable is not None else None
        if self._waiting is not None:
            with self._lock:
                if self._waiting is not None:
                    self._waiting.append((message, arguments))
                    return
        if self._is_old is None or not self._is_old(message):
            self._handler(*arguments)

    def _call(self, observation: AnyObservation, arguments: Tuple[Any, ...]) -> None:
        if not observation.is_living:
            return
        try:
            self._handler(*arguments)
        except Exception as error:
            observation._failed(error)
