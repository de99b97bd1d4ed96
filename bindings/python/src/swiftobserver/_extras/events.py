# SPDX-License-Identifier: MIT
"""All that happens to an object, in one place: which of its attributes or fields sent, and what.

dog.barked  -----------+
dog.age     -----------+--> events(dog) --> Change("age", Update(1, 2), dog)
"""

from __future__ import annotations

import sys
from threading import get_ident
from types import FunctionType
from typing import TYPE_CHECKING, Any, Callable, Iterator, NamedTuple, Optional, TypeVar, Union, overload
from weakref import ref

from .._core.failures import Failure, add_pending
from .._core.messenger import Messenger
from .._core.parts import AnyObservable
from .._core.sending import pass_on
from .._core.stores import LOCAL
from .._library.inspection import hint
from .._operators.methods import Observable
from .._operators.sinks import Sink
from .._values.encoding import Update
from .._values.sameness import same
from .attributes import WHERE, attributes_of, copy_with_values, existing, lock, own_of

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
    """The message of the attribute; of a variable or a field, an `Update`."""
    owner: Any
    """The object whose attribute it is."""


class _Tagging(Sink):
    """Passes on what attributes send, as changes."""

    kind = "events"
    # The object keeps it.
    is_kept = False

    def __init__(self, by_name: dict[str, Observable[Any]], owner: ref[Any]) -> None:
        super().__init__(*by_name.values())
        self._owner = owner
        self._names = tuple(by_name)

    def begin(self, observable: AnyObservable) -> None:
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
        super().__init__(upstream.address, upstream.contexts, LOCAL, None, upstream)

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
    """All that attributes of an object send: those declared with `Messenger.attribute` and `Var.attribute`, and the
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
        own.fields = frozenset(fields)
    return own.group


def fields_of(kind: type) -> tuple[str, ...]:
    """The names of the fields of an evented class."""
    # A subclass may set in a way of its own.
    if not any(map(_is_evented, kind.__mro__)):
        return ()
    import dataclasses

    return tuple(each.name for each in dataclasses.fields(kind))


def _is_evented(kind: type) -> bool:
    return hasattr(vars(kind).get("__setattr__"), "_is_evented")


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
    `events(dog)["age"]` is what one sends. What is no change is as with `Var`. Fields are set as ever, by each
    `__setattr__` that a subclass or mixin has, so two threads that set the same one must agree between themselves.
    `options` are those of `dataclasses.dataclass`; a class with slots gets two more, for what observes. What observes
    is not copied or pickled with an object. Fields are no variables: a function that reads one, such as that of a
    derived variable, does not depend on it. For that, `Var.attribute` gives objects variables.

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
    made = _with_room(made, {kind, made})
    if not _is_evented(made) and not hasattr(made.__setattr__, "_is_evented"):
        made.__setattr__ = _setting(made)  # type: ignore[method-assign, assignment]
    if "events" not in made.__dataclass_fields__ and not hasattr(made, "events"):  # type: ignore[attr-defined]
        made.events = _EventsOfFields()  # type: ignore[attr-defined]
    copy_with_values(made)
    return made


class _EventsOfFields:
    """`dog.events`. A subclass may have a field of that name, to which it is no default."""

    def __get__(self, owner: Optional[object], kind: Optional[type]) -> Events:
        if owner is None:
            raise AttributeError("events: each object has its own")
        return events(owner)


def _with_room(kind: Any, former: set[type]) -> Any:
    """The class, or another like it with the slots that observables take, as dataclasses do that for slots. `former`
    are those that its methods may take for the class that they stand in."""
    has = {name for each in kind.__mro__ for name in ("__dict__", "__weakref__", WHERE) if _has_itself(each, name)}
    slots = [name for name in (WHERE, "__weakref__") if name not in has and not (name == WHERE and "__dict__" in has)]
    if not slots:
        return kind
    present = vars(kind).get("__slots__", ())
    present = (present,) if isinstance(present, str) else tuple(present)
    namespace = {name: value for name, value in vars(kind).items() if name not in (*present, *slots)}
    made = type(kind)(kind.__name__, kind.__bases__, {**namespace, "__slots__": (*present, *slots)})
    made.__qualname__ = kind.__qualname__
    for each in vars(made).values():
        _refer(each, former, made)
    return made


def _has_itself(kind: type, name: str) -> bool:
    """Whether a class has room of that name. In Python 3.11.0 to 3.11.3 a dataclass with slots has the descriptor of
    the class that it was made from instead, and no room."""
    return name in vars(kind) and getattr(vars(kind)[name], "__objclass__", kind) is kind


def _refer(thing: Any, former: set[type], made: type) -> None:
    """Has `super()` in a method know the class that has been made again."""
    parts = (getattr(thing, name, None) for name in ("__func__", "fget", "fset", "fdel"))
    for function in parts if isinstance(thing, (classmethod, staticmethod, property)) else (thing,):
        while type(function) is FunctionType:
            for cell in function.__closure__ or ():
                try:
                    content = cell.cell_contents
                except ValueError:
                    # It is empty.
                    continue
                if any(content is each for each in former):
                    cell.cell_contents = made
            function = getattr(function, "__wrapped__", None)


def _setting(kind: Any) -> Callable[[Any, str, Any], None]:
    has_own = "__setattr__" in vars(kind)
    usual = kind.__setattr__

    def next_of(other: type) -> Callable[[Any, str, Any], None]:
        # What comes after this class in an object of another: it may be a mixin. Not by `super`, as a dataclass with
        # slots is another class than the one this was made for.
        setters: Iterator[Any] = (vars(each)["__setattr__"] for each in other.__mro__ if "__setattr__" in vars(each))
        following: Callable[[Any, str, Any], None] = next(
            each for before in setters if before is __setattr__ for each in setters
        )
        return following

    def __setattr__(self: Any, name: str, value: Any) -> None:
        set_attribute = usual if has_own or type(self) is kind else next_of(type(self))
        observables = existing(self)
        if observables is None or name not in observables.fields:
            set_attribute(self, name, value)
            return
        one = get_ident(), name
        if one in observables.being_set:
            # By an evented subclass, which tells.
            set_attribute(self, name, value)
            return
        old = getattr(self, name, None)
        observables.being_set.add(one)
        try:
            set_attribute(self, name, value)
        finally:
            observables.being_set.discard(one)
        # As it is now: a property may have made something else of it.
        new = getattr(self, name)
        messenger = observables.made[name]
        if new is not old and _differ(messenger, old, new):
            messenger.send(Update(old, new))  # type: ignore[attr-defined]

    __setattr__._is_evented = True  # type: ignore[attr-defined]
    return __setattr__


def _differ(messenger: AnyObservable, old: Any, new: Any) -> bool:
    try:
        return not same(new, old)
    except BaseException as error:
        # Raised by the send, as with variables.
        add_pending(messenger, Failure("equality", type(new).__qualname__, "", None, error))
        return True
