# SPDX-License-Identifier: MIT
"""The transforms of an observable, as its methods. What each makes keeps the observable alive."""

from __future__ import annotations

from . import _steps as steps
from ._relaying import Relaying
from ._typing import TYPE_CHECKING, Any, Callable, Optional, Tuple, TypeVar, cast, overload
from ._update import Update

if TYPE_CHECKING:
    from ._observable import Observable

Message = TypeVar("Message")
Result = TypeVar("Result")
Content = TypeVar("Content")

_MISSING: Any = object()


class Transforming(Relaying[Message]):
    """Makes observables from this one."""

    def map(self, mapper: Callable[[Message], Result]) -> Observable[Result]:
        """An observable that sends what `mapper` makes of each message. It keeps this one alive.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> tens = numbers.map(lambda number: number * 10)
        >>> with tens.observe(print):
        ...     numbers.send(7)
        70
        """
        from ._transforms import mapped

        return mapped(self._as_source(), mapper)

    def filter(self, predicate: Callable[[Message], object]) -> Observable[Message]:
        """An observable that passes on the messages that `predicate` accepts. It keeps this one alive.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> even = numbers.filter(lambda number: number % 2 == 0)
        >>> with even.observe(print):
        ...     numbers.send(1)
        ...     numbers.send(2)
        2
        """
        from ._transforms import filtered

        return filtered(self._as_source(), predicate)

    @overload
    def new(self: Transforming[Update[Content]]) -> Observable[Content]: ...
    @overload
    def new(self) -> Observable[Message]: ...
    def new(self) -> Observable[Any]:
        """An observable that passes on only the new value of each update. It keeps this one alive.

        >>> from swiftobserver import Var
        >>> volume = Var(3)
        >>> volumes = volume.new()
        >>> with volumes.observe(print):
        ...     volume.value = 4
        4
        """
        from ._transforms import only_new

        return only_new(self._as_source())

    @overload
    def unwrap(self: Transforming[Optional[Content]]) -> Observable[Content]: ...
    @overload
    def unwrap(self: Transforming[Optional[Content]], default: Content) -> Observable[Content]: ...
    def unwrap(self, default: Any = _MISSING) -> Observable[Any]:
        """An observable that passes on what is not None, and `default`, if there is one, in place of None.

        >>> from swiftobserver import Messenger
        >>> names = Messenger()
        >>> some, all = names.unwrap(), names.unwrap("nobody")
        >>> with some.observe(print), all.observe(print):
        ...     names.send(None)
        nobody
        """
        if default is _MISSING:
            return cast("Observable[Any]", self.filter(steps.is_not_none))
        return self.map(steps.replacing_none(default))

    def select(self, message: Message) -> Observable[Message]:
        """An observable that passes on the messages that are equal to `message`."""
        return self.filter(steps.equals(message))

    def take(self, count: int) -> Observable[Message]:
        """An observable that passes on the first `count` messages.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> first = numbers.take(1)
        >>> with first.observe(print):
        ...     numbers.send(1)
        ...     numbers.send(2)
        1
        """
        return self.filter(steps.is_among_the_first(count))

    def skip(self, count: int) -> Observable[Message]:
        """An observable that passes on all but the first `count` messages."""
        return self.filter(steps.is_beyond_the_first(count))

    def skip_repeats(self) -> Observable[Message]:
        """An observable that passes a message on unless it equals the one before it.

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
        return self.filter(steps.is_no_repeat())

    def unique_values(self) -> Observable[Message]:
        """An observable that passes each message on once: it remembers all there were, which must be hashable."""
        return self.filter(steps.is_unique())

    def with_previous(self) -> Observable[Tuple[Optional[Message], Message]]:
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
        from ._transforms import mapped

        transform = mapped(self._as_source(), steps.pairing_with_previous())
        # Its state is of messages that were sent, and not of those that are only asked for.
        transform._mapper = None
        return transform
