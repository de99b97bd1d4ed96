# SPDX-License-Identifier: MIT
"""Observables that are declared in a class, and that each of its objects has for itself.

    object --_observables--> Own --> its messengers and variables, and the group of them all

They live as long as the object, and in it, so that the garbage collector sees them.
"""

from __future__ import annotations

import os
from sys import _getframe
from typing import Any, Callable, Generic, NoReturn, Optional, TypeVar, Union, overload
from weakref import ref

from .._core.parts import AnyObservable
from .._library.threads import RLock, free
from .._library.typing import MISSING

Kind = TypeVar("Kind", bound=AnyObservable)

WHERE = "_observables"

# While an object gets its Own, or the group of all. Nothing foreign runs under it.
lock = RLock()
os.register_at_fork(after_in_child=lambda: free(lock))


class Own:
    """The observables of one object."""

    def __init__(self, owner: Any, values: dict[str, Any]) -> None:
        self._owner: Optional[ref[Any]] = None if owner is None else ref(owner)
        self.made: dict[str, AnyObservable] = {}
        # The names of those that are variables.
        self.variables: set[str] = set()
        # An `Events`.
        self.group: Any = None
        # The names of what is a field of a dataclass, and those of them that a thread is setting.
        self.fields: frozenset[str] = frozenset()
        self.being_set: set[tuple[int, str]] = set()
        # What variables are to begin with, where an object was copied.
        self.values = values

    def is_of(self, owner: Any) -> bool:
        """Whether this was made for an object, and not for the one that it was copied from."""
        return self._owner is not None and self._owner() is owner

    def present_values(self) -> dict[str, Any]:
        """The values with which the variables of a copy begin."""
        present = {name: self.made[name].value for name in list(self.variables)}  # type: ignore[attr-defined]
        return {**self.values, **present}

    def __reduce__(self) -> Any:
        return Own, (None, self.present_values())


def existing(owner: Any) -> Optional[Own]:
    """The observables that an object has, if it has been asked for any."""
    own = _own_in(owner)
    return own if own is not None and own.is_of(owner) else None


def _own_in(owner: Any) -> Optional[Own]:
    """Also those of an object that it was copied from."""
    try:
        own = object.__getattribute__(owner, WHERE)
    except AttributeError:
        return None
    return own if type(own) is Own else None


def own_of(owner: Any) -> Own:
    """The observables of an object."""
    own = existing(owner)
    if own is not None:
        return own
    copied = _own_in(owner)
    values = {} if copied is None else copied.present_values()
    try:
        made = Own(owner, values)
        with lock:
            own = existing(owner)
            if own is None:
                object.__setattr__(owner, WHERE, made)
                own = made
    except (AttributeError, TypeError):
        kind = type(owner).__name__
        message = f"objects of type {kind} have no room for observables: {kind}.__slots__ needs {WHERE!r}"
        raise TypeError(f"{message} and '__weakref__'") from None
    return own


class Attribute(Generic[Kind]):
    """Stands in a class: `Messenger.attribute()` or `Var.attribute(value)`.

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
        if not self._name:
            self._name = name
            self._title = f"{owner.__qualname__}.{name}"
            copy_with_values(owner)
        elif _found(owner, self._name) is not self:
            # Taken from a class that is no base of this one.
            another: Attribute[Kind] = Attribute(self._kind, self._value)
            setattr(owner, name, another)
            another.__set_name__(owner, name)

    @overload
    def __get__(self, owner: None, kind: Optional[type]) -> Attribute[Kind]: ...
    @overload
    def __get__(self, owner: object, kind: Optional[type]) -> Kind: ...
    def __get__(self, owner: Optional[object], kind: Optional[type]) -> Union[Attribute[Kind], Kind]:
        if owner is None:
            self._refuse_to_be_a_field()
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

    def _refuse_to_be_a_field(self) -> None:
        """`TypeError` if a dataclass is about to be made that would set this in each object."""
        try:
            caller = _getframe(2)
        except ValueError:
            # Called from C, with no other frame of Python's.
            return
        if caller.f_code.co_name == "_get_field" and caller.f_globals.get("__name__") == "dataclasses":
            annotation = str(caller.f_locals.get("a_type"))
            if "ClassVar" not in annotation and "InitVar" not in annotation:
                name = self._title or "an attribute"
                raise TypeError(f"{name} must not be a field of a dataclass: leave out its annotation, or say ClassVar")

    def __repr__(self) -> str:
        return f"<Attribute {self._title}>" if self._title else "<Attribute without a class>"

    def _make(self, own: Own) -> AnyObservable:
        if self._value is MISSING:
            made = self._kind()
        else:
            made = self._kind(own.values.get(self._name, self._value))
        made.name = self._title
        return made  # type: ignore[no-any-return]


def attributes_of(kind: type) -> list[str]:
    """The names of the attributes of a class, in the order in which they stand there, those of its bases first. What
    has several names is there once, under its first."""
    names = {
        name: None for each in reversed(kind.__mro__) for name, value in vars(each).items() if type(value) is Attribute
    }
    found: dict[int, str] = {}
    for name in names:
        # A subclass may have put something else in the place.
        attribute = _found(kind, name)
        if isinstance(attribute, Attribute) and (id(attribute) not in found or name == attribute._name):
            found[id(attribute)] = name
    return list(found.values())


def _found(kind: type, name: str) -> Any:
    """The thing that a class has by a name, as it stands there."""
    return next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), None)


def copy_with_values(kind: Any) -> None:
    """Has the objects of a class copied with the values that their observables have at that moment, and without what
    observes those."""
    reduce, copy = vars(kind).get("__reduce_ex__"), vars(kind).get("__copy__")
    if reduce is not None or not any(map(_copies_values, kind.__mro__)):
        _replace(kind, "__reduce_ex__", reduce, _reducing(reduce))
    if copy is not None:
        _replace(kind, "__copy__", copy, _copying(copy))


def _copies_values(kind: type) -> bool:
    return hasattr(vars(kind).get("__reduce_ex__"), "_copies_values")


def _replace(kind: type, name: str, present: Any, function: Any) -> None:
    if not hasattr(present, "_copies_values"):
        function._copies_values = True
        setattr(kind, name, function)


def _reducing(reduce: Any) -> Callable[..., Any]:
    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        if reduce is not None:
            return _with_present_values(reduce(self, protocol))
        # Not the class that this was made for: one with slots is made again.
        here: Any = next(each for each in type(self).__mro__ if vars(each).get("__reduce_ex__") is __reduce_ex__)
        return _with_present_values(super(here, self).__reduce_ex__(protocol))

    return __reduce_ex__


def _copying(copy: Any) -> Callable[..., Any]:
    def __copy__(self: Any) -> Any:
        copied = copy(self)
        own = _own_in(copied)
        if own is not None and not own.is_of(copied):
            object.__setattr__(copied, WHERE, Own(None, own.present_values()))
        return copied

    return __copy__


def _with_present_values(reduced: Any) -> Any:
    """The result of `__reduce_ex__`, with the values of now."""
    if not isinstance(reduced, tuple) or len(reduced) < 3:
        return reduced
    state = reduced[2]
    # Of a class with slots there are two.
    state = tuple(map(_detached, state)) if isinstance(state, tuple) else _detached(state)
    return (*reduced[:2], state, *reduced[3:])


def _detached(state: Any) -> Any:
    own = state.get(WHERE) if type(state) is dict else None
    return {**state, WHERE: Own(None, own.present_values())} if type(own) is Own else state
