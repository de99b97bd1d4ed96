# SPDX-License-Identifier: MIT
"""Objects that came from C code: Python cannot look into them, but keeps them and passes them on."""

from __future__ import annotations

import sys
from ctypes import addressof, byref, c_bool

from . import _native as native
from ._errors import check
from ._structures import Value
from ._typing import Any, Callable, ClassVar


class ForeignObject:
    """An object of a C program, retained by its own functions for as long as this lives."""

    __slots__ = ("_value",)

    def __init__(self, value: Value) -> None:
        self._value = Value()
        check(native.value_copy(addressof(value), addressof(self._value)))

    @property
    def address(self) -> int:
        """Where the object is."""
        return self._value.pointer or 0

    def borrow(self) -> Value:
        """A value for the library, valid as long as this lives."""
        value = Value.from_buffer_copy(self._value)
        value.owned = 0
        value.kept = self
        return value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ForeignObject):
            return NotImplemented
        result = c_bool()
        check(native.value_equal(addressof(self._value), addressof(other._value), byref(result)))
        return result.value

    # Equality is decided by C code, and there is no hash to go with it.
    __hash__: ClassVar[None]  # type: ignore[assignment]
    __hash__ = None

    def __repr__(self) -> str:
        return f"<ForeignObject at {self.address:#x}>"

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        value = getattr(self, "_value", None)
        if value is not None and not is_finalizing():
            native.value_clear(addressof(value))

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("cannot copy or pickle an object of type ForeignObject")
