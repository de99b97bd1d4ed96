# SPDX-License-Identifier: MIT
"""How a variable withholds its updates while it changes as ever: in batches, pauses and blocks.

    batch     one update at the end, from the first old to the last new value
    paused    each update at the end
    blocked   none

A value that Python holds is of `Changing`, which then changes by its lock; one that the library holds is in a batch the
library's, and cannot be paused.
"""

from __future__ import annotations

from . import _native as library
from ._authors import forget
from ._changing import Changing
from ._delivery import deliver
from ._errors import check
from ._observable import Observable
from ._observing import MISSING
from ._progress import begin_sending, end_sending
from ._typing import Any, Callable, ContextManager, Generic, List, Optional, TypeVar
from ._update import Update
from ._within import Within

Content = TypeVar("Content")


class Batching(Changing, Observable[Update[Content]], Generic[Content]):
    """The part of a variable that keeps its updates back."""

    # The batches that are in progress where the library holds the value.
    _batches_in_library: List[None]

    def batch(self) -> Within:
        """Within, changes send nothing; at the end there is one update, from the first old to the last new value.

        The batch is the variable's, whoever changes it meanwhile. Batches nest.

        >>> from swiftobserver import Var
        >>> volume = Var(0)
        >>> with volume.observe(print), volume.batch():
        ...     volume.value = 1
        ...     volume.value = 2
        Update(old=0, new=2)
        """
        if self._has_pointer:
            return Within(self._begin_batch_in_library, self._end_batch_in_library)
        return Within(self._begin_batch, self._end_batch)

    def paused(
        self,
        reducer: Optional[Callable[[Update[Content], Update[Content]], Update[Content]]] = None,
        *,
        initial: Update[Content] = MISSING,
    ) -> ContextManager[None]:
        """Within, the variable changes as ever, and its updates wait. At the end they are delivered.

        With a `reducer` only one update is, which it has made of them all; see `Observable.paused`. `batch` does that
        by itself, and costs less.

        >>> from swiftobserver import Var
        >>> volume = Var(0)
        >>> with volume.observe(print), volume.paused():
        ...     volume.value = 1
        ...     volume.value = 2
        ...     print("set")
        set
        Update(old=0, new=1)
        Update(old=1, new=2)
        """
        from ._pausing import pausing

        return pausing(self, reducer, initial)

    @property
    def is_blocked(self) -> bool:
        """Whether what changes sends nothing: within `blocked()`."""
        return super().is_blocked if self._has_pointer else self._blocks > 0

    def _block(self) -> None:
        if self._has_pointer:
            super()._block()
        else:
            self._hinder_sending(1)

    def _unblock(self) -> None:
        if self._has_pointer:
            super()._unblock()
        else:
            self._hinder_sending(-1)

    def _keep_order(self, ordered: bool) -> None:
        if not self._has_pointer:
            self._hinder(self._ordered - ordered)
        super()._keep_order(ordered)

    def _begin_batch_in_library(self) -> None:
        check(library.variable_begin_batch(self._address), type(self).__name__)
        self._batches_in_library.append(None)
        # The author of the last change is named when the batch ends, and kept until then.
        begin_sending()

    def _end_batch_in_library(self) -> None:
        self._batches_in_library.pop()
        try:
            deliver(lambda address, value, author: library.variable_end_batch(address), self, 0, None)
        finally:
            end_sending()
            forget()

    def _before_pause(self) -> None:
        self._hinder(1)

    def _after_pause(self) -> None:
        self._hinder(-1)

    def _send_waiting(self, message: Any, author: Any) -> None:
        self._send_in_line(message, author)

    def _require_message(self, message: Any) -> None:
        if type(message) is not Update:
            raise TypeError(f"reducer must return an Update for a variable, not {type(message).__name__}")
