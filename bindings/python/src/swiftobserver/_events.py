# SPDX-License-Identifier: MIT
"""What happens to an object, in one place: which of its attributes or fields sent, and what.

dog.barked  -----------+
dog.age     -----------+--> events(dog) --> Change("age", Update(1, 2), dog)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Iterator, NamedTuple, Optional, TypeVar, Union, overload
from weakref import ref

from ._attributes import attributes_of, existing, lock, own_of
from ._failures import Failure, note
from ._inspection import hint
from ._messenger import Messenger
from ._observable import Observable
from ._relays import Relay, pass_on
from ._sameness import same
from ._values import Update

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import dataclass_transform
    else:
        from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**options: Any) -> Any:
        """Something that only type checkers need."""
        return lambda decorator: decorator


Class = TypeVar("Class", bound=type)


class Change(NamedTuple):
    """A message of one attribute of an object."""

    name: str
    """Which attribute it was."""
    message: Any
    """What the attribute sent; of a variable or a field, an `Update`."""
    owner: Any
    """The object whose attribute it is."""


class _Tagging(Relay):
    """Passes on what attributes send, as changes."""

    kind = "events"
    # The object keeps it.
    is_kept = False

    def __init__(self, by_name: dict[str, Observable[Any]], owner: ref[Any]) -> None:
        super().__init__(*by_name.values())
        self._owner = owner
        self._names = tuple(by_name)

    def begin(self, observable: Observable[Any]) -> None:
        pairs = zip(self._names, self._sources)
        self.observations = tuple(
            each.observe(_tagging(observable._reference, name, self._owner)) for name, each in pairs
        )


class Events(Observable[Change]):
    """All that the attributes of one object send, each message as a `Change`. Lives as long as the object.

    What one attribute sends is `events[name]`, and also `events.name`, unless all observables have that. Iterated over,
    it gives the names.
    """

    def __init__(self, sources: dict[str, Observable[Any]], owner: ref[Any]) -> None:
        upstream = _Tagging(sources, owner)
        self._by_name = sources
        super().__init__(upstream.address, upstream.contexts, False, None, upstream)

    def _end(self) -> None:
        for each in self._upstream.observations:
            each.stop()

    def __getitem__(self, name: str) -> Observable[Any]:
        return self._by_name[name]

    def __getattr__(self, name: str) -> Observable[Any]:
        try:
            return self.__dict__["_by_name"][name]  # type: ignore[no-any-return]
        except KeyError:
            near = hint(name, self.__dict__.get("_by_name", ()))
            raise AttributeError(f"there is no attribute {name!r} that sends anything{near}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


def _tagging(reference: ref[Observable[Any]], name: str, owner: ref[Any]) -> Callable[[Any, Any], None]:
    def receive(message: Any, author: Any) -> None:
        events = reference()
        if events is not None:
            pass_on(events, Change(name, message, owner()), author)

    return receive


def events(owner: object) -> Events:
    """What all attributes of an object send: those declared with `Messenger.attribute` and `Var.attribute`, and the
    fields of an `evented` dataclass.

    >>> from swiftobserver import Var, events
    >>> class Dog:
    ...     age, name = Var.attribute(1), Var.attribute("Rex")
    >>> dog = Dog()
    >>> with events(dog).observe(lambda change: print(change.name, change.message.new)):
    ...     dog.age.value = 2
    ...     dog.name.value = "Fido"
    age 2
    name Fido
    """
    kind = type(owner)
    attributes, fields = attributes_of(kind), fields_of(kind)
    if not attributes and not fields:
        raise TypeError(f"objects of type {kind.__name__} send nothing: it declares no messengers or variables")
    own = own_of(owner)
    if own.group is None:
        for name in fields:
            own.made.setdefault(name, Messenger(name=f"{kind.__qualname__}.{name}"))
        sources = {name: getattr(owner, name) for name in attributes}
        sources.update((name, own.made[name]) for name in fields)
        made = Events(sources, ref(owner))
        with lock:
            own.group = own.group or made
        if own.group is not made:
            # Another thread was faster.
            made._end()
    return own.group


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
        made.events = property(events, doc="What all fields send.")  # type: ignore[attr-defined]
    return made


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
    try:
        return not same(new, old)
    except BaseException as error:
        # Raised by the send, as with variables.
        note(messenger, Failure("equality", type(new).__qualname__, "", None, error))
        return True
