# SPDX-License-Identifier: MIT
"""Python objects behind pointers, where ctypes cannot point at them: on PyPy, whose objects move.

    object --id--> pointer in the library --callback--> table --> object

What `ctypes` calls by these names on CPython is here made from numbers and two tables: one of what is kept alive
elsewhere, like contexts, and one of messages, with how many references the library has to each.
"""

from __future__ import annotations

import ctypes
from typing import Any, Callable, ClassVar, Tuple
from weakref import WeakValueDictionary


def PyDLL(name: str, handle: Any) -> ctypes.CDLL:
    """The library once more. There is no way to call it with the interpreter lock held."""
    return ctypes.CDLL(name)


_kept_elsewhere: WeakValueDictionary[int, Any] = WeakValueDictionary()
# Each message with its references, a list because append and pop are atomic.
_kept_here: dict[int, Tuple[Any, list[None]]] = {}


def pointer_to(referent: Any) -> int:
    """The number that stands for an object for as long as it is kept alive elsewhere."""
    key = id(referent)
    _kept_elsewhere[key] = referent
    return key


def object_at(pointer: int) -> Any:
    """The object that a number stands for."""
    try:
        return _kept_elsewhere[pointer]
    except KeyError:
        return _kept_here[pointer][0]


class Holding:
    """One reference to an object that is kept alive here. Ends with this."""

    def __init__(self, referent: Any) -> None:
        self.pointer = id(referent)
        _kept_here.setdefault(self.pointer, (referent, []))[1].append(None)

    def __del__(self) -> None:
        release(self.pointer)


def retain(pointer: int) -> None:
    """Adds a reference to an object that is kept alive here."""
    _kept_here[pointer][1].append(None)


def release(pointer: int) -> None:
    """Takes one away."""
    references = _kept_here[pointer][1]
    references.pop()
    if not references:
        del _kept_here[pointer]


class Reference:
    """The field of a value that is an object."""

    def __get__(self, value: Any, kind: Any) -> Any:
        return object_at(value.pointer)

    def __set__(self, value: Any, referent: Any) -> None:
        value.holding = Holding(referent)
        value.pointer = value.holding.pointer
        try:
            pointer_to(referent)
        except TypeError:
            # It cannot be kept elsewhere only.
            pass


def counting(retaining: Any, releasing: Any) -> Tuple[Any, Any]:
    """The functions that count the library's references to messages, as callbacks of two types."""
    plain = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    functions = plain(retain), plain(release)
    _callbacks.append(functions)
    return ctypes.cast(functions[0], retaining), ctypes.cast(functions[1], releasing)


# What the library calls has to stay.
_callbacks: list[Any] = []


class py_object(ctypes.c_void_p):
    """A parameter that is an object."""

    @classmethod
    def from_param(cls, referent: Any) -> Any:
        return ctypes.c_void_p(pointer_to(referent))


def CFUNCTYPE(result: Any, *arguments: Any) -> Any:
    """A type of callbacks. Where their parameters are objects, they get these, not the pointers."""
    plain: Any = ctypes.CFUNCTYPE(result, *[ctypes.c_void_p if each is py_object else each for each in arguments])

    class Callback(plain):  # type: ignore[misc]
        _objects: ClassVar[Tuple[int, ...]] = tuple(
            number for number, each in enumerate(arguments) if each is py_object
        )

        def __init__(self, function: Callable[..., Any]) -> None:
            places = self._objects

            def call(*given: Any) -> Any:
                decoded = list(given)
                for place in places:
                    decoded[place] = object_at(decoded[place])
                return function(*decoded)

            super().__init__(call)

    return Callback
