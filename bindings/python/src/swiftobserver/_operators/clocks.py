# SPDX-License-Identifier: MIT
"""A clock that stands in for an event loop, and does not load asyncio."""

from __future__ import annotations

from functools import partial
from heapq import heappop, heappush
from sys import float_info

from .._core.lines import Line
from .._library.typing import Any, Callable, Dict, List, Optional, Tuple


class ManualClock:
    """A clock that is turned by hand, for tests: given as `loop=` to what waits for time. It stands at 0.

    >>> from swiftobserver import ManualClock, Messenger
    >>> keys: Messenger[str] = Messenger()
    >>> clock = ManualClock()
    >>> settled = keys.debounce(0.3, loop=clock)
    >>> with settled.observe(print):
    ...     keys.send("a")
    ...     keys.send("ab")
    ...     clock.advance(0.3)
    ab

    What passes at once is passed on by the sender, and what has waited by `advance`, which raises what fails then. Any
    thread may send, and turn it.
    """

    def __init__(self) -> None:
        self._loop = TurnedLoop()

    def __repr__(self) -> str:
        return f"<ManualClock at {self.time():g}, {self.waiting} waiting>"

    def time(self) -> float:
        """The present time in seconds. While what is due is sent, that is when it was due."""
        return self._loop.time()

    @property
    def waiting(self) -> int:
        """How many transforms wait."""
        return self._loop.waiting()

    def advance(self, seconds: float) -> None:
        """Turns the clock on, and sends what is due by then, each at its time; what is due at the same time in the
        order in which it began to wait.

        From inside a handler that this calls, or while another thread turns the clock, it says how much further that is
        to be turned, and returns.
        """
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            raise TypeError(f"seconds must be a number, not {type(seconds).__name__}")
        if not 0 <= seconds <= float_info.max:
            raise ValueError(f"seconds must be 0 or more, and finite: {seconds!r:.99}")
        self._loop.call_soon_threadsafe(partial(self._loop.go_on, float(seconds)))


class TurnedLoop:
    """Has the functions of an event loop that what waits for time needs. Does one thing at a time."""

    def __init__(self) -> None:
        self._now = self._until = 0.0
        self._is_going_on = False
        self._line = Line("ManualClock")
        # By their times, and of one time in their order.
        self._timers: List[Tuple[float, int, _Timer]] = []
        self._made = 0

    def waiting(self) -> int:
        """How many timers there are."""
        return sum(1 for _, _, timer in list(self._timers) if not timer.is_cancelled)

    def go_on(self, seconds: float) -> None:
        """Calls what is due within so many more seconds."""
        self._until += seconds
        if not self._is_going_on:
            self._is_going_on = True
            self._step()

    def _step(self) -> None:
        """Calls the next timer that is due, and goes on when all is done that follows from that."""
        # Three times 0.1 is a little more than 0.3.
        while self._timers and self._timers[0][0] <= self._until + 1e-9:
            when, _, timer = heappop(self._timers)
            if timer.is_cancelled:
                continue
            self._now = max(self._now, when)
            try:
                timer.call()
            finally:
                self.call_soon_threadsafe(self._step)
            return
        self._now = max(self._now, self._until)
        self._is_going_on = False

    def time(self) -> float:
        """As an event loop has it; and so the rest."""
        return self._now

    def is_closed(self) -> bool:
        """Never."""
        return False

    def is_running_here(self) -> bool:
        """Whether this thread is doing something on the loop."""
        return self._line.is_taken_here()

    def call_soon_threadsafe(self, call: Callable[[], None]) -> None:
        """Now, or when what is being done is done."""
        self._line.put(call, _do)

    def place(self) -> int:
        """A place among what is due at the same time: behind all that has one."""
        self._made += 1
        return self._made

    def call_at(self, when: float, call: Callable[[], None], place: Optional[int] = None) -> _Timer:
        """Called on this loop alone. With the place of what has begun to wait before."""
        timer = _Timer(call)
        heappush(self._timers, (when, self.place() if place is None else place, timer))
        return timer

    def call_exception_handler(self, context: Dict[str, Any]) -> None:
        """Whoever turns the clock hears of it."""
        raise context["exception"]


class _Timer:
    __slots__ = ("call", "is_cancelled")

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call
        self.is_cancelled = False

    def cancel(self) -> None:
        """It is not called."""
        self.is_cancelled = True


def _do(call: Callable[[], None]) -> None:
    call()
