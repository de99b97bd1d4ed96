# SPDX-License-Identifier: MIT
"""What a variable holds by reference, where the garbage collector can see it.

    variable --contexts--> box --> object that may refer to the variable
        |                   ^
        +--> native variable +... counted here, not by Python

If the library owned the object itself, a variable whose value refers back to it would never be collected.
"""

from __future__ import annotations

from ctypes import addressof, sizeof
from operator import methodcaller

from . import _structures as structures
from ._context import Context, Contexts, end
from ._structures import ObjectType, Value
from ._typing import Any
from ._values import decoders, encode, equal, is_reference


class _Box(Context):
    """An object, and how many references to it the library has."""

    __slots__ = ("content", "uses", "use")

    def __init__(self, content: Any) -> None:
        self.content = content
        # A list, because its append and pop are atomic.
        self.uses: list[None] = []
        self.use = self.uses.append

    def _leave(self) -> None:
        self.content = None


def hold(content: Any, contexts: Contexts) -> Value:
    """A value for a variable with these contexts. End it with `let_go`."""
    value = encode(content, False)
    if is_reference(value):
        box = _Box(content)
        box._enter(contexts)
        box.use(None)
        value.box = value.context = box
        value.type = _type_address
    return value


def let_go(value: Value) -> None:
    """Leaves a value to the library, or to nobody if the library has not retained it."""
    box = getattr(value, "box", None)
    if box is not None:
        _release(box)


def _content(value: Value) -> Any:
    return value.context.content


# Without Python code, as a KeyboardInterrupt at its first instruction would leave a use uncounted.
_retain = methodcaller("use", None)


def _release(box: _Box) -> None:
    box.uses.pop()
    if not box.uses:
        end(box)


def _equal(one: _Box, other: _Box) -> bool:
    return equal(one.content, other.content)


_type = ObjectType(
    sizeof(ObjectType), structures.RETAIN(_retain), structures.RELEASE(_release), structures.EQUAL(_equal)
)
_type_address = addressof(_type)
decoders[_type_address] = _content
