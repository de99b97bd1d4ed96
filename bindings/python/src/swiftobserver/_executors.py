# SPDX-License-Identifier: MIT
"""Delivery on an event loop, or by whatever runs jobs: messages wait in a line, one is delivered at a time.

handler of the observation --> waiting --> job on the loop or thread --> the handler that was given
"""

from __future__ import annotations

import sys
from _thread import RLock, allocate_lock, get_ident
from collections import deque
from weakref import ref

from ._failures import Failure, outcome
from ._inspection import name_of
from ._threads import free, with_locks
from ._typing import TYPE_CHECKING, Any, Callable, Optional, Tuple, Union

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from ._observation import Observation

Job = Callable[[], None]
Place = Union["AbstractEventLoop", Callable[[Job], object]]


def running_loop() -> Optional[AbstractEventLoop]:
    """The event loop that runs this code, if one does."""
    # A program that has not imported asyncio has none.
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return None
    try:
        loop: AbstractEventLoop = asyncio.get_running_loop()
    except RuntimeError:
        return None
    return loop


class Executor:
    """Runs the handler of one observation, on its loop or by its jobs."""

    def __init__(self, observation: Observation, handler: Callable[..., Any], on: Any, is_coroutine: bool) -> None:
        self._observation = ref(observation)
        self._handler = handler
        self._loop = on if hasattr(on, "call_soon_threadsafe") else None
        self._execute = on.call_soon_threadsafe if self._loop is not None else on
        self._is_coroutine = is_coroutine
        if is_coroutine and self._loop is None:
            raise TypeError(f"on must be an event loop for a coroutine function like {name_of(handler)}")
        if not callable(self._execute):
            raise TypeError(f"on must be an event loop or a function that runs jobs, not {type(on).__name__}")
        # Guarded by _lock. Nothing foreign runs under it.
        self._waiting: deque[Tuple[Any, ...]] = deque()
        self._is_delivering = False
        self._lock = RLock()
        # Held while the handler runs, for those who wait until it does not.
        self._running = allocate_lock()
        self._thread = 0
        with_locks.add(self)

    def receiver(self, both: bool) -> Callable[..., Any]:
        """What observes in place of the handler."""

        def receive_with_author(message: Any, author: Any) -> None:
            self._put((message, author))

        def receive(message: Any) -> None:
            self._put((message,))

        call = receive_with_author if both else receive
        call.__qualname__ = name_of(self._handler)
        return call

    def wait(self) -> None:
        """Returns when the handler is not running on any other thread."""
        if self._thread != get_ident():
            with self._running:
                pass

    def _after_fork(self) -> None:
        free(self._lock)
        if self._thread != get_ident():
            self._running, self._thread = allocate_lock(), 0
            # The job that was to deliver these is gone.
            self._is_delivering = False
            self._waiting.clear()

    def _put(self, arguments: Tuple[Any, ...]) -> None:
        self._waiting.append(arguments)
        try:
            self._execute(self._job)
        except BaseException:
            observation = self._observation()
            if self._loop is None or not self._loop.is_closed() or observation is None:
                raise
            # The loop will never take these messages.
            observation.stop()

    def _job(self) -> None:
        with self._lock:
            if self._is_delivering or not self._waiting:
                return
            self._is_delivering = True
        if self._is_coroutine:
            assert self._loop is not None
            # Kept by the loop weakly only.
            self._task = self._loop.create_task(self._await_all())
            return
        failures: list[Failure] = []
        while True:
            arguments = self._next()
            if arguments is None:
                break
            with self._running:
                self._thread = get_ident()
                try:
                    observation = self._observation()
                    if observation is not None and observation.is_living:
                        self._handler(*arguments)
                except BaseException as error:
                    failures += self._unseen(error)
                finally:
                    self._thread = 0
        if failures:
            # The thread that runs the job gets them.
            raise outcome(failures)

    async def _await_all(self) -> None:
        from asyncio import CancelledError

        while True:
            arguments = self._next()
            observation = self._observation()
            if arguments is None:
                return
            if observation is None or not observation.is_living:
                continue
            try:
                coroutine = self._handler(*arguments)
                # It is None where the object of a method has just died.
                if coroutine is not None:
                    await coroutine
            except CancelledError:
                observation.stop()
                self._waiting.clear()
                self._is_delivering = False
                raise
            except Exception as error:
                self._unseen(error)

    def _next(self) -> Optional[Tuple[Any, ...]]:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._is_delivering = False
            return None

    def _unseen(self, error: BaseException) -> list[Failure]:
        """Reports a failure to the failure handler or the loop. Returns it if neither takes it."""
        observation = self._observation()
        failure = Failure("handler", name_of(self._handler), "", None, error)
        if observation is not None:
            failure = observation._failure(error)
            observable = observation._observable()
            if observable is not None and observable._failure_handler is not None:
                observable._failure_handler(failure)
                return []
        if self._loop is not None and isinstance(error, Exception):
            self._loop.call_exception_handler({"message": str(failure), "exception": error})
            return []
        return [failure]
