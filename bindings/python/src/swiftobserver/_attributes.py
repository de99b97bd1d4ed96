# SPDX-License-Identifier: MIT
"""Observables that are declared in a class, and that each of its objects has for itself.

    object --_observables--> Own --> its messengers and variables, and the group of them all

They live as long as the object, and in it, so that the garbage collector sees them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Optional, TypeVar, Union, overload
from weakref import ref

from ._threads import RLock, free
from ._typing import MISSING

if TYPE_CHECKING:
    from ._events import Events
    from ._observable import Observable

Kind = TypeVar("Kind", bound="Observable[Any]")

_WHERE = "_observables"

# While an object gets its Own, or the group of all. Nothing foreign runs under it.
lock = RLock()
os.register_at_fork(after_in_child=lambda: free(lock))


class Own:
    """The observables of one object."""

    def __init__(self, owner: Any, values: dict[str, Any]) -> None:
        self._owner: Optional[ref[Any]] = None if owner is None else ref(owner)
        self.made: dict[str, Observable[Any]] = {}
        # The names of those that are variables.
        self.variables: set[str] = set()
        self.group: Optional[Events] = None
        # What variables are to begin with, where an object was copied.
        self.values = values

    def is_of(self, owner: Any) -> bool:
        """Whether this was made for an object, and not for the one that it was copied from."""
        return self._owner is not None and self._owner() is owner

    def present_values(self) -> dict[str, Any]:
        """What the variables of a copy begin with."""
        present = {name: self.made[name].value for name in list(self.variables)}  # type: ignore[attr-defined]
        return {**self.values, **present}

    def __reduce__(self) -> Any:
        return Own, (None, self.present_values())


def existing(owner: Any) -> Optional[Own]:
    """The observables that an object has, if it has been asked for any."""
    try:
        own = object.__getattribute__(owner, _WHERE)
    except AttributeError:
        return None
    return own if own.is_of(owner) else None


def own_of(owner: Any) -> Own:
    """The observables of an object."""
    own = existing(owner)
    if own is not None:
        return own
    try:
        copied: Own = object.__getattribute__(owner, _WHERE)
    except AttributeError:
        values = {}
    else:
        values = copied.present_values()
    try:
        made = Own(owner, values)
        with lock:
            own = existing(owner)
            if own is None:
                object.__setattr__(owner, _WHERE, made)
                own = made
    except (AttributeError, TypeError):
        kind = type(owner).__name__
        message = f"objects of type {kind} have no room for observables: {kind}.__slots__ needs {_WHERE!r}"
        raise TypeError(f"{message} and '__weakref__'") from None
    return own


class Attribute(Generic[Kind]):
    """What stands in a class: `Messenger.attribute()` or `Var.attribute(value)`.

    Read from an object it is that object's own messenger or variable, which is made when it is first asked for. A copy
    of the object gets its own, too, with the same values, and no observations. An object with `__slots__` needs the
    slots `_observables` and `__weakref__`.
    """

    def __init__(self, kind: Any, value: Any = MISSING) -> None:
        self._kind = kind
        self._value = value
        self._name = ""
        self._title = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self._title = f"{owner.__qualname__}.{name}"

    @overload
    def __get__(self, owner: None, kind: Optional[type]) -> Attribute[Kind]: ...
    @overload
    def __get__(self, owner: object, kind: Optional[type]) -> Kind: ...
    def __get__(self, owner: Optional[object], kind: Optional[type]) -> Union[Attribute[Kind], Kind]:
        if owner is None:
            return self
        if not self._name:
            raise TypeError("an attribute must stand in the body of a class")
        own = own_of(owner)
        made = own.made.get(self._name)
        if made is None:
            # Another thread may have been faster.
            made = own.made.setdefault(self._name, self._make(own))
            if self._value is not MISSING:
                own.variables.add(self._name)
        return made  # type: ignore[return-value]

    def __set__(self, owner: object, value: NoReturn) -> None:
        hint = f"; its value is {self._name}.value" if self._value is not MISSING else ""
        raise AttributeError(f"{self._title or 'an attribute'} cannot be replaced{hint}")

    def __repr__(self) -> str:
        return f"<Attribute {self._title}>" if self._title else "<Attribute without a class>"

    def _make(self, own: Own) -> Observable[Any]:
        if self._value is MISSING:
            made = self._kind()
        else:
            made = self._kind(own.values.get(self._name, self._value))
        made.name = self._title
        return made  # type: ignore[no-any-return]


def attributes_of(kind: type) -> list[str]:
    """The names of the attributes of a class, in the order in which they stand there, those of its bases first."""
    names = {
        name: None for each in reversed(kind.__mro__) for name, value in vars(each).items() if type(value) is Attribute
    }
    # A subclass may have put something else in the place.
    return [name for name in names if isinstance(getattr(kind, name, None), Attribute)]
