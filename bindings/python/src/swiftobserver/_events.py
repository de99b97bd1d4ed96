# SPDX-License-Identifier: MIT
"""Whatever happens to an object, in one place: which of its attributes sent, and what.

dog.barked  -----------+
dog.age     -----------+--> events(dog) --> Change("age", Update(1, 2))
"""

from __future__ import annotations

from typing import Any, Callable, Iterator, NamedTuple
from weakref import ref

from . import _native as native
from ._attributes import attributes_of, lock, own_of
from ._evented import fields_of
from ._messenger import Messenger
from ._observable import Observable
from ._observation import begin
from ._relays import Relay, accept_all, pass_on


class Change(NamedTuple):
    """A message of one attribute of an object."""

    name: str
    """Which attribute it was."""
    message: Any
    """What the attribute sent; of a variable or a field, an `Update`."""


class Events(Relay[Change]):
    """All that the attributes of one object send, each message as a `Change`. Lives as long as the object.

    What one attribute sends is `events[name]`, and also `events.name`, unless all observables have that. Iterated over,
    it gives the names.
    """

    _kind = "events"

    def __init__(self, sources: dict[str, Observable[Any]]) -> None:
        Observable.__init__(self, native.messenger_new(), {}, False)
        self._by_name = sources
        self._sources = tuple(sources.values())
        self._accepts = accept_all
        self._observations = [begin(each, None, _tagging(ref(self), name)) for name, each in sources.items()]

    def _end(self) -> None:
        for each in self._observations:
            each.stop()

    def __getitem__(self, name: str) -> Observable[Any]:
        return self._by_name[name]

    def __getattr__(self, name: str) -> Observable[Any]:
        try:
            return self.__dict__["_by_name"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(f"there is no attribute {name!r} that sends anything") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


def _tagging(reference: ref[Events], name: str) -> Callable[[Any, Any], None]:
    def receive(message: Any, author: Any) -> None:
        events = reference()
        if events is not None:
            pass_on(events, Change(name, message), author)

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
        made = Events(sources)
        with lock:
            own.group = own.group or made
        if own.group is not made:
            # Another thread was faster.
            made._end()
    return own.group
