# SPDX-License-Identifier: MIT
"""Observables that remember: the latest message, for whoever asks, or the last ones, for whoever comes late."""

from __future__ import annotations

from collections import deque
from ctypes import addressof, byref, c_size_t, c_void_p

from . import _native as native
from . import _structures as structures
from ._delivery import deliver
from ._errors import check
from ._observable import Observable
from ._relays import Relay, accept_all, pass_on
from ._steps import counted
from ._structures import Value
from ._transforms import Transform
from ._typing import Any, Optional, Tuple, Union
from ._values import decode, encode

# How many messages to replay.
Replay = Union[int, str]

# More than can be remembered: all.
ALL: int = c_size_t(-1).value


def replay_count(replay: Any, parameter: str) -> int:
    """How many of the last messages are meant. `TypeError` or `ValueError` if that cannot be told."""
    if isinstance(replay, str):
        if replay not in ("latest", "all"):
            raise ValueError(f'{parameter} must be a number of messages, "latest" or "all", not {replay!r}')
        return 1 if replay == "latest" else ALL
    return min(counted(replay, parameter), ALL)


class Replaying(Relay[Any]):
    """Remembers the last messages."""

    _kind = "replay"

    def __init__(self, source: Observable[Any], most: int) -> None:
        # With their numbers, counted from 1.
        self._memory: deque[Tuple[float, Any, Any]] = deque(maxlen=None if most == ALL else most)
        # Of the message that is being delivered, or was last.
        self._count = 0
        super().__init__([source], accept_all)

    def _receive(self, message: Any, author: Any) -> None:
        if self.is_blocked:
            return
        # Calls do not overlap, as the source sends one message at a time.
        number = self._count + 1
        self._memory.append((number, message, author))
        self._count = number
        pass_on(self, message, author)

    def _recall(self, count: int) -> Tuple[list[Tuple[Any, Any]], float]:
        remembered = list(self._memory)
        recalled = [(message, author) for _, message, author in remembered[-count:]]
        return recalled, remembered[-1][0] if remembered else 0


class Cache(Relay[Any]):
    """Remembers the latest message."""

    _kind = "cache"

    def __init__(self, source: Observable[Any], initial: Any) -> None:
        self._latest = initial
        super().__init__([source], accept_all)

    @property
    def latest_message(self) -> Any:
        """The latest message of the source, or the initial one."""
        return self._latest

    def _receive(self, message: Any, author: Any) -> None:
        if not self.is_blocked:
            self._latest = message
            pass_on(self, message, author)


class _NativeCache(Transform):
    """One that C code can ask, too."""

    @property
    def latest_message(self) -> Any:
        """The latest message of the source, or the initial one."""
        return latest_of(self)


def replaying(source: Observable[Any], count: Any) -> Observable[Any]:
    """The transform behind `replaying`."""
    most = replay_count(count, "count")
    if not source._has_pointer:
        return Replaying(source, most)
    address = c_void_p()
    check(native.replay(source._address, most, byref(address)), type(source).__name__)
    assert address.value
    return Transform(source, address.value, {})


def cached(source: Observable[Any], initial: Any) -> Observable[Any]:
    """The transform behind `cache`."""
    if not source._has_pointer:
        return Cache(source, initial)
    address, value = c_void_p(), encode(initial)
    check(native.cache(source._address, addressof(value), byref(address)), "initial")
    assert address.value
    return _NativeCache(source, address.value, {})


def latest_of(observable: Observable[Any]) -> Any:
    """The latest message as the library knows it. `TypeError` where there is none."""
    value = Value()
    status = native.latest(observable._address, addressof(value))
    if status == structures.WRONG_KIND:
        raise TypeError(no_latest_message(observable))
    check(status, type(observable).__name__)
    try:
        return decode(value)
    finally:
        native.value_clear(addressof(value))


def no_latest_message(observable: Observable[Any]) -> str:
    """What to say of an observable that remembers nothing."""
    return f"{type(observable).__name__} has no latest message: variables and caches have, and what is mapped from them"


def send_latest(observable: Observable[Any], author: Any) -> None:
    """The work of `Observable.send_latest`."""
    message = observable.latest_message

    def send(address: int, value: int, author_address: Optional[int]) -> int:
        if observable._has_pointer:
            return native.send_latest(address, author_address)  # type: ignore[no-any-return]
        pass_on(observable, message, author)
        return structures.OK

    deliver(send, observable, 0, author)
