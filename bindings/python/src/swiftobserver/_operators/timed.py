# SPDX-License-Identifier: MIT
"""All that needs asyncio, which loads slowly: messages to iterate over or to await, and transforms by the clock.

    source --> timed sink --> taken, in order, on the loop --message waits--> timer of the loop --> its own handlers

The loop takes what all threads send in the order in which they send it. Its thread alone touches what a timed sink
knows, so it needs no lock. A clock that a test turns by hand stands in for the loop: it does one thing at a time.
"""

from __future__ import annotations

import time
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import deque
from functools import partial
from sys import float_info, maxsize
from threading import get_ident
from typing import Any, AsyncIterator, Callable, Generic, List, Optional, Tuple, TypeVar, Union
from weakref import WeakMethod, ref

from .._core.authors import ITSELF
from .._core.demand import on_demand
from .._core.executors import running_loop
from .._core.failures import deliver
from .._core.parts import AnyObservable
from .._library.declarations import OK
from .clocks import ManualClock, TurnedLoop
from .sinks import Sink

# On which something waits.
Clock = Union[AbstractEventLoop, ManualClock]

Message = TypeVar("Message")


class Messages(AsyncIterator[Message], Generic[Message]):
    """Messages in their order, from the moment in which this was made until `stop()`.

    It observes for as long as it lives, and keeps the observable; or, if `weak`, ends with it. Messages may come from
    any thread.
    """

    def __init__(self, observable: AnyObservable, most: Optional[int] = None, weak: bool = False) -> None:
        if most is not None and (type(most) is not int or not 0 < most <= maxsize):
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

        self._observable = ref(observable, end) if weak else observable
        self._observation = observable.observe(self._receive, weak=True)

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
            raise RuntimeError("another task is waiting for the next message")
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
        try:
            if get_ident() == self._thread:
                self._wake()
            else:
                self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:
            # The loop is closed: its tasks wait for ever.
            self._observation.stop()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


async def next_message(observable: AnyObservable) -> Any:
    """The first message from now on."""
    messages: Messages[Any] = Messages(observable)
    try:
        return await messages.__anext__()
    finally:
        messages.stop()


class Timed(Sink):
    """Passes messages on later, while it is observed."""

    def __init__(self, source: Optional[AnyObservable], seconds: float, loop: Optional[Clock]) -> None:
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            raise TypeError(f"seconds must be a number, not {type(seconds).__name__}")
        # Not a number, too, is not within, nor an int that is too large for a float.
        if not 0 < seconds <= float_info.max:
            raise ValueError(f"seconds must be positive and finite: {seconds!r:.99}")
        if loop is None:
            loop = running_loop()
            if loop is None:
                raise RuntimeError("no event loop is running: give one as loop=")
        elif not isinstance(loop, (AbstractEventLoop, ManualClock)):
            raise TypeError(f"loop must be an event loop, a ManualClock or None, not {type(loop).__name__}")
        super().__init__(*(() if source is None else (source,)))
        self._loop: Any = loop._loop if isinstance(loop, ManualClock) else loop
        self._seconds = seconds
        # What is sent, with its author, whether the loop was sending, and in which of the times in which this is
        # observed, until the loop takes it.
        self._sent: deque[Tuple[Any, Any, bool, int]] = deque()
        self._timer: Any = None
        # How often this has begun or ceased to be observed: an odd number while it is. And what the loop knows of it.
        self._turns = self._turn = 0

    def begin(self, observable: AnyObservable) -> None:
        super().begin(observable)
        on_demand(observable, self)

    def demand(self) -> None:
        """Called when an observation begins, and there was none."""
        self._turns += 1
        self._on_loop(self._catch_up)

    def end_demand(self) -> None:
        """Called when the last observation has ended: what waits is lost."""
        self._turns += 1
        self._on_loop(self._catch_up)

    def _is_on_loop(self) -> bool:
        """Whether this thread is running the loop."""
        loop = self._loop
        return loop.is_running_here() if type(loop) is TurnedLoop else running_loop() is loop

    def _on_loop(self, method: Callable[[], None]) -> None:
        if self._is_on_loop():
            method()
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_weakly(method))

    def _receive(self, message: Any, author: Any) -> None:
        if self._turns % 2 == 0:
            return
        if self._loop.is_closed():
            observable = self._observable()
            title = self.kind if observable is None else observable._title()
            raise RuntimeError(f"{title} passes nothing on any more: its event loop is closed")
        is_here = self._is_on_loop()
        self._sent.append((message, author, is_here, self._turns))
        if is_here:
            self._take_all(True)
        else:
            self._loop.call_soon_threadsafe(_weakly(self._take_all))

    def _take_all(self, is_in_send: bool = False) -> None:
        self._catch_up()
        while self._sent:
            message, author, is_here, turn = self._sent.popleft()
            if turn != self._turn:
                continue
            if is_here and is_in_send:
                self._take(message, author)
            else:
                # Its own send may be over.
                self._pass_on_alone(partial(self._take, message, author))

    def _catch_up(self) -> None:
        """Begins to wait, or lets go of what waits, on the loop."""
        if self._turn == self._turns:
            return
        self._turn = self._turns
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._forget()
        if self._turn % 2 == 1:
            self._start()

    def _start(self) -> None:
        """Called when this is observed, on the loop."""

    def _forget(self) -> None:
        """Lets go of what waits."""

    def _take(self, message: Any, author: Any) -> None:
        """Receives a message, on the loop."""
        raise NotImplementedError

    def _next_place(self) -> Optional[int]:
        """The place, among what is due at the same time, of what begins to wait; None where the loop has no such."""
        return self._loop.place() if type(self._loop) is TurnedLoop else None

    def _start_timer(self) -> None:
        self._start_timer_until(self._loop.time() + self._seconds)

    def _start_timer_until(self, time: float, place: Optional[int] = None) -> None:
        turn, this = self._turn, ref(self)

        def call() -> None:
            # A timer keeps no transform alive.
            living = this()
            if living is not None and turn == living._turns:
                living._timer = None
                living._time_is_up()

        self._timer = self._loop.call_at(time, call) if place is None else self._loop.call_at(time, call, place)

    def _time_is_up(self) -> None:
        """Called by the timer."""
        raise NotImplementedError

    def _pass_on_alone(self, send: Callable[[], None]) -> None:
        """Sends when there is no sender any more to whom it could be told what has failed."""
        observable = self._observable()
        if observable is None:
            return

        def call(address: int, value: int, author: Optional[int]) -> int:
            send()
            return OK

        try:
            deliver(call, observable, 0, ITSELF)
        except Exception as error:
            self._loop.call_exception_handler(
                {"message": f"{observable._title()} could not deliver", "exception": error}
            )


class Keeping(Timed):
    """Has one message wait."""

    def __init__(self, source: AnyObservable, seconds: float, loop: Optional[Clock]) -> None:
        super().__init__(source, seconds, loop)
        # The latest message with its author, while it waits.
        self._waiting: Optional[Tuple[Any, Any]] = None

    def _forget(self) -> None:
        self._waiting = None


class Throttle(Keeping):
    """Passes on at most one message in so many seconds."""

    kind = "throttle"

    def __init__(self, source: AnyObservable, seconds: float, loop: Optional[Clock], first: bool, latest: bool) -> None:
        if not first and not latest:
            raise ValueError("a throttle must pass on the first message, or the latest one, or both")
        super().__init__(source, seconds, loop)
        self._first, self._latest = first, latest
        # When the interval ends that a message has begun which was passed on: nothing waits for that. And its place.
        self._until = 0.0
        self._place: Optional[int] = None

    def _take(self, message: Any, author: Any) -> None:
        if self._first and self._timer is None and _now(self._loop) >= self._until:
            self._begin_interval()
            self._pass_on(message, author)
        elif self._latest:
            self._waiting = message, author
            if self._timer is None and self._first:
                self._start_timer_until(self._until, self._place)
            elif self._timer is None:
                self._start_timer()

    def _begin_interval(self) -> None:
        self._until, self._place = self._loop.time() + self._seconds, self._next_place()

    def _forget(self) -> None:
        super()._forget()
        self._until = 0.0

    def _time_is_up(self) -> None:
        message, self._waiting = self._waiting, None
        if message is not None:
            # First, for handlers may send.
            self._begin_interval()
            self._pass_on_alone(lambda: self._pass_on(*message))


class Debounce(Keeping):
    """Passes on the latest message when none has come for so many seconds."""

    kind = "debounce"

    def _take(self, message: Any, author: Any) -> None:
        self._waiting = message, author
        if self._timer is not None:
            self._timer.cancel()
        self._start_timer()

    def _time_is_up(self) -> None:
        message, self._waiting = self._waiting, None
        if message is not None:
            self._pass_on_alone(lambda: self._pass_on(*message))


class Delay(Timed):
    """Passes each message on later."""

    kind = "delay"

    def __init__(self, source: AnyObservable, seconds: float, loop: Optional[Clock]) -> None:
        super().__init__(source, seconds, loop)
        # When the time of each is up, the message with its author, and its place among all that is due then, where the
        # loop has places.
        self._delayed: deque[Tuple[float, Any, Any, Optional[int]]] = deque()

    def _forget(self) -> None:
        self._delayed = deque()

    def _take(self, message: Any, author: Any) -> None:
        time, place = self._loop.time() + self._seconds, self._next_place()
        self._delayed.append((time, message, author, place))
        # While others are passed on, there is no timer, and those that wait come first.
        if self._timer is None and len(self._delayed) == 1:
            self._start_timer_until(time, place)

    def _time_is_up(self) -> None:
        now, delayed = _now(self._loop), self._delayed
        while delayed and delayed[0][0] <= now:
            _, message, author, place = delayed.popleft()
            self._pass_on_alone(partial(self._pass_on, message, author))
            if place is not None:
                # Something else may have begun to wait before the next one.
                break
        # A handler may have ended all observations, and begun others.
        if self._delayed and self._timer is None:
            time, _, _, place = self._delayed[0]
            self._start_timer_until(time, place)


class Timeout(Timed):
    """Passes messages on, and sends another one when none has come for a while."""

    kind = "timeout"

    def __init__(self, source: AnyObservable, seconds: float, message: Any, loop: Optional[Clock]) -> None:
        super().__init__(source, seconds, loop)
        self._message = message

    def _start(self) -> None:
        self._start_timer()

    def _take(self, message: Any, author: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._start_timer()
        self._pass_on(message, author)

    def _time_is_up(self) -> None:
        observable = self._observable()
        if observable is not None:
            self._pass_on_alone(partial(self._pass_on, self._message, observable))


class Buffer(Timed):
    """Sends lists of messages: of so many, or of those that came in so many seconds from the first on."""

    kind = "buffer"

    def __init__(self, source: AnyObservable, count: Optional[int], seconds: float, loop: Optional[Clock]) -> None:
        super().__init__(source, seconds, loop)
        self._count = count
        self._gathered: List[Any] = []
        self._author: Any = None

    def _forget(self) -> None:
        self._gathered, self._author = [], None

    def _take(self, message: Any, author: Any) -> None:
        self._gathered.append(message)
        self._author = author
        if len(self._gathered) == self._count:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._send_all(self._pass_on)
        elif self._timer is None:
            self._start_timer()

    def _time_is_up(self) -> None:
        self._send_all(lambda messages, author: self._pass_on_alone(partial(self._pass_on, messages, author)))

    def _send_all(self, send: Callable[[Any, Any], None]) -> None:
        messages, author = self._gathered, self._author
        self._forget()
        if messages:
            send(messages, author)


class Ticks(Timed):
    """Sends how many intervals have passed since it has been observed."""

    kind = "ticks"
    # There is no source that it could be kept by.
    is_kept = False

    def __init__(self, seconds: float, loop: Optional[Clock]) -> None:
        super().__init__(None, seconds, loop)
        self._begun = 0.0
        self._count = 0

    def demand(self) -> None:
        # Now, and not when the loop has time.
        self._begun = self._loop.time()
        super().demand()

    def _start(self) -> None:
        self._count = 0
        self._start_timer_until(self._begun + self._seconds)

    def _time_is_up(self) -> None:
        # What was missed is one.
        self._count = max(self._count + 1, int((_now(self._loop) - self._begun) / self._seconds))
        self._start_timer_until(self._begun + (self._count + 1) * self._seconds)
        observable = self._observable()
        if observable is not None:
            self._pass_on_alone(partial(self._pass_on, self._count, observable))


def _now(loop: Any) -> float:
    # A timer may be called a step of the clock early.
    return float(loop.time() + time.get_clock_info("monotonic").resolution)


def _weakly(method: Callable[..., None]) -> Callable[..., None]:
    # What a loop is to do keeps no transform alive.
    reference = WeakMethod(method)

    def call(*arguments: Any) -> None:
        living = reference()
        if living is not None:
            living(*arguments)

    return call
