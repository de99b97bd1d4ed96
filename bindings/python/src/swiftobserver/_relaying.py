# SPDX-License-Identifier: MIT
"""The transforms that pass messages on as they are: of some authors, of several observables, remembered, or later.

Like those that look at each message, they are methods of an observable, and what they make keeps it alive.
"""

from __future__ import annotations

from ._typing import TYPE_CHECKING, Any, Generic, Literal, Optional, TypeVar, Union, cast, overload

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from ._observable import Observable

Message = TypeVar("Message")
Other = TypeVar("Other")


class Relaying(Generic[Message]):
    """Makes observables that relay the messages of this one."""

    def from_(self, author: Any) -> Observable[Message]:
        """An observable that passes on what `author` has caused.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> mine = numbers.from_("me")
        >>> with mine.observe(print):
        ...     numbers.send(1, author="you")
        ...     numbers.send(2, author="me")
        2
        """
        from ._relays import from_author

        return from_author(self._as_source(), author)

    def not_from(self, author: Any) -> Observable[Message]:
        """An observable that passes on what anybody but `author` has caused."""
        from ._relays import not_from_author

        return not_from_author(self._as_source(), author)

    def merge(self, *others: Observable[Other]) -> Observable[Union[Message, Other]]:
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
        from ._relays import merged

        return merged([self._as_source(), *others])

    def weak(self) -> Observable[Message]:
        """An observable that passes messages on without keeping this one alive: when this dies, it falls silent.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> same = numbers.weak()
        >>> with same.observe(print):
        ...     numbers.send(7)
        7
        """
        from ._relays import weakly_relayed

        return weakly_relayed(self._as_source())

    def replaying(self, count: Union[int, Literal["all"]]) -> Observable[Message]:
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
        from ._buffers import replaying

        return replaying(self._as_source(), count)

    @overload
    def cache(self) -> Observable[Optional[Message]]: ...
    @overload
    def cache(self, initial: Other) -> Observable[Union[Message, Other]]: ...
    def cache(self, initial: Any = None) -> Observable[Any]:
        """An observable that passes messages on and remembers the latest one. Until there is one, that is `initial`.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> latest = numbers.cache(0)
        >>> numbers.send(5)
        >>> latest.latest_message
        5
        """
        from ._buffers import cached

        return cached(self._as_source(), initial)

    def throttle(self, seconds: float, *, loop: Optional[AbstractEventLoop] = None) -> Observable[Message]:
        """An observable that passes on at most one message in so many seconds: the first at once, then the latest.

            sent              1 2 3 . . 4 . . .
            throttled to 3    1     3     4

        The times are those of an event loop, the running one unless another is given. What has to wait, or comes from
        another thread, is passed on there; what fails then is told to the `failure_handler`, or else to the loop.
        """
        from ._timing import Throttle

        return Throttle(self._as_source(), seconds, loop)

    def debounce(self, seconds: float, *, loop: Optional[AbstractEventLoop] = None) -> Observable[Message]:
        """An observable that passes on the latest message when none has come for so many seconds.

            sent              1 2 3 . . . 4 . . .
            debounced by 2            3       4

        The rest is as with `throttle`.
        """
        from ._timing import Debounce

        return Debounce(self._as_source(), seconds, loop)

    def _as_source(self) -> Observable[Message]:
        return cast("Observable[Message]", self)
