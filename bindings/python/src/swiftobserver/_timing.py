# SPDX-License-Identifier: MIT
"""Transforms that let messages wait, by the clock of an event loop.

    source --> timed --message waits--> timer of the loop --> its own handlers

All that a transform knows is touched on the thread of its loop only, so it needs no lock.
"""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Optional, Tuple
from weakref import WeakMethod

from ._delivery import deliver
from ._elsewhere import running_loop
from ._observable import Observable
from ._relays import Relay, accept_all, pass_on
from ._structures import OK


class Timed(Relay[Any]):
    """Passes messages on later."""

    def __init__(self, source: Observable[Any], seconds: float, loop: Optional[asyncio.AbstractEventLoop]) -> None:
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            raise TypeError(f"seconds must be a number, not {type(seconds).__name__}")
        # Not a number, too, is not within.
        if not 0 < seconds < float("inf"):
            raise ValueError(f"seconds must be positive and finite: {seconds}")
        if loop is None:
            loop = running_loop()
            if loop is None:
                raise RuntimeError("no event loop is running: give one as loop=")
        elif not isinstance(loop, asyncio.AbstractEventLoop):
            raise TypeError(f"loop must be an event loop or None, not {type(loop).__name__}")
        self._loop = loop
        self._seconds = seconds
        # The latest message with its author, while it waits.
        self._waiting: Optional[Tuple[Any, Any]] = None
        self._timer: Optional[asyncio.TimerHandle] = None
        super().__init__([source], accept_all)

    def _receive(self, message: Any, author: Any) -> None:
        if running_loop() is self._loop:
            self._take(message, author)
            return
        try:
            self._loop.call_soon_threadsafe(_weakly(self._take_there), message, author)
        except RuntimeError:
            if not self._loop.is_closed():
                raise
            # Nobody will ever pass these messages on.
            for observation in self._observations:
                observation.stop()

    def _take_there(self, message: Any, author: Any) -> None:
        self._pass_on_alone(lambda: self._take(message, author))

    def _take(self, message: Any, author: Any) -> None:
        """Receives a message, on the loop."""
        raise NotImplementedError

    def _start_timer(self) -> None:
        self._timer = self._loop.call_later(self._seconds, _weakly(self._time_is_up))

    def _time_is_up(self) -> None:
        """What the timer calls."""
        raise NotImplementedError

    def _pass_on_alone(self, send: Callable[[], None]) -> None:
        """Sends when there is no sender any more to whom it could be told what has failed."""

        def call(address: int, value: int, author: Optional[int]) -> int:
            send()
            return OK

        try:
            deliver(call, self, 0, None)
        except Exception as error:
            self._loop.call_exception_handler({"message": f"{self._title()} could not deliver", "exception": error})


class Throttle(Timed):
    """Passes on at most one message in so many seconds."""

    _kind = "throttle"

    def _take(self, message: Any, author: Any) -> None:
        if self._timer is not None:
            self._waiting = message, author
            return
        self._start_timer()
        pass_on(self, message, author)

    def _time_is_up(self) -> None:
        message, self._waiting = self._waiting, None
        self._timer = None
        if message is not None:
            # First, for handlers may send.
            self._start_timer()
            self._pass_on_alone(lambda: pass_on(self, *message))


class Debounce(Timed):
    """Passes on the latest message when none has come for so many seconds."""

    _kind = "debounce"

    def _take(self, message: Any, author: Any) -> None:
        self._waiting = message, author
        if self._timer is not None:
            self._timer.cancel()
        self._start_timer()

    def _time_is_up(self) -> None:
        message, self._waiting = self._waiting, None
        self._timer = None
        if message is not None:
            self._pass_on_alone(lambda: pass_on(self, *message))


def _weakly(method: Callable[..., None]) -> Callable[..., None]:
    # A timer keeps no transform alive.
    reference = WeakMethod(method)

    def call(*arguments: Any) -> None:
        living = reference()
        if living is not None:
            living(*arguments)

    return call
