# SPDX-License-Identifier: MIT
"""Messages as an asynchronous iterator, and the next one as something to wait for."""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import deque
from threading import get_ident
from typing import Any, AsyncIterator, Generic, Optional, TypeVar
from weakref import ref

from ._observable import Observable
from ._observation import begin

Message = TypeVar("Message")


class Messages(AsyncIterator[Message], Generic[Message]):
    """Messages in their order, from the moment in which this was made until `stop()`, or the observable's end.

    It observes for as long as it lives. Messages may come from any thread.
    """

    def __init__(self, observable: Observable[Message], most: Optional[int] = None) -> None:
        if most is not None and (type(most) is not int or most < 1):
            raise ValueError(f"most must be a positive int or None, not {most!r}")
        self._loop: AbstractEventLoop = get_running_loop()
        self._thread = get_ident()
        self._waiting: deque[Message] = deque(maxlen=most)
        self._waiter: Optional[Future[None]] = None
        self._has_ended = False
        myself = ref(self)

        def end(_: Any) -> None:
            messages = myself()
            if messages is not None:
                messages._end()

        self._observable = ref(observable, end)
        self._observation = begin(observable, None, self._receive, weak=True)

    def stop(self) -> None:
        """Observes no more. What has come already can still be taken."""
        self._observation.stop()
        self._end()

    async def aclose(self) -> None:
        """`stop`, as asynchronous generators have it."""
        self.stop()

    def __aiter__(self) -> Messages[Message]:
        return self

    async def __anext__(self) -> Message:
        if self._waiter is not None:
            raise RuntimeError("somebody else is waiting for the next message")
        while not self._waiting:
            if self._has_ended:
                raise StopAsyncIteration
            self._waiter = self._loop.create_future()
            # A message may have come from another thread in this very moment.
            if not self._waiting and not self._has_ended:
                try:
                    await self._waiter
                finally:
                    self._waiter = None
            self._waiter = None
        return self._waiting.popleft()

    def _receive(self, message: Message) -> None:
        self._waiting.append(message)
        self._notify()

    def _end(self) -> None:
        self._has_ended = True
        self._notify()

    def _notify(self) -> None:
        if self._waiter is None:
            return
        if get_ident() == self._thread:
            self._wake()
        elif self._loop.is_closed():
            self._observation.stop()
        else:
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


async def next_message(observable: Observable[Message]) -> Message:
    """The first message from now on."""
    messages = Messages(observable)
    try:
        return await messages.__anext__()
    finally:
        messages.stop()
