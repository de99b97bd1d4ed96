# SPDX-License-Identifier: MIT
"""Dataclasses whose fields tell when they are set."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar, Union, overload

from ._attributes import existing
from ._delivery import note
from ._errors import Failure
from ._observable import Observable
from ._update import Update

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import dataclass_transform
    else:
        from typing_extensions import dataclass_transform

    from ._events import Events
else:

    def dataclass_transform(**options: Any) -> Any:
        """Something that only type checkers need."""
        return lambda decorator: decorator


Class = TypeVar("Class", bound=type)


def fields_of(kind: type) -> tuple[str, ...]:
    """The names of the fields of an evented class."""
    if not hasattr(kind.__setattr__, "_is_evented"):
        return ()
    import dataclasses

    return tuple(each.name for each in dataclasses.fields(kind))


@overload
@dataclass_transform()
def evented(kind: Class) -> Class: ...
@overload
@dataclass_transform()
def evented(**options: Any) -> Callable[[Class], Class]: ...
@dataclass_transform()
def evented(kind: Optional[type] = None, **options: Any) -> Union[type, Callable[[type], type]]:
    """Makes a class a dataclass, unless it is one, whose fields send an `Update` when they change.

    `events(dog)`, also `dog.events` where the class itself has nothing of that name, is what all fields send;
    `events(dog)["age"]` is what one sends. Values that are identical, or equal and of one type, are no change. Fields
    are set as ever, so two threads that set the same one must agree between themselves. `options` are those of
    `dataclasses.dataclass`. What observes is not copied or pickled with an object.

    >>> from swiftobserver import evented, events
    >>> @evented
    ... class Dog:
    ...     name: str
    ...     age: int = 1
    >>> dog = Dog("Rex")
    >>> observation = events(dog).age.observe(print)
    >>> dog.age = 2
    Update(old=1, new=2)
    """
    if kind is None:
        return lambda kind: _make_evented(kind, options)
    return _make_evented(kind, options)


def _make_evented(kind: Any, options: dict[str, Any]) -> type:
    import dataclasses

    if not isinstance(kind, type):
        raise TypeError(f"evented is for classes, not for {type(kind).__name__}")
    made: type = kind
    if "__dataclass_fields__" not in vars(kind):
        made = dataclasses.dataclass(**options)(kind)
    elif options:
        raise TypeError(f"evented takes no options here: {kind.__name__} is a dataclass already")
    if made.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise TypeError(f"the fields of {kind.__name__} never change: it is frozen")
    if not hasattr(made.__setattr__, "_is_evented"):
        made.__setattr__ = _setting(made.__setattr__)  # type: ignore[method-assign, assignment, arg-type]
    if not hasattr(made, "events"):
        made.events = property(_events, doc="What all fields send.")  # type: ignore[attr-defined]
    return made


def _events(owner: Any) -> Events:
    from ._events import events

    return events(owner)


def _setting(set_attribute: Callable[[Any, str, Any], None]) -> Callable[[Any, str, Any], None]:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        own = existing(self)
        messenger = None if own is None or own.group is None else own.made.get(name)
        if messenger is None or name not in type(self).__dataclass_fields__:
            set_attribute(self, name, value)
            return
        old = getattr(self, name, None)
        set_attribute(self, name, value)
        # As it is now: a property may have made something else of it.
        new = getattr(self, name)
        if new is not old and _differ(messenger, old, new):
            messenger.send(Update(old, new))  # type: ignore[attr-defined]

    __setattr__._is_evented = True  # type: ignore[attr-defined]
    return __setattr__


def _differ(messenger: Observable[Any], old: Any, new: Any) -> bool:
    if type(new) is not type(old):
        return True
    try:
        return not new == old
    except BaseException as error:
        # Raised by the send, as with variables.
        note(messenger, Failure("equality", type(new).__qualname__, "", None, error))
        return True
