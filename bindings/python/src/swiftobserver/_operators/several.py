# SPDX-License-Identifier: MIT
"""Functions of several observables, `merge` and `combine`, and of none: `ticks`."""

from __future__ import annotations

from .._core.observable import Message
from .._core.stores import LOCAL
from .._library.typing import TYPE_CHECKING, Any, Optional, Tuple, TypeVar, Union, overload
from .methods import Observable
from .sinks import combining

if TYPE_CHECKING:
    from .timed import Clock
else:
    from .._library.typing import later

    Clock = later("swiftobserver._operators.timed", "Clock")

Second = TypeVar("Second")
Third = TypeVar("Third")


@overload
def merge(one: Observable[Message], other: Observable[Second], /) -> Observable[Union[Message, Second]]: ...
@overload
def merge(
    one: Observable[Message], other: Observable[Second], third: Observable[Third], /
) -> Observable[Union[Message, Second, Third]]: ...
@overload
def merge(*observables: Observable[Message]) -> Observable[Message]: ...
def merge(*observables: Observable[Any]) -> Observable[Any]:
    """An observable that sends what each of two or more sends.

    >>> from swiftobserver import Messenger, merge
    >>> numbers, texts = Messenger[int](), Messenger[str]()
    >>> with merge(numbers, texts).observe(print):
    ...     numbers.send(1)
    ...     texts.send("two")
    1
    two
    """
    _require_several(observables)
    return observables[0].merge(*observables[1:])


@overload
def combine(one: Observable[Message], other: Observable[Second], /) -> Observable[Tuple[Message, Second]]: ...
@overload
def combine(
    one: Observable[Message], other: Observable[Second], third: Observable[Third], /
) -> Observable[Tuple[Message, Second, Third]]: ...
@overload
def combine(*observables: Observable[Message]) -> Observable[Tuple[Message, ...]]: ...
def combine(*observables: Observable[Any]) -> Observable[Any]:
    """An observable that sends one message of each of two or more, whichever sends: the others are asked for their
    `latest_message`; of those without one, what they have sent last is remembered, and nothing is sent until all have.
    Whatever threads send, the last message is how it is. `Observer.observe_combined` observes without making an
    observable. Where all have a `latest_message`, so has this.

    >>> from swiftobserver import Var, combine
    >>> width, height = Var(2), Var(3)
    >>> area = combine(width.new(), height.new()).map(lambda sides: sides[0] * sides[1])
    >>> with area.observe(print):
    ...     width.value = 5
    15
    >>> area.latest_message
    15
    """
    _require_several(observables)
    return observables[0]._made_by(combining, *observables[1:])


def ticks(seconds: float, *, loop: Optional[Clock] = None) -> Observable[int]:
    """An observable that sends at regular intervals while it is observed: how many of them have passed since then.

        time       0 . 2 . 4 . 6
        ticks(2)       1   2   3

    Where the loop is late, several are sent as one, and the next comes in time. It ends when the last reference to it
    is gone. The rest is as with `Observable.throttle`.

    >>> from swiftobserver import ManualClock, ticks
    >>> clock = ManualClock()
    >>> every_two_seconds = ticks(2, loop=clock)
    >>> with every_two_seconds.observe(print):
    ...     clock.advance(5)
    1
    2
    """
    from .timed import Ticks

    upstream = Ticks(seconds, loop)
    return Observable(upstream.address, upstream.contexts, LOCAL, None, upstream)


def _require_several(observables: Tuple[Any, ...]) -> None:
    if len(observables) < 2:
        raise ValueError(f"observables must be two or more, not {len(observables)}")
    for each in observables:
        if not isinstance(each, Observable):
            raise TypeError(f"observables must be observables, not {type(each).__name__}")
