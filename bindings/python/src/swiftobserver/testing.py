# SPDX-License-Identifier: MIT
"""For tests: what an observable sends, or does not send, while a block runs.

    with assert_sent(names, "a", "b"):        async with assert_sent(names, "a", timeout=1):
        names.send("a")                           start_what_sends_later()
        names.send("b")

They are functions for any test framework. In pytest they are fixtures, too, without an import.
"""

from __future__ import annotations

import warnings
from threading import TIMEOUT_MAX, Condition
from typing import TYPE_CHECKING, Any, Generic, Optional, Tuple, TypeVar

from ._core.observation import Observation
from ._library.threads import require_timeout
from ._operators.methods import Observable

if TYPE_CHECKING:
    from asyncio import Event
    from types import TracebackType
else:
    from ._library.typing import later

    Event = later("asyncio", "Event")
    TracebackType = later("types", "TracebackType")

__all__ = ["Expectation", "assert_not_sent", "assert_sent"]

Message = TypeVar("Message")


def assert_sent(
    observable: Observable[Message], *messages: Any, timeout: Optional[float] = None
) -> Expectation[Message]:
    """Within, the observable sends exactly these messages, in this order; without any, it sends at least something.

    Messages are compared by `==`, so matchers like `pytest.approx` may stand for them. With a `timeout`, the end of
    the block waits that many seconds at most for what other threads, or other tasks of an `async with`, still send.
    `AssertionError` if something else was sent. What the block raises itself comes first.

    >>> from swiftobserver import Var
    >>> volume = Var(1)
    >>> with assert_sent(volume.new(), 2, 3):
    ...     volume.value = 2
    ...     volume.value = 3
    """
    return Expectation(observable, messages, True, timeout)


def assert_not_sent(observable: Observable[Message], *, timeout: Optional[float] = None) -> Expectation[Message]:
    """Within, the observable sends nothing; nor does it for `timeout` seconds after the block, if that is given.

    `AssertionError` if something was sent.

    >>> from swiftobserver import Var
    >>> volume = Var(1)
    >>> with assert_not_sent(volume):
    ...     volume.value = 1
    """
    return Expectation(observable, (), False, timeout)


class Expectation(Generic[Message]):
    """Messages that are to be sent within a `with` or `async with` block. Keeps the observable alive."""

    _was_entered = True

    def __init__(
        self, observable: Observable[Message], expected: Tuple[Any, ...], something: bool, timeout: Optional[float]
    ) -> None:
        if not isinstance(observable, Observable):
            raise TypeError(f"observable must be an Observable, not {type(observable).__name__}")
        require_timeout(timeout)
        self._observable = observable
        self._expected = expected
        self._something = something
        self._timeout = min(timeout or 0, TIMEOUT_MAX)
        self._observation: Optional[Observation] = None
        self._was_entered = False
        # Guards what came, and tells that enough has.
        self._condition = Condition()
        self._sent: list[Message] = []
        self._enough: Optional[Event] = None

    @property
    def messages(self) -> Tuple[Message, ...]:
        """The messages of the observable since the block began."""
        with self._condition:
            return tuple(self._sent)

    def __enter__(self) -> Expectation[Message]:
        self._was_entered = True
        self._sent.clear()
        self._observation = self._observable.observe(self._receive, weak=False)
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        exception: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        __tracebackhide__ = True
        try:
            if kind is None:
                with self._condition:
                    self._condition.wait_for(self._has_enough, self._timeout)
        except BaseException:
            kind = BaseException
            raise
        finally:
            self._conclude(kind is None)

    async def __aenter__(self) -> Expectation[Message]:
        from asyncio import Event, get_running_loop

        self._enough, self._loop = Event(), get_running_loop()
        return self.__enter__()

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        exception: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        __tracebackhide__ = True
        from asyncio import TimeoutError, wait_for

        assert self._enough is not None
        try:
            if kind is None and self._timeout and not self._has_enough():
                await wait_for(self._enough.wait(), self._timeout)
        except TimeoutError:
            pass
        except BaseException:
            kind = BaseException
            raise
        finally:
            self._conclude(kind is None)

    def __del__(self) -> None:
        if not self._was_entered:
            warnings.warn("assert_sent and assert_not_sent check nothing outside a with statement", stacklevel=2)

    def _receive(self, message: Message) -> None:
        with self._condition:
            self._sent.append(message)
            has_enough = self._has_enough()
            self._condition.notify_all()
        if has_enough and self._enough is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._enough.set)

    def _has_enough(self) -> bool:
        return len(self._sent) >= max(1, len(self._expected))

    def _conclude(self, has_to_hold: bool) -> None:
        __tracebackhide__ = True
        assert self._observation is not None
        # Another thread may be about to tell of a message.
        self._observation.stop(wait=True)
        problem = self._problem() if has_to_hold else ""
        if problem:
            raise AssertionError(f"{self._observable._title()} {problem}")

    def _problem(self) -> str:
        """The fault of what was sent; empty if nothing is."""
        sent, expected = self._sent, self._expected
        if not self._something:
            return f"sent what it should not{_lines('sent', sent)}" if sent else ""
        waited = f" within the block and {self._timeout:g} seconds after it" if self._timeout else ""
        if not expected:
            return "" if sent else f"sent nothing{waited}"
        if len(sent) == len(expected) and all(map(_is_as_expected, expected, sent)):
            return ""
        return f"sent {_difference(expected, sent)}{waited}{_lines('expected', expected)}{_lines('sent', sent)}"


def _is_as_expected(expected: Any, sent: Any) -> bool:
    if expected is sent:
        return True
    answer = expected == sent
    # Of an array, one for each element.
    every = getattr(answer, "all", None)
    return bool(every() if callable(every) else answer)


def _difference(expected: Any, sent: Any) -> str:
    for number, (one, other) in enumerate(zip(expected, sent), 1):
        if not _is_as_expected(one, other):
            return f"another message {number} than expected, {other!r} instead of {one!r},"
    missing = len(expected) - len(sent)
    return f"{missing} messages too few" if missing > 0 else f"{-missing} messages too many"


def _lines(title: str, messages: Any) -> str:
    return f"\n  {title}: " + (", ".join(map(repr, messages)) or "nothing")
