# SPDX-License-Identifier: MIT
"""Delivery on an event loop, or by whatever runs jobs: messages wait in a line, one is delivered at a time.

handler of the observation --> waiting --> job on the loop or thread --> the handler that was given
"""

from __future__ import annotations

import sys
from _thread import allocate_lock, get_ident
from collections import deque
from weakref import ref

from .._library.inspection import name_of, require_executor
from .._library.threads import RLock, acquire, free, with_locks
from .._library.typing import TYPE_CHECKING, Any, Callable, Optional, Tuple, Union
from .failures import Failure, handle, outcome
from .parts import AnyObservation
from .trampolines import named

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Task

else:
    from .._library.typing import later

    AbstractEventLoop = later("asyncio", "AbstractEventLoop")

Job = Callable[[], None]
Place = Union[AbstractEventLoop, Callable[[Job], object]]


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

    def __init__(self, observation: AnyObservation, handler: Callable[..., Any], on: Any, is_coroutine: bool) -> None:
        self._observation = ref(observation)
        self._handler = handler
        self._loop = on if hasattr(on, "call_soon_threadsafe") else None
        self._execute = on.call_soon_threadsafe if self._loop is not None else on
        self._is_coroutine = is_coroutine
        if is_coroutine and self._loop is None:
            raise TypeError(f"on must be an event loop for a coroutine function like {name_of(handler)}")
        require_executor(self._execute, on)
        # Guarded by _lock. Nothing foreign runs under it.
        self._waiting: deque[Tuple[Any, ...]] = deque()
        self._is_delivering = False
        # How many messages jobs were accepted for.
        self.accepted = 0
        self._task: Any = None
        self._lock = RLock()
        # Held while the handler runs, for those who wait until it does not.
        self._running = allocate_lock()
        self._thread = 0
        with_locks.add(self)

    def receiver(self, both: bool) -> Callable[..., Any]:
        """Observes in place of the handler."""

        def receive_with_author(message: Any, author: Any) -> None:
            self._put((message, author))

        def receive(message: Any) -> None:
            self._put((message,))

        return named(receive_with_author if both else receive, self._handler)

    def wait(self, timeout: Optional[float]) -> bool:
        """Returns when the handler is not running on any other thread. False if that takes longer.

        On its own thread, and on that of a loop on which it is suspended, waiting would keep it from ever returning.
        """
        if self._thread == get_ident():
            return True
        running = self._running
        # What is suspended on a loop that is closed never goes on.
        is_taken = acquire(running, timeout, None if self._loop is None else self._loop.is_closed)
        if is_taken:
            running.release()
        return is_taken is not False

    def _after_fork(self) -> None:
        free(self._lock)
        if self._thread != get_ident():
            self._running, self._thread = allocate_lock(), 0
            # The job that was to deliver these is gone.
            self._is_delivering = False
            self._waiting.clear()

    def _put(self, arguments: Tuple[Any, ...]) -> None:
        self._waiting.append(arguments)
        # The thread, until `_execute` returns; and whether the job has run there by then.
        place: list[Any] = [get_ident(), False]

        def job() -> None:
            place[1] |= get_ident() == place[0]
            self._job(get_ident() == place[0])

        try:
            self._execute(job)
            self.accepted += 1
        except BaseException as error:
            observation, is_taken_back = self._observation(), self._take_back(arguments)
            if not isinstance(error, Exception):
                raise
            if self._loop is not None and self._loop.is_closed() and observation is not None:
                # The loop will never take these messages.
                observation.stop()
            elif is_taken_back or place[1]:
                raise
            # Else an earlier job has taken the message.
            self.accepted += 1
        finally:
            place[0] = 0

    def _take_back(self, arguments: Tuple[Any, ...]) -> bool:
        """Removes what waits, so that what its sender is told is true. False if it waits no more."""
        with self._lock:
            place = next(
                (index for index in range(len(self._waiting) - 1, -1, -1) if self._waiting[index] is arguments), None
            )
            if place is not None:
                del self._waiting[place]
            return place is not None

    def _job(self, is_in_send: bool = False) -> None:
        with self._lock:
            if self._is_delivering or not self._waiting:
                return
            self._is_delivering = True
        if self._is_coroutine:
            # The loop keeps it weakly only.
            self._task = self._new_task()
            return
        failures: list[Failure] = []
        try:
            self._call_all(failures)
        except BaseException:
            # An interrupt between two calls. What waits is delivered all the same.
            self._go_on()
            raise
        if is_in_send and len(failures) == 1:
            # The send raises it, under the name of the same handler.
            raise failures.pop().exception
        if failures:
            # The thread that runs the job gets them.
            raise outcome(failures)

    def _call_all(self, failures: list[Failure]) -> None:
        # On its own: CPython 3.12 to 3.14 find no handler around an interrupt at the end of a loop beside it.
        while (arguments := self._next()) is not None:
            failures += self._call(arguments)

    def _call(self, arguments: Tuple[Any, ...]) -> list[Failure]:
        with self._running:
            self._thread = get_ident()
            try:
                if self._observation_that_hears() is not None:
                    self._handler(*arguments)
            except BaseException as error:
                return self._unseen(error)
            finally:
                self._thread = 0
        return []

    def _observation_that_hears(self) -> Optional[AnyObservation]:
        """None where the next message is lost: the observation has ended, or is blocked."""
        observation = self._observation()
        if observation is None or not observation.is_living:
            return None
        if not observation.is_blocked:
            return observation
        observable = observation._observable()
        if observable is not None:
            observable._lose_message()
        return None

    def _new_task(self) -> Task[None]:
        from asyncio import Task

        class Awaiting(Task):  # type: ignore[type-arg]
            """Knows whether it was cancelled itself, and not only what it awaits; from Python 3.11 on all tasks do."""

            was_cancelled = False

            def cancel(self, *arguments: Any, **options: Any) -> bool:
                self.was_cancelled = True
                return super().cancel(*arguments, **options)

        assert self._loop is not None
        return Awaiting(self._await_all(), loop=self._loop)

    async def _await_all(self) -> None:
        while (arguments := self._next()) is not None:
            observation = self._observation_that_hears()
            if observation is None:
                continue
            # Only those who wait take it, too, and give it back at once.
            running = self._running
            running.acquire()
            self._thread = get_ident()
            try:
                coroutine = self._handler(*arguments)
                # It is None where the object of a method has just died.
                if coroutine is not None:
                    await coroutine
            except (KeyboardInterrupt, SystemExit):
                self._go_on()
                raise
            except BaseException as error:
                if self._task.was_cancelled:
                    observation.stop()
                    self._waiting.clear()
                    self._is_delivering = False
                    raise
                self._unseen(error)
            finally:
                self._thread = 0
                running.release()

    def _next(self) -> Optional[Tuple[Any, ...]]:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._is_delivering = False
            return None

    def _go_on(self) -> None:
        """Has another job deliver what still waits."""
        self._is_delivering = False
        if self._waiting:
            self._execute(self._job)

    def _unseen(self, error: BaseException) -> list[Failure]:
        """Reports a failure to the failure handler or the loop. Returns it if neither takes it."""
        observation = self._observation()
        failure: Optional[Failure] = Failure("handler", name_of(self._handler), "", None, error)
        if observation is not None:
            failure = handle(observation._observable(), observation._failure(error))
            if failure is None:
                return []
        assert failure is not None
        error = failure.exception
        if self._loop is not None and (self._is_coroutine or isinstance(error, Exception)):
            self._loop.call_exception_handler({"message": str(failure), "exception": error})
            return []
        return [failure]
