# SPDX-License-Identifier: MIT
"""The value of a paused variable that the library holds otherwise: it could not have the updates wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Tuple

from . import _native_variable as natively
from ._delivery import failures, settle
from ._pausing import lock, wait
from ._update import Update
from ._within import Within

if TYPE_CHECKING:
    from ._variable import Var


class Meanwhile:
    """Holds the value until the last pause ends. Changes are made under the lock of all pauses."""

    def __init__(self, variable: Var[Any]) -> None:
        self._variable = variable
        self.value = natively.get(variable._address, type(variable).__name__)
        # What the library has.
        self._given = self.value
        self._batches = 0
        # The value before the first change of a batch, and the author of the last.
        self._batched: Optional[Tuple[Any, Any]] = None

    def set_to(self, value: Any, author: Any) -> bool:
        """Sets the value. False if this does not hold it any more."""
        return self.update(lambda old: value, author)[1]

    def update(self, function: Callable[[Any], Any], author: Any) -> Tuple[Any, bool]:
        """Makes the new value from the old one. Returns it, and whether this holds it still."""
        while True:
            old = self.value
            value = function(old)
            differ = self._variable._differ(old, value)
            with lock:
                is_current = self._is_current()
                if is_current and differ:
                    if self.value is not old:
                        # Another thread was faster.
                        continue
                    self._change(old, value, author)
            if failures:
                settle(self._variable)
            return value, is_current

    def batch(self) -> Within:
        """The work of `Var.batch`."""
        return Within(self._begin_batch, self._end_batch)

    def give_back(self) -> Any:
        """Sets the value in the library, and sends nothing. Returns the value."""
        self._end_batches()
        value = self.value
        if value is not self._given:
            with self._variable.blocked():
                natively.set_quietly(self._variable, value)
            self._given = value
        return value

    def _is_current(self) -> bool:
        return self._variable._held_meanwhile is self

    def _change(self, old: Any, value: Any, author: Any) -> None:
        self.value = value
        if self._batches:
            self._batched = (self._batched[0] if self._batched else old, author)
        else:
            self._send(old, value, author)

    def _begin_batch(self) -> None:
        with lock:
            self._batches += 1

    def _end_batch(self) -> None:
        with lock:
            self._batches -= 1
            is_last = not self._batches
        if is_last:
            self._end_batches()

    def _end_batches(self) -> None:
        while True:
            with lock:
                batched, value = self._batched, self.value
            if batched is None:
                return
            # Foreign code, so without the lock.
            differ = self._variable._differ(batched[0], value)
            with lock:
                if self._batched is batched and self.value is value:
                    self._batched = None
                    if differ:
                        self._send(batched[0], value, batched[1])
                    return

    def _send(self, old: Any, value: Any, author: Any) -> None:
        if not self._variable.is_blocked:
            wait(self._variable, Update(old, value), author)
