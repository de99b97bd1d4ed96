# SPDX-License-Identifier: MIT
"""Observables, with the operators as their methods. What each makes keeps the observable alive.

To add one: its method here, and its upstream in pure.py or, if it needs authors or several sources, in sinks.py.
"""

from __future__ import annotations

from .._core.observable import Sending
from .._library.inspection import require_one_argument
from .._library.typing import (
    MISSING,
    TYPE_CHECKING,
    Any,
    Callable,
    List,
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
from .sinks import Selecting, WeakSink, caching, merging, remembering, scanning, with_previous

if TYPE_CHECKING:
    from .timed import Clock
else:
    from .._library.typing import later

    Clock = later("swiftobserver._operators.timed", "Clock")

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

    def map(
        self,
        mapper: Callable[[Message_co], Result],
        *,
        retry: int = 0,
        catching: Optional[Callable[[Exception], Result]] = None,
    ) -> Observable[Result]:
        """An observable that sends what `mapper` makes of each message. It keeps this one alive.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> tens = numbers.map(lambda number: number * 10)
        >>> with tens.observe(print):
        ...     numbers.send(7)
        70

        A mapper that raises is called again, `retry` times at most. What it raises then fails the send; or `catching`
        makes another message of it, or raises in its turn.

        >>> texts: Messenger[str] = Messenger()
        >>> with texts.map(int, catching=lambda error: 0).observe(print):
        ...     texts.send("7")
        ...     texts.send("seven")
        7
        0
        """
        if retry or catching is not None:
            mapper = transforms.trying(mapper, retry, catching)
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

    def handle_events(self, see: Callable[[Message_co], object]) -> Observable[Message_co]:
        """An observable that passes on all messages, after `see` has seen each: a look into a chain.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> seen = []
        >>> tens = numbers.handle_events(seen.append).map(lambda number: number * 10)
        >>> with tens.observe(print):
        ...     numbers.send(7)
        70
        >>> seen
        [7]
        """
        return self._made_by(transforms.seeing, see)

    def print(self, prefix: str = "") -> Observable[Message_co]:
        """An observable that passes on all messages, after printing each, behind `prefix` and a colon.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> with numbers.print("number").observe(lambda number: None):
        ...     numbers.send(7)
        number: 7
        """
        if not isinstance(prefix, str):
            raise TypeError(f"prefix must be a str, not {type(prefix).__name__}")
        return self._made_by(transforms.seeing, lambda message: print(prefix, message, sep=": " if prefix else ""))

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

    def pairwise(self) -> Observable[Tuple[Message_co, Message_co]]:
        """An observable that sends each message but the first together with the one before it.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> pairs = numbers.pairwise()
        >>> with pairs.observe(print):
        ...     for number in (1, 2, 3):
        ...         numbers.send(number)
        (1, 2)
        (2, 3)
        """
        pairs: Observable[Any] = self.with_previous()
        return pairs.skip(1)

    def scan(self, initial: Result, accumulate: Callable[[Result, Message_co], Result]) -> Observable[Result]:
        """An observable that sends what all messages until then add up to.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> sums = numbers.scan(0, lambda sum, number: sum + number)
        >>> with sums.observe(print):
        ...     numbers.send(1)
        ...     numbers.send(2)
        1
        3
        """
        return self._made_by(scanning, initial, accumulate)

    def first(self, predicate: Callable[[Message_co], object]) -> Observable[Message_co]:
        """An observable that passes on the first message that `predicate` accepts, and none after it."""
        return self._made_by(transforms.filtered, transforms.is_the_first(predicate), "first")

    def take_while(self, predicate: Callable[[Message_co], object]) -> Observable[Message_co]:
        """An observable that passes messages on until `predicate` refuses one, and none from then on.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> low, high = numbers.take_while(lambda number: number < 3), numbers.skip_while(lambda number: number < 3)
        >>> with low.observe(lambda number: print("low", number)), high.observe(lambda number: print("high", number)):
        ...     for number in (1, 3, 2):
        ...         numbers.send(number)
        low 1
        high 3
        high 2
        """
        return self._made_by(transforms.filtered, transforms.is_before_another(predicate), "take_while")

    def skip_while(self, predicate: Callable[[Message_co], object]) -> Observable[Message_co]:
        """An observable that leaves messages out until `predicate` refuses one, and none from then on."""
        return self._made_by(transforms.filtered, transforms.is_from_another_on(predicate), "skip_while")

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
        if others:
            _require_observables(others)
        return self._made_by(merging, *others)

    @overload
    def zip(self, other: Observable[Other], /) -> Observable[Tuple[Message_co, Other]]: ...
    @overload
    def zip(self, *others: Observable[Any]) -> Observable[Tuple[Any, ...]]: ...
    def zip(self, *others: Observable[Any]) -> Observable[Any]:
        """An observable that sends the first message of this one and of the others together, then the second of each.

        What has no partner yet is kept, without a bound. The author is that of the message that came last.

        >>> from swiftobserver import Messenger
        >>> names: Messenger[str] = Messenger()
        >>> ages: Messenger[int] = Messenger()
        >>> people = names.zip(ages)
        >>> with people.observe(print):
        ...     names.send("Ann")
        ...     names.send("Bo")
        ...     ages.send(7)
        ('Ann', 7)
        """
        # Lazy, like the next ones: most programs do without.
        from .joining import zipping

        _require_observables(others)
        return self._made_by(zipping, *others)

    @overload
    def with_latest_from(self, other: Observable[Other], /) -> Observable[Tuple[Message_co, Other]]: ...
    @overload
    def with_latest_from(self, *others: Observable[Any]) -> Observable[Tuple[Any, ...]]: ...
    def with_latest_from(self, *others: Observable[Any]) -> Observable[Any]:
        """An observable that sends each message of this one together with the latest one of each of the others.

        They are asked for their `latest_message`; of those without one, what they have sent last is remembered, and
        until all have, what this one sends is left out.

        >>> from swiftobserver import Messenger, Var
        >>> saves: Messenger[str] = Messenger()
        >>> document = Var("draft")
        >>> saved = saves.with_latest_from(document.new())
        >>> with saved.observe(print):
        ...     document.value = "final"
        ...     saves.send("now")
        ('now', 'final')
        """
        from .joining import with_latest

        _require_observables(others)
        return self._made_by(with_latest, *others)

    def sample(self, sampler: Observable[Any]) -> Observable[Message_co]:
        """An observable that sends the latest message of this one whenever `sampler` sends, unless it has been sent.

        The author is that of the message.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> ticks: Messenger[None] = Messenger()
        >>> sampled = numbers.sample(ticks)
        >>> with sampled.observe(print):
        ...     numbers.send(1)
        ...     numbers.send(2)
        ...     ticks.send(None)
        ...     ticks.send(None)
        2
        """
        from .joining import sampling

        _require_observables((sampler,), "sampler")
        return self._made_by(sampling, sampler)

    def switch_to_latest(self) -> Observable[Any]:
        """An observable that sends what that observable sends which this has sent last; after None, nothing.

        It keeps that observable, and lets go of the one before. A message that is neither fails the send, and so does
        an observable that comes from this one itself.

        >>> from swiftobserver import Messenger
        >>> one, other = Messenger[str](), Messenger[str]()
        >>> choice: Messenger[Messenger[str]] = Messenger()
        >>> chosen = choice.switch_to_latest()
        >>> with chosen.observe(print):
        ...     choice.send(one)
        ...     one.send("of one")
        ...     choice.send(other)
        ...     one.send("not any more")
        ...     other.send("of the other")
        of one
        of the other
        """
        from .joining import Switching

        return self._made_by(Switching)

    def flat_map(self, most: int, chooser: Callable[[Message_co], Optional[Observable[Other]]]) -> Observable[Other]:
        """An observable that sends what those send that `chooser` has chosen for the latest `most` messages.

        One that was chosen for several of these is passed on once; where `chooser` returns None, one less is. With 1 it
        is what `map` and `switch_to_latest` make together. Each message takes time for each of the `most`.

        >>> from swiftobserver import Messenger
        >>> rooms = {name: Messenger[str]() for name in ("hall", "kitchen", "cellar")}
        >>> entered: Messenger[str] = Messenger()
        >>> heard = entered.flat_map(2, rooms.get)
        >>> with heard.observe(print):
        ...     for name in rooms:
        ...         entered.send(name)
        ...     for name, room in rooms.items():
        ...         room.send(f"in the {name}")
        in the kitchen
        in the cellar
        """
        from .joining import Switching

        if transforms.counted(most, "most") == 0:
            raise ValueError("most must be 1 or more")
        require_one_argument(chooser, "chooser")
        return self._made_by(Switching, most, chooser)

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

    def throttle(
        self, seconds: float, *, first: bool = True, latest: bool = True, loop: Optional[Clock] = None
    ) -> Observable[Message_co]:
        """An observable that passes on at most one message in so many seconds: the first at once, then the latest.

            sent              1 2 3 . . 4 . . . .
            throttled to 3    1     3     4
            latest=False      1         4
            first=False             3       4

        The times are those of an event loop, the running one unless another is given; or of a `ManualClock`, which a
        test turns. What has to wait, or comes from another thread, is passed on there; what fails then is told to the
        `failure_handler`, or else to the loop. What comes while nothing observes, or still waits when the last
        observation ends, is lost. Once the loop is closed, what waited is lost, and every send fails with a
        `RuntimeError` that says so.
        """
        # Lazy, because it loads asyncio.
        from .timed import Throttle

        return self._made_by(Throttle, seconds, loop, first, latest)

    def debounce(self, seconds: float, *, loop: Optional[Clock] = None) -> Observable[Message_co]:
        """An observable that passes on the latest message when none has come for so many seconds.

            sent              1 2 3 . . . 4 . . .
            debounced by 2            3       4

        The rest is as with `throttle`.
        """
        # Lazy, because it loads asyncio.
        from .timed import Debounce

        return self._made_by(Debounce, seconds, loop)

    def delay(self, seconds: float, *, loop: Optional[Clock] = None) -> Observable[Message_co]:
        """An observable that passes on each message so many seconds later, by the same author.

            sent            1 2 . . 3
            delayed by 2        1 2     3

        The rest is as with `throttle`.
        """
        from .timed import Delay

        return self._made_by(Delay, seconds, loop)

    @overload
    def timeout(self, seconds: float, *, loop: Optional[Clock] = None) -> Observable[Optional[Message_co]]: ...
    @overload
    def timeout(
        self, seconds: float, message: Other, *, loop: Optional[Clock] = None
    ) -> Observable[Union[Message_co, Other]]: ...
    def timeout(self, seconds: float, message: Any = None, *, loop: Optional[Clock] = None) -> Observable[Any]:
        """An observable that passes messages on, and sends `message` when none has come for so many seconds, since the
        last one or since this is observed: once, until the next message. Its author is the observable.

            sent             1 . . . . . 2 3 . . . .
            timeout after 3  1     x     2 3     x

        The rest is as with `throttle`.
        """
        from .timed import Timeout

        return self._made_by(Timeout, seconds, message, loop)

    def buffer(
        self, count: Optional[int] = None, seconds: Optional[float] = None, *, loop: Optional[Clock] = None
    ) -> Observable[List[Message_co]]:
        """An observable that sends lists of messages: of `count`, or of those that have come when `seconds` have passed
        since the first of them, whichever comes first. The author is that of the last message.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> pairs = numbers.buffer(2)
        >>> with pairs.observe(print):
        ...     for number in (1, 2, 3):
        ...         numbers.send(number)
        [1, 2]

        With `seconds` the rest is as with `throttle`; without, messages also gather while nothing observes.
        """
        if count is not None and transforms.counted(count) == 0:
            raise ValueError("count must be 1 or more")
        if seconds is not None:
            from .timed import Buffer

            return self._made_by(Buffer, count, seconds, loop)
        if count is None:
            raise TypeError("buffer must have a count or seconds")
        from .joining import Gathering

        return self._made_by(Gathering, count)


def _require_observables(given: Tuple[Any, ...], parameter: str = "others") -> None:
    for each in given:
        if not isinstance(each, Observable):
            number = "an observable" if parameter == "sampler" else "observables"
            raise TypeError(f"{parameter} must be {number}, not {type(each).__name__}")
    if not given:
        raise ValueError(f"{parameter} must be one or more")
