# SPDX-License-Identifier: MIT
"""How an observable withholds what is sent: blocked, it drops messages; paused, it has them wait."""

from __future__ import annotations

from . import _native as native
from ._errors import check
from ._observing import MISSING
from ._typing import TYPE_CHECKING, Any, Callable, ContextManager, Generic, Optional, Tuple, TypeVar
from ._within import Within

if TYPE_CHECKING:
    from ._pausing import Pause

Message = TypeVar("Message")


class Withholding(Generic[Message]):
    """Can be blocked, and paused if its kind allows that."""

    _address: int
    # Those that are in progress, the oldest first.
    _pauses: Tuple[Pause, ...] = ()

    def blocked(self) -> Within:
        """Within, what is sent is dropped. A variable changes as ever. What was sent before still arrives.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> with numbers.observe(print):
        ...     with numbers.blocked():
        ...         numbers.send(1)
        ...     numbers.send(2)
        2
        """
        return Within(self._block, self._unblock)

    def paused(
        self, reducer: Optional[Callable[[Message, Message], Message]] = None, *, initial: Message = MISSING
    ) -> ContextManager[None]:
        """Within, what is sent waits. At the end it is delivered, in the order sent, and by the same authors.

        With a `reducer` only one message is delivered, if there were any: what `functools.reduce` makes of them, and
        of `initial`, if that is given. A variable changes as ever, only its updates wait. What was sent before still
        arrives. Messengers and variables that C code cannot reach are paused; with them what is made from them is.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> with numbers.observe(print):
        ...     with numbers.paused():
        ...         numbers.send(1)
        ...         print("sent")
        ...     with numbers.paused(lambda one, other: one + other):
        ...         numbers.send(2)
        ...         numbers.send(3)
        sent
        1
        5
        """
        raise TypeError(f"{type(self).__name__} cannot be paused: what it is made from can")

    @property
    def is_paused(self) -> bool:
        """Whether what is sent waits: within `paused()`."""
        return bool(self._pauses)

    @property
    def is_blocked(self) -> bool:
        """Whether what is sent is dropped: within `blocked()`."""
        return bool(native.observable_is_blocked(self._address))

    def _block(self) -> None:
        check(native.observable_block(self._address), type(self).__name__)

    def _unblock(self) -> None:
        check(native.observable_unblock(self._address), type(self).__name__)

    def _before_pause(self) -> None:
        """Called when a pause is about to begin. This and what follows: see _pausing.py."""

    def _after_pause(self) -> None:
        """Called when a pause is over."""

    def _pauses_begin(self) -> None:
        """Called when the first of several pauses has begun. The lock of all pauses is held."""

    def _pauses_end(self) -> None:
        """Called when the last of several pauses ends. The lock of all pauses is held."""

    def _send_waiting(self: Any, message: Any, author: Any) -> None:
        """Sends what has waited. What fails is noted."""
        from ._relays import pass_on

        pass_on(self, message, author)

    def _require_message(self, message: Any) -> None:
        """`TypeError` for what this cannot send."""
