# SPDX-License-Identifier: MIT
"""An observable that holds a value and sends an update whenever the value changes."""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from threading import RLock
from typing import Any, Callable, Generic, Iterator, Optional, Tuple, TypeVar, cast

from . import _native as library
from . import _native_variable as natively
from ._arity import require_one_argument
from ._authors import forget, kept
from ._context import Contexts
from ._delivery import deliver, failures, note, settle
from ._errors import Failure, check
from ._observable import Content, Observable, retained
from ._progress import sending_here
from ._structures import INVALID_ARGUMENT
from ._update import Update
from ._way import FAST

if FAST:
    from . import _fast

Self = TypeVar("Self", bound="Var[Any]")

# An update, without the detour through a function of Python's that a named tuple makes.
_new: Callable[..., Any] = tuple.__new__


class Var(Observable[Update[Content]], Generic[Content]):
    """A variable. Values that are identical, or equal and of one type, are no change.

    >>> volume = Var(3)
    >>> observation = volume.observe(print)
    >>> volume.value = 4
    Update(old=3, new=4)
    >>> volume.value = 4
    >>> volume.value
    4

    With `native`, C code may read, set and observe it, too, by its `pointer`.
    """

    def __init__(self, value: Content, *, native: bool = False) -> None:
        if native or not FAST:
            contexts: Contexts = {}
            super().__init__(natively.make(value, contexts), contexts, bool(native))
            return
        super().__init__(library.messenger_new(), {}, False)
        self._held = value
        # Guards the value and the updates that wait. Nothing foreign runs under it, except if the garbage
        # collector or a signal does so: therefore re-entrant.
        self._lock = RLock()
        self._waiting: deque[tuple[Update[Content], Any]] = deque()
        self._is_delivering = False
        self._blocks = self._batches = 0
        # The value before the first change of a batch, and the author of the last.
        self._batched: Optional[Tuple[Any, Any]] = None

    @classmethod
    def adopt(cls: type[Self], pointer: int) -> Self:
        """The variable of a C program, behind a `swo_observable *`. Adds an owner to it.

        The object is another one each time. The values are what Python has for those of C.
        """
        self: Self = cls.__new__(cls)
        address = retained(pointer)
        try:
            natively.get(address, "pointer")
        except BaseException:
            library.observable_release(address)
            raise
        Observable.__init__(self, address, {}, True)
        return self

    @property
    def value(self) -> Content:
        """The present value. Setting it sends an update if it changes."""
        if self._native:
            return cast(Content, natively.get(self._address, type(self).__name__))
        return self._held

    @value.setter
    def value(self, value: Content) -> None:
        self.set(value)

    @property
    def latest_message(self) -> Update[Content]:
        """An update from the present value to itself."""
        value = self.value
        return Update(value, value)

    def set(self, value: Content, *, author: Any = None) -> None:
        """Sets the value, on behalf of an author. It can be read at once; the update takes its turn."""
        if self._native:
            return natively.set_to(self, value, author)
        while not self._replace(self._held, value, author):
            # Another thread was faster.
            pass

    def update(self, function: Callable[[Content], Content], *, author: Any = None) -> Content:
        """Makes the new value from the old one, as one step. Returns the new value.

        No other change comes in between: if another thread sets the value meanwhile, `function` is
        called again with the newer one. What `function` raises is raised here, and nothing has changed.

        >>> count = Var(1)
        >>> count.update(lambda number: number + 1)
        2
        """
        require_one_argument(function, "function")
        if self._native:
            return cast(Content, natively.update(self, function, author))
        while True:
            old = self._held
            value = function(old)
            if self._replace(old, value, author):
                return value

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Within, changes send nothing; at the end there is one update, from the first old to the last new value.

        The batch is the variable's, whoever changes it meanwhile. Batches nest.

        >>> volume = Var(0)
        >>> with volume.observe(print), volume.batch():
        ...     volume.value = 1
        ...     volume.value = 2
        Update(old=0, new=2)
        """
        if self._native:
            check(library.variable_begin_batch(self._address), type(self).__name__)
            # The author of the last change is named when the batch ends, and kept until then.
            try:
                with sending_here():
                    try:
                        yield
                    finally:
                        deliver(lambda address, value, author: library.variable_end_batch(address), self, 0, None)
            finally:
                forget()
            return
        with self._lock:
            self._batches += 1
        try:
            yield
        finally:
            self._end_batch()

    def _end_batch(self) -> None:
        while True:
            with self._lock:
                if self._batches > 1 or self._batched is None:
                    self._batches -= 1
                    return
                (old, author), value = self._batched, self._held
            differ = value is not old and self._differ(old, value)
            with self._lock:
                if self._held is not value or self._batches > 1:
                    continue
                self._batches, self._batched = 0, None
                ready = self._line_up(_new(Update, (old, value)), author) if differ else None
            if ready:
                self._deliver(*ready)
            return

    def _block(self) -> None:
        if self._native:
            return super()._block()
        with self._lock:
            self._blocks += 1

    def _unblock(self) -> None:
        if self._native:
            return super()._unblock()
        with self._lock:
            self._blocks -= 1

    @property
    def is_blocked(self) -> bool:
        """Whether what changes sends nothing: within `blocked()`."""
        return super().is_blocked if self._native else self._blocks > 0

    def _replace(self, old: Any, value: Any, author: Any) -> bool:
        """Replaces the old value and sends the update, unless it is not the old value any more."""
        if value is old or not self._differ(old, value):
            return True
        with self._lock:
            if self._held is not old:
                return False
            if not self._address:
                check(INVALID_ARGUMENT, type(self).__name__)
            self._held = value
            if self._batches:
                self._batched = (self._batched[0] if self._batched else old, author)
                return True
            ready = self._line_up(_new(Update, (old, value)), author)
        if ready:
            self._deliver(*ready)
        return True

    def _differ(self, old: Any, value: Any) -> bool:
        if type(value) is not type(old):
            return True
        try:
            return not value == old
        except BaseException as error:
            note(self, Failure("equality", type(value).__qualname__, "", None, error))
            return True

    def _line_up(self, update: Any, author: Any) -> Optional[Tuple[Any, Any]]:
        """What the caller has to deliver, if not another does. The lock is held."""
        if self._blocks:
            return None
        if self._is_delivering:
            self._waiting.append((update, author))
            return None
        self._is_delivering = self._ordered
        if self._waiting:
            # Whoever delivered was about to look.
            self._waiting.append((update, author))
            return self._waiting.popleft()
        return update, author

    def _deliver(self, update: Any, author: Any) -> None:
        if self._is_delivering:
            self._deliver_in_turn(update, author)
        else:
            _fast.send(self, update, author)
        if kept or failures:
            settle(self)

    def _deliver_in_turn(self, update: Any, author: Any) -> None:
        """Sends an update and those that come meanwhile: one at a time, in the order of the values."""
        try:
            while True:
                _fast.send(self, update, author)
                self._is_delivering = False
                if not self._waiting:
                    return
                with self._lock:
                    # Another thread may have come, and delivered what waited.
                    if self._is_delivering or not self._waiting:
                        return
                    self._is_delivering = True
                    update, author = self._waiting.popleft()
        except BaseException:
            # An interrupt between two calls: what waits goes with the next update.
            self._is_delivering = False
            raise

    def __repr__(self) -> str:
        name = f" {self._name!r}" if self._name is not None else ""
        return f"<{type(self).__name__}{name} {self.value!r}, made at {self._made}>"
