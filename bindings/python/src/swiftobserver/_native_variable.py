# SPDX-License-Identifier: MIT
"""Variables whose value the library holds, so that C code can read and set them, too."""

from __future__ import annotations

from ctypes import addressof, byref, c_void_p, memmove, sizeof

from . import _native as native
from . import _structures as structures
from ._context import Contexts
from ._delivery import deliver
from ._errors import check
from ._held import hold, let_go
from ._structures import Value
from ._typing import TYPE_CHECKING, Any, Callable, cast
from ._values import decode

if TYPE_CHECKING:
    from ._variable import Var


def make(content: Any, contexts: Contexts, is_deferred: bool = False) -> int:
    """The address of a new variable."""
    new = native.deferred_variable_new if is_deferred else native.variable_new
    address = c_void_p()
    held = hold(content, contexts)
    try:
        check(new(addressof(held), byref(address)), "value")
    finally:
        let_go(held)
    assert address.value
    return address.value


def get(address: int, parameter: str) -> Any:
    """The present value."""
    value = Value()
    check(native.variable_get(address, addressof(value)), parameter)
    try:
        return decode(value)
    finally:
        if value.owned:
            native.value_clear(addressof(value))


def set_to(variable: Var[Any], content: Any, author: Any) -> None:
    """`Var.set`."""
    held = hold(content, variable._contexts)
    try:
        deliver(native.variable_set, variable, addressof(held), author)
    finally:
        let_go(held)


def update(variable: Var[Any], function: Callable[[Any], Any], author: Any) -> Any:
    """`Var.update`."""
    updating = _Updating(function, variable._contexts)
    try:
        deliver(updating.run, variable, 0, author)
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
    return updating.result


class _Updating:
    """One call of `Var.update`."""

    __slots__ = ("function", "contexts", "result", "exception", "held", "__weakref__")

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
