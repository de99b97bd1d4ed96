# SPDX-License-Identifier: MIT
"""Python objects behind pointers, where ctypes cannot point at them: on PyPy, whose objects move.

    object --id--> pointer in the library --callback--> table --> object

What `ctypes` calls by these names on CPython is here made from numbers and two tables: one of what is kept alive
elsewhere, like contexts, and one of messages, with how many references the library has to each.
"""

from __future__ import annotations

import ctypes
from itertools import count
from weakref import WeakValueDictionary

from .threads import nobody_is_sending
from .typing import Any, Callable, Tuple


def PyDLL(name: str, handle: Any) -> ctypes.CDLL:
    """The library once more. There is no way to call it with the interpreter lock held."""
    return ctypes.CDLL(name)


# Pointers are numbers that stand for objects.
MOVES_OBJECTS = True

_kept_elsewhere: WeakValueDictionary[int, Any] = WeakValueDictionary()
# Each message with its references, a list because append and pop are atomic.
_kept_here: dict[int, Tuple[Any, list[None]]] = {}
# No message shares its number with another, even one that is sent twice: so no thread finds a number whose last
# reference is going. Odd, because the numbers of what is kept elsewhere are addresses.
_numbers = count(1, 2)
# Calls that count or end what is kept elsewhere, and that are still to be made.
_owed: list[Tuple[int, Callable[[Any], None]]] = []


def pointer_to(referent: Any) -> int:
    """The number that stands for an object for as long as it is kept alive elsewhere."""
    key = id(referent)
    _kept_elsewhere[key] = referent
    return key


def object_at(pointer: int) -> Any:
    """The object that a number stands for. KeyError if only what is dying keeps it: so early PyPy clears what
    refers to it weakly."""
    if pointer in _kept_here:
        return _kept_here[pointer][0]
    return _kept_elsewhere[pointer]


def complete(kind: Any) -> None:
    """Gives the struct of values its fields that are objects."""
    kind.reference, kind.context = Reference(), ReferenceElsewhere()


def word(number: int, author: Any, taken: Callable[[], dict[int, Any]]) -> int:
    """The number that stands for an author, by whose `id` or address, and for none of those that are taken.

    The `id` of a number or of a short text says what it is: it may be negative, or too large for a pointer.
    """
    if 0 < number < 2**63:
        return number
    # No address, and no `id`.
    number = hash(number) & (2**62 - 4) | 2
    while taken().get(number, author) is not author:
        number += 4
    return number


def catch_up(contexts: Any) -> None:
    """Gives what only its dying owner keeps its number back, and makes the calls that could not find it. What refers
    weakly to the owner, and to all that only it keeps, PyPy has cleared, maybe some time ago."""
    for referent in list(contexts):
        pointer = pointer_to(referent)
        for owed in [each for each in _owed if each[0] == pointer]:
            if _is_mine(owed):
                owed[1](referent)


# What owners left behind that only what dies together with them can reach, until no send is in progress.
_abandoned: list[Any] = []


def abandon(contexts: Any, stop: Callable[[Any], object]) -> None:
    """Empties contexts without an owner. PyPy finalises the objects of a cycle one after the other: what the first has
    left behind would keep the others, and with them itself. What waits here is emptied when the next dies."""
    _abandoned.append(contexts)
    while _abandoned and nobody_is_sending():
        try:
            abandoned = _abandoned.pop()
        except IndexError:
            return
        for context in list(abandoned):
            stop(getattr(context, "_number", 0))
            context._leave()


def _is_mine(owed: Tuple[int, Callable[[Any], None]]) -> bool:
    """Whether a call is to be made by who asks. Says yes to one thread alone."""
    try:
        _owed.remove(owed)
    except ValueError:
        return False
    return True


class Holding:
    """One reference to an object that is kept alive here. Ends with this."""

    def __init__(self, referent: Any) -> None:
        self.pointer = next(_numbers)
        _kept_here[self.pointer] = referent, [None]

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


def counting(retaining: Any, releasing: Any) -> Tuple[Any, Any]:
    """The functions that count the library's references to messages, as callbacks of two types."""
    plain = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    functions = plain(retain), plain(release)
    _callbacks.append(functions)
    return ctypes.cast(functions[0], retaining), ctypes.cast(functions[1], releasing)


def reporting(function: Callable[[Any], None], dropped: Callable[[], None]) -> Callable[[Any], None]:
    """A function whose exceptions are handed to `sys.unraisablehook`. `dropped` is called with each message that is
    dropped."""
    global _on_drop
    _on_drop = dropped
    write_unraisable = __import__("__pypy__").write_unraisable

    def call(argument: Any) -> None:
        try:
            function(argument)
        except BaseException as error:
            write_unraisable("in", error, function)

    return call


def _on_drop() -> None:
    """Until it is known what to do."""


def runtime_lock(kind: Any) -> Any:
    """Nothing: there is no way to call the library with the interpreter lock held."""
    return None


# What the library calls has to stay.
_callbacks: list[Any] = []


class Reference:
    """The field of a value that is an object, kept alive here."""

    def __get__(self, value: Any, kind: Any) -> Any:
        return object_at(value.pointer)

    def __set__(self, value: Any, referent: Any) -> None:
        value.holding = Holding(referent)
        value.pointer = value.holding.pointer


class ReferenceElsewhere(Reference):
    """The field of a value that is an object, kept alive elsewhere."""

    def __set__(self, value: Any, referent: Any) -> None:
        value.pointer = pointer_to(referent)


class py_object(ctypes.c_void_p):
    """A parameter that is an object."""

    @classmethod
    def from_param(cls, referent: Any) -> Any:
        return ctypes.c_void_p(pointer_to(referent))


def CFUNCTYPE(result: Any, *arguments: Any) -> Any:
    """A type of callbacks. Where their parameters are objects, they get these, not the pointers.

    What is dying is not there any more. Callbacks that are given nothing but an object count it or end it: they are
    called later, by `catch_up`. Others drop the message.
    """
    places = tuple(number for number, each in enumerate(arguments) if each is py_object)
    plain: Any = ctypes.CFUNCTYPE(result, *[ctypes.c_void_p if each is py_object else each for each in arguments])
    wrapped = _sooner_or_later if (result, arguments) == (None, (py_object,)) else _dropping(result, places)

    class Callback(plain):  # type: ignore[misc]
        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(wrapped(function))

    return Callback


def _sooner_or_later(function: Callable[[Any], None]) -> Callable[[int], None]:
    def call(pointer: int) -> None:
        # First this and then the look, where `catch_up` does the opposite: one of the two sees the other.
        owed = pointer, function
        _owed.append(owed)
        try:
            referent = object_at(pointer)
        except KeyError:
            return
        if _is_mine(owed):
            function(referent)

    return call


def _dropping(result: Any, places: Tuple[int, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    nothing = _DROPPED[result]

    def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            decoded = list(given)
            try:
                for place in places:
                    decoded[place] = object_at(decoded[place])
            except KeyError:
                _on_drop()
                return nothing
            return function(*decoded)

        return call

    return wrapped


# What drops a message, by the type that a callback returns. A mapper says that it has failed.
_DROPPED: dict[Any, Any] = {None: None, ctypes.c_bool: False, ctypes.c_int32: -6}
