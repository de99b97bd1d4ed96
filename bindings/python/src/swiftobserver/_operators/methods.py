# SPDX-License-Identifier: MIT
"""Observables, with the operators as their methods. What each makes keeps the observable alive.

To add one: its method here, and its upstream in pure.py or, if it needs authors or several sources, in sinks.py.
"""

from __future__ import annotations

from .._core.observable import Sending
from .._library.typing import (
    MISSING,
    TYPE_CHECKING,
    Any,
    Callable,
    Literal,
    Optional,
    Tuple,
    TypeVar,
    Union,
    overload,
)
from .._values.encoding import Update
from .._values.replay import replay_count
from . import pure as transforms
from .sinks import Selecting, WeakSink, caching, merging, remembering, with_previous

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

else:
    from .._library.typing import later

    AbstractEventLoop = later("asyncio", "AbstractEventLoop")

Message_co = TypeVar("Message_co", covariant=True)
Result = TypeVar("Result")
Content = TypeVar("Content")
Other = TypeVar("Other")


class Observable(Sending[Message_co]):
    """Sends messages, one at a time and in order, to handlers in the order in which they began.

    Messages, observing and stopping may come from any thread and from inside handlers. When the last
    reference to an observable is gone, its observations stop: they do not keep it alive.
    """

    def _made_by(self, make: Callable[..., Any], *arguments: Any) -> Observable[Any]:
        """An observable whose upstream a function makes from this one, and from its arguments."""
        upstream = make(self, *arguments)
        return Observable(upstream.address, upstream.contexts, self._store.made, None, upstream)

    def _called(self) -> str:
        return (self._upstream.kind if type(self) is Observable else None) or super()._called()

    def map(self, mapper: Callable[[Message_co], Result]) -> Observable[Result]:
        """An observable that sends what `mapper` makes of each message. It keeps this one alive.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> tens = numbers.map(lambda number: number * 10)
        >>> with tens.observe(print):
        ...     numbers.send(7)
        70
        """
        return self._made_by(transforms.mapped, mapper)

    def filter(self, predicate: Callable[[Message_co], object]) -> Observable[Message_co]:
        """An observable that passes on the messages that `predicate` accepts. It keeps this one alive.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> even = numbers.filter(lambda number: number % 2 == 0)
        >>> with even.observe(print):
        ...     numbers.send(1)
        ...     numbers.send(2)
        2
        """
        return self._made_by(transforms.filtered, predicate)

    @overload
    def new(self: Observable[Update[Content]]) -> Observable[Content]: ...
    @overload
    def new(self) -> Observable[Message_co]: ...
    def new(self) -> Observable[Any]:
        """An observable that passes on only the new value of each update. It keeps this one alive.

        >>> from swiftobserver import Var
        >>> volume = Var(3)
        >>> volumes = volume.new()
        >>> with volumes.observe(print):
        ...     volume.value = 4
        4
        """
        return self._made_by(transforms.only_new)

    @overload
    def unwrap(self: Observable[Optional[Content]]) -> Observable[Content]: ...
    @overload
    def unwrap(self: Observable[Optional[Content]], default: Content) -> Observable[Content]: ...
    def unwrap(self, default: Any = MISSING) -> Observable[Any]:
        """An observable that passes on what is not None, and `default`, if there is one, in place of None.

        >>> from swiftobserver import Messenger
        >>> names = Messenger()
        >>> some, all = names.unwrap(), names.unwrap("nobody")
        >>> with some.observe(print), all.observe(print):
        ...     names.send(None)
        nobody
        """
        if default is MISSING:
            return self._made_by(transforms.filtered, transforms.is_not_none, "unwrap")
        return self._made_by(transforms.mapped, transforms.replacing_none(default), "unwrap")

    def select(self, message: object) -> Observable[Message_co]:
        """An observable that passes on the messages that are the same value as `message`; see `Var`."""
        return self._made_by(transforms.filtered, transforms.equals(message), "select")

    def take(self, count: int) -> Observable[Message_co]:
        """An observable that passes on the first `count` messages.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> first = numbers.take(1)
        >>> with first.observe(print):
        ...     numbers.send(1)
        ...     numbers.send(2)
        1
        """
        return self._made_by(transforms.filtered, transforms.is_among_the_first(count), "take")

    def skip(self, count: int) -> Observable[Message_co]:
        """An observable that passes on all but the first `count` messages."""
        return self._made_by(transforms.filtered, transforms.is_beyond_the_first(count), "skip")

    def skip_repeats(self) -> Observable[Message_co]:
        """An observable that passes a message on unless it is the same value as the one before it; see `Var`.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> changes = numbers.skip_repeats()
        >>> with changes.observe(print):
        ...     for number in (1, 1, 2, 1):
        ...         numbers.send(number)
        1
        2
        1
        """
        return self._made_by(transforms.filtered, transforms.is_no_repeat(), "skip_repeats")

    def unique_values(self) -> Observable[Message_co]:
        """An observable that passes each message on once: it remembers all there were, which must be hashable."""
        return self._made_by(transforms.filtered, transforms.is_unique(), "unique_values")

    def with_previous(self) -> Observable[Tuple[Optional[Message_co], Message_co]]:
        """An observable that sends each message together with the one before it, which is None at first.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> pairs = numbers.with_previous()
        >>> with pairs.observe(print):
        ...     numbers.send(1)
        ...     numbers.send(2)
        (None, 1)
        (1, 2)
        """
        return self._made_by(with_previous)

    def from_(self, author: Any) -> Observable[Message_co]:
        """An observable that passes on what `author` has caused: that very object, or an equal text or number.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> mine = numbers.from_("me")
        >>> with mine.observe(print):
        ...     numbers.send(1, author="you")
        ...     numbers.send(2, author="me")
        2
        """
        return self._made_by(Selecting, author, "from")

    def not_from(self, author: Any) -> Observable[Message_co]:
        """An observable that passes on what all but `author` have caused."""
        return self._made_by(Selecting, author, "not from")

    def merge(self, *others: Observable[Other]) -> Observable[Union[Message_co, Other]]:
        """An observable that sends what this one and the others send.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> texts: Messenger[str] = Messenger()
        >>> both = numbers.merge(texts)
        >>> with both.observe(print):
        ...     numbers.send(1)
        ...     texts.send("two")
        1
        two
        """
        for each in others:
            if not isinstance(each, Observable):
                raise TypeError(f"others must be observables, not {type(each).__name__}")
        return self._made_by(merging, *others)

    def weak(self) -> Observable[Message_co]:
        """An observable that passes messages on without keeping this one alive: when this dies, it falls silent.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> same = numbers.weak()
        >>> with same.observe(print):
        ...     numbers.send(7)
        7
        """
        return self._made_by(WeakSink)

    def replaying(self, count: Union[int, Literal["all"]]) -> Observable[Message_co]:
        """An observable that passes messages on, and remembers the last ones for `observe(..., replay=...)`.

        It remembers those of the last `count` messages that were sent since it was made; "all" has no bound.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> recent = numbers.replaying(2)
        >>> for number in (1, 2, 3):
        ...     numbers.send(number)
        >>> with recent.observe(print, replay="all"):
        ...     numbers.send(4)
        2
        3
        4
        """
        return self._made_by(remembering, replay_count(count, "count"))

    @overload
    def cache(self) -> Observable[Optional[Message_co]]: ...
    @overload
    def cache(self, initial: Other) -> Observable[Union[Message_co, Other]]: ...
    def cache(self, initial: Any = None) -> Observable[Any]:
        """An observable that passes messages on and remembers the latest one. Until there is one, that is `initial`.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> latest = numbers.cache(0)
        >>> numbers.send(5)
        >>> latest.latest_message
        5
        """
        return self._made_by(caching, initial)

    def throttle(self, seconds: float, *, loop: Optional[AbstractEventLoop] = None) -> Observable[Message_co]:
        """An observable that passes on at most one message in so many seconds: the first at once, then the latest.

            sent              1 2 3 . . 4 . . .
            throttled to 3    1     3     4

        The times are those of an event loop, the running one unless another is given. What has to wait, or comes from
        another thread, is passed on there; what fails then is told to the `failure_handler`, or else to the loop. Once
        the loop is closed, what waited is lost, and every send fails with a `RuntimeError` that says so.
        """
        # Lazy, because it loads asyncio.
        from .timed import Throttle

        return self._made_by(Throttle, seconds, loop)

    def debounce(self, seconds: float, *, loop: Optional[AbstractEventLoop] = None) -> Observable[Message_co]:
        """An observable that passes on the latest message when none has come for so many seconds.

            sent              1 2 3 . . . 4 . . .
            debounced by 2            3       4

        The rest is as with `throttle`.
        """
        # Lazy, because it loads asyncio.
        from .timed import Debounce

        return self._made_by(Debounce, seconds, loop)
