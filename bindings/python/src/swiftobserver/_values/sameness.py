# SPDX-License-Identifier: MIT
"""Whether two objects are the same value: for variables of every kind, fields, and operators alike.

identical                         same
of two types                      not: 1, True and 1.0 are three values
arrays, whose == is no bool       not, also where lists, tuples, dictionaries or dataclasses hold them
nan, and nan of its type          same
anything else                     as == says
"""

from __future__ import annotations

import sys
from collections import deque
from types import SimpleNamespace

from .._library.typing import Any, Iterable, Sequence

# Of what there is most, and what holds nothing else.
PLAIN = frozenset((bool, int, float, complex, str, bytes, type(None)))

# Those of Python itself, whose `==` compares what they hold.
_HOLDING = frozenset((list, tuple, dict, set, frozenset, deque))

# Of what has no `==` of its own.
BY_IDENTITY: Any = object.__eq__


def same(one: Any, other: Any) -> bool:
    """Whether two objects are the same value. Raises what an `==` of the program raises."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    try:
        is_plain, is_holding = kind in PLAIN, kind in _HOLDING
    except TypeError:
        # Its own type has an `==`, and no hash.
        is_plain = is_holding = False
    if is_plain:
        return one == other or bool(one != one and other != other)
    if not is_holding and (kind.__eq__ is BY_IDENTITY or is_array(kind)):
        return False
    if not is_holding and hasattr(kind, "is_nan") and (one.is_nan() or other.is_nan()):
        # A Decimal may be a nan that refuses to be compared.
        return bool(one.is_nan() and other.is_nan())
    try:
        answer = one == other if is_holding else _said(one, other, kind)
    except Exception:
        if _arrays(one, True) or _arrays(other, True):
            return False
        raise
    if answer:
        return (is_holding and _is_flat(one) and _is_flat(other)) or _arrays(one, False) == _arrays(other, False)
    return not is_holding and _is_nan(one, kind) and _is_nan(other, kind)


class Key:
    """Stands for a value in a set: found exactly where the same value is."""

    __slots__ = ("_value", "_hash")

    def __init__(self, value: Any) -> None:
        kind = type(value)
        self._value = value
        self._hash = hash(kind) if _is_nan(value, kind) else hash((kind, value))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and same(self._value, other._value)


def _said(one: Any, other: Any, kind: type) -> bool:
    """The answer of `==`; no if that is no bool."""
    if _is_generated(kind.__eq__) and hasattr(kind, "__dataclass_fields__"):
        # From Python 3.13 on it compares also what is identical, and says whatever its last field does.
        one, other = _compared(one, kind), _compared(other, kind)
    answer: Any = one == other
    if type(answer) is bool:
        return answer
    # The scalars of numpy have a bool of their own.
    kind = type(answer)
    return bool(answer) if kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_") else False


def _compared(thing: Any, kind: Any) -> Any:
    return tuple(
        getattr(thing, name) for name, field in kind.__dataclass_fields__.items() if field.compare and _is_field(field)
    )


def _is_field(field: Any) -> bool:
    # Neither a class variable nor an argument.
    return bool(field._field_type.name == "_FIELD")


def is_array(kind: type) -> bool:
    """Whether objects of a type compare each of their elements."""
    if not hasattr(kind, "__array__"):
        return False
    numpy = sys.modules.get("numpy")
    return numpy is None or not issubclass(kind, numpy.generic)


def _is_nan(thing: Any, kind: type) -> bool:
    if hasattr(kind, "is_nan"):
        return bool(thing.is_nan())
    # What can be no number has no nan, whatever its `!=` says.
    return (hasattr(kind, "__float__") or kind is complex) and not is_array(kind) and bool(thing != thing)


def _is_generated(equality: Any) -> bool:
    """Whether an `__eq__` compares what an object holds, and nobody has written it for that."""
    # On PyPy built-in functions have code, too, of no file.
    file = getattr(getattr(equality, "__code__", None), "co_filename", "")
    return file.startswith(("<string>", "<attrs generated"))


def _is_flat(holder: Any) -> bool:
    """Whether all that it holds is plain: that is found out at once."""
    try:
        return PLAIN.issuperset(map(type, holder.values() if type(holder) is dict else holder))
    except (TypeError, RuntimeError):
        # A type has no hash, or another thread has changed the holder.
        return False


def _arrays(thing: Any, in_anything: bool) -> set[int]:
    """The arrays that something holds, by identity. Without `in_anything` only where `==` has compared each of them,
    and not where a program has written what is compared."""
    found: set[int] = set()
    seen: set[int] = set()
    waiting = [thing]
    while waiting:
        holder = waiting.pop()
        if id(holder) in seen:
            continue
        seen.add(id(holder))
        parts = _parts(holder, in_anything)
        try:
            kinds = set(map(type, parts)) - PLAIN
        except TypeError:
            # As above.
            kinds = {object}
        if kinds:
            arrays = [is_array(type(each)) for each in parts]
            found.update(id(each) for each, is_one in zip(parts, arrays) if is_one)
            waiting += [each for each, is_one in zip(parts, arrays) if not is_one]
    return found


def _parts(holder: Any, in_anything: bool) -> Sequence[Any]:
    kind = type(holder)
    if issubclass(kind, dict):
        return list(dict.values(holder))
    for each in (tuple, list, deque):
        if issubclass(kind, each):
            return list(each.__iter__(holder))
    if kind.__eq__ is BY_IDENTITY or not (in_anything or _is_generated(kind.__eq__) or kind is SimpleNamespace):
        return ()
    slots = [name for each in kind.__mro__ for name in _names(vars(each).get("__slots__", ()))]
    held = [getattr(holder, name, None) for name in slots if name not in ("__dict__", "__weakref__")]
    return held + list(getattr(holder, "__dict__", {}).values())


def _names(slots: Any) -> Iterable[str]:
    return (slots,) if isinstance(slots, str) else slots
