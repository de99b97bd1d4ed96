# SPDX-License-Identifier: MIT
"""An observable that holds a value and sends an update whenever the value changes."""

from __future__ import annotations

from collections import deque
from threading import RLock
from typing import Any, Callable, Generic, TypeVar, cast

from . import _native as library
from . import _native_variable as natively
from ._arity import require_one_argument
from ._authors import kept
from ._context import Contexts
from ._delivery import failures, note, settle
from ._errors import Failure, check
from ._observable import Content, Observable, retained
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

    def _replace(self, old: Any, value: Any, author: Any) -> bool:
        """Replaces the old value and sends the update, unless it is not the old value any more."""
        if value is old:
            return True
        if type(value) is type(old):
            try:
                if value == old:
                    return True
            except BaseException as error:
                note(self, Failure("equality", type(value).__qualname__, "", None, error))
        update = _new(Update, (old, value))
        with self._lock:
            if self._held is not old:
                return False
            if not self._address:
                check(INVALID_ARGUMENT, type(self).__name__)
            self._held = value
            if self._is_delivering:
                self._waiting.append((update, author))
                return True
            in_turn = self._is_delivering = self._ordered
        if in_turn:
            self._deliver_in_turn(update, author)
        else:
            _fast.send(self, update, author)
        if kept or failures:
            settle(self)
        return True

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
