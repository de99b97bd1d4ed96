# SPDX-License-Identifier: MIT
"""An observable that holds a value and sends an update whenever the value changes."""

from __future__ import annotations

from ctypes import addressof, byref, c_void_p, memmove, sizeof
from typing import Any, Callable, Generic, cast

from . import _native as native
from . import _structures as structures
from ._arity import require_one_argument
from ._context import Contexts
from ._delivery import deliver
from ._errors import check
from ._held import hold, let_go
from ._observable import Content, Observable
from ._structures import Value
from ._update import Update
from ._values import decode


class Var(Observable[Update[Content]], Generic[Content]):
    """A variable. Values that are equal and of one type are no change.

    >>> volume = Var(3)
    >>> observation = volume.observe(print)
    >>> volume.value = 4
    Update(old=3, new=4)
    >>> volume.value = 4
    >>> volume.value
    4
    """

    def __init__(self, value: Content) -> None:
        address = c_void_p()
        contexts: Contexts = {}
        held = hold(value, contexts)
        try:
            check(native.variable_new(addressof(held), byref(address)), "value")
        finally:
            let_go(held)
        assert address.value
        super().__init__(address.value, contexts)

    @property
    def value(self) -> Content:
        """The present value. Setting it sends an update if it changes."""
        value = Value()
        check(native.variable_get(self._address, addressof(value)), type(self).__name__)
        try:
            return cast(Content, decode(value))
        finally:
            if value.owned:
                native.value_clear(addressof(value))

    @value.setter
    def value(self, value: Content) -> None:
        self.set(value)

    def set(self, value: Content, *, author: Any = None) -> None:
        """Sets the value, on behalf of an author. It can be read at once; the update takes its turn."""
        held = hold(value, self._contexts)
        try:
            deliver(native.variable_set, self._address, addressof(held), author)
        finally:
            let_go(held)

    def update(self, function: Callable[[Content], Content], *, author: Any = None) -> Content:
        """Makes the new value from the old one, as one step. Returns the new value.

        No other change comes in between: if another thread sets the value meanwhile, `function` is
        called again with the newer one. What `function` raises is raised here, and nothing has changed.

        >>> count = Var(1)
        >>> count.update(lambda number: number + 1)
        2
        """
        require_one_argument(function, "function")
        updating = _Updating(function, self._contexts)
        try:
            deliver(updating.run, self._address, 0, author)
        except BaseException:
            if updating.exception is None:
                raise
        finally:
            updating.let_go()
        if updating.exception is not None:
            try:
                raise updating.exception
            finally:
                # The exception knows this frame, which must not know it.
                del updating
        return cast(Content, updating.result)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}, made at {self._made}>"


class _Updating:
    """One call of `Var.update`."""

    __slots__ = ("function", "contexts", "result", "exception", "held")

    def __init__(self, function: Callable[[Any], Any], contexts: Contexts) -> None:
        self.function = function
        self.contexts = contexts
        self.result: Any = None
        self.exception: BaseException | None = None
        self.held: Value | None = None

    def run(self, variable: int, value: int, author: int | None) -> int:
        """`swo_variable_update` in the shape of `swo_variable_set`."""
        return cast(int, native.variable_update(variable, _on_update, self, author))

    def let_go(self) -> None:
        """Lets go of the last result. What `out` points at is borrowed until the next call, or the end."""
        held, self.held = self.held, None
        if held is not None:
            let_go(held)


def _update(updating: _Updating, old: int, out: int) -> int:
    updating.let_go()
    try:
        result = updating.function(decode(Value.from_address(old)))
        held = updating.held = hold(result, updating.contexts)
    except BaseException as error:
        updating.exception = error
        return structures.CALLBACK_FAILED
    updating.result = result
    memmove(out, addressof(held), sizeof(Value))
    return structures.OK


_on_update = structures.UPDATER(_update)
