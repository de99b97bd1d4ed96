# SPDX-License-Identifier: MIT
"""An observable that holds a value and sends an update whenever the value changes."""

from __future__ import annotations

from _thread import get_ident
from reprlib import recursive_repr

from .._core.authors import ITSELF
from .._core.observable import retained
from .._core.within import Within
from .._library import declarations as library
from .._library.inspection import require_arguments, require_one_argument
from .._library.ownership import Contexts
from .._library.typing import (
    MISSING,
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Optional,
    Type,
    TypeVar,
    Union,
    cast,
    overload,
)
from .._operators.methods import Observable
from .encoding import Update
from .library_value import LibraryValue, value_at
from .local_value import LocalValue
from .moments import running

if TYPE_CHECKING:
    from typing import Protocol

    from .._extras.attributes import Attribute

    class Unsaid:
        """Held by a `Var` in `Var.attribute(value)`: nothing else says so, and the value decides."""

    Kind = TypeVar("Kind")

    class Exactly(Protocol[Kind]):
        """Of one class, and not of its subclasses."""

        kind: Kind

    Held = TypeVar("Held")

    class OfVar(Protocol[Held]):
        """A `Var` itself, and not of a subclass, which is to remain that."""

        def _exactly(self) -> Exactly[Var[Held]]: ...

else:
    from .._library.typing import later

    Attribute = later("swiftobserver._extras.attributes", "Attribute")

Content = TypeVar("Content")
Self = TypeVar("Self", bound="Var[Any]")
Value = TypeVar("Value")


class Var(Observable[Update[Content]]):
    """A variable. Values that are identical, or equal and of one type, are no change.

    >>> volume = Var(3)
    >>> observation = volume.observe(print)
    >>> volume.value = 4
    Update(old=3, new=4)
    >>> volume.value = 4
    >>> volume.value
    4

    1, True and 1.0 are three values, and nan is no other than nan. Arrays, and all else whose `==` is no bool, are told
    apart by identity, also in lists, tuples, dictionaries and dataclasses. If `equals(old, new)` is given, it decides
    instead about what is not identical. `validator(value)` returns what to hold, also at first; what it raises, the
    setter gets, and nothing has changed.

    >>> percent = Var(50, validator=lambda value: max(0, min(value, 100)))
    >>> percent.value = 120
    >>> percent.value
    100

    With `native`, C code may read, set and observe it, too, by its `pointer`.

    With `deferred`, assignments take their turn among the updates: each is made when all have handled the update
    before. So a handler reads the new value of the update that it was given, whatever other threads set meanwhile.
    It implies `native`, so setting takes longer; and `update` raises `TypeError`.

    >>> level = Var(0, deferred=True)
    >>> @level.observe
    ... def limit(update):
    ...     level.value = min(update.new, 10)
    ...     print(update.new, level.value)
    >>> level.value = 12
    12 12
    10 10
    """

    _kind = "variable"
    _store: Union[LocalValue, LibraryValue]

    def __init__(
        self,
        value: Content,
        *,
        native: bool = False,
        name: Optional[str] = None,
        deferred: bool = False,
        equals: Optional[Callable[[Content, Content], object]] = None,
        validator: Optional[Callable[[Content], Content]] = None,
    ) -> None:
        for function, parameter, count in ((equals, "equals", 2), (validator, "validator", 1)):
            if function is not None:
                if native or deferred:
                    raise TypeError(f"{parameter} must not be given with native or deferred: C code sets as it likes")
                require_arguments(function, count, parameter)
        if native or deferred:
            contexts: Contexts = {}
            in_library = LibraryValue(bool(deferred))
            super().__init__(in_library.make(value, contexts), contexts, in_library, name)
            return
        local = LocalValue(value if validator is None else validator(value), equals, validator)
        super().__init__(library.messenger_new(), {}, local, name)

    if TYPE_CHECKING:

        def _exactly(self: Self) -> Exactly[Self]: ...

    @overload
    @classmethod
    def attribute(cls: Type[OfVar[Unsaid]], value: Value) -> Attribute[Var[Value]]: ...
    @overload
    @classmethod
    def attribute(cls: Type[Self], value: Content) -> Attribute[Self]: ...
    @classmethod
    def attribute(cls: Any, value: Any) -> Any:
        """For the body of a class: each of its objects gets a variable of its own, which begins with `value`.

        All begin with the same object, so it should not be a mutable one.

        >>> class Dog:
        ...     age = Var.attribute(1)
        >>> rex, fido = Dog(), Dog()
        >>> rex.age.value = 5
        >>> fido.age.value
        1
        """
        # Lazy, for few programs declare attributes.
        from .._extras.attributes import Attribute

        return Attribute(cls, value)

    @classmethod
    def adopt(cls: type[Self], pointer: int) -> Self:
        """The variable of a C program, behind a `swo_observable *`. Adds an owner to it.

        The object is another one each time. The values are what Python has for those of C.
        """
        self: Self = cls.__new__(cls)
        address = retained(pointer)
        try:
            value_at(address, "pointer")
        except BaseException:
            library.observable_release(address)
            raise
        Observable.__init__(self, address, {}, LibraryValue(address=address))
        return self

    def _local(self) -> Var[Any]:
        """A variable of Python's with the same value."""
        return Var(self._store.read(self))

    @property
    def value(self) -> Content:
        """The present value. Setting it sends an update if it changes."""
        if running:
            frame = running.get(get_ident())
            return self._store.read(self) if frame is None else self._store.read_in(self, frame)  # type: ignore[no-any-return]
        return self._store.held  # type: ignore[no-any-return]

    @value.setter
    def value(self, value: Content) -> None:
        self._store.exchange(self, value, ITSELF)

    @property
    def latest_message(self) -> Update[Content]:
        """An update from the present value to itself."""
        value = self.value
        return Update(value, value)

    def set(self, value: Content, *, author: Any = ITSELF) -> None:
        """Sets the value, on behalf of an author. It can be read at once; the update takes its turn."""
        self._store.exchange(self, value, author)

    # Type checkers would let any attribute be set.
    if not TYPE_CHECKING:

        def __setattr__(self, name, value):
            if name == "value":
                # In place of the property, which would come after.
                self._store.exchange(self, value, ITSELF)
            else:
                super().__setattr__(name, value)

    def update(self, function: Callable[[Content], Content], *, author: Any = ITSELF) -> Content:
        """Makes the new value from the old one, as one step. Returns the new value.

        No other change comes in between: if another thread sets the value meanwhile, `function` is
        called again with the newer one. What `function` raises is raised here, and nothing has changed.

        >>> count = Var(1)
        >>> count.update(lambda number: number + 1)
        2
        """
        require_one_argument(function, "function")
        return cast(Content, self._store.update(self, function, author))

    def batch(self) -> Within:
        """Within, changes send nothing; at the end there is one update, from the first old to the last new value.

        The batch belongs to the variable: it takes in the changes of all threads. Batches nest.

        >>> from swiftobserver import Var
        >>> volume = Var(0)
        >>> with volume.observe(print), volume.batch():
        ...     volume.value = 1
        ...     volume.value = 2
        Update(old=0, new=2)
        """
        return Within(self._begin_batch, self._end_batch, self._lacks_batch, self._begun_as("batch"))

    def _begin_batch(self, stay: Any) -> None:
        self._store.begin_batch(self, stay)

    def _end_batch(self, stay: Any) -> None:
        self._store.end_batch(self, stay)

    def _lacks_batch(self) -> None:
        self._store.lacks_batch(self)

    def paused(
        self,
        reducer: Optional[Callable[[Update[Content], Update[Content]], Update[Content]]] = None,
        *,
        initial: Update[Content] = MISSING,
    ) -> Within:
        """Within, the variable changes as usual, and its updates wait. At the end they are delivered.

        With a `reducer` only one update is, which it has made of them all; see `Observable.paused`. `batch` does that
        by itself, and costs less.

        >>> from swiftobserver import Var
        >>> volume = Var(0)
        >>> with volume.observe(print), volume.paused():
        ...     volume.value = 1
        ...     volume.value = 2
        ...     print("set")
        set
        Update(old=0, new=1)
        Update(old=1, new=2)
        """
        return self._store.paused(self, reducer, initial)

    def _require_message(self, message: Any, must: str) -> None:
        if type(message) is not Update:
            raise TypeError(f"{must} an Update for a variable, not {type(message).__name__}")

    def _has_replaced(self, value: Any) -> bool:
        """Whether a validator has made another value of one that was set."""
        return self._store.has_replaced(self, value)

    @recursive_repr("<Var ...>")
    def __repr__(self) -> str:
        called = self.name
        name = f" {called!r}" if called is not None else ""
        return f"<{type(self).__name__}{name} {self.value!r}, made at {self._made}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        # A copy has the value and the settings, and no observations.
        state: dict[str, Any] = {
            "value": self.value,
            "name": self.name,
            "ordered": self.ordered,
            "budget": self.budget,
            "settings": {name: vars(self)[name] for name in _SETTINGS if name in vars(self)},
            "rules": self._store.rules(),
        }
        how = (type(self), self._store.options())
        usual = vars(_blank(*how))
        # What a subclass has added. What this package gives every variable, like its pauses, is the original's own.
        state["others"] = {
            name: value for name, value in vars(self).items() if name not in usual and not hasattr(Var, name)
        }
        return _blank, how, state

    def __setstate__(self, state: Any) -> None:
        vars(self).update(state["others"])
        self._store.restore(self, state["value"], state["rules"])
        self.name = state["name"]
        self.ordered = state["ordered"]
        self.budget = state["budget"]
        vars(self).update(state["settings"])

    def _repr_mimebundle_(self, **_: Any) -> Dict[str, Any]:
        # Lazy, for few programs are notebooks.
        from .._extras.notebook import bundle

        return bundle(self)

    def _repr_html_(self) -> str:
        from html import escape

        name = f"<b>{escape(self.name)}</b> = " if self.name is not None else ""
        kind = escape(type(self).__name__)
        observed = "1 observation" if self.count == 1 else f"{self.count} observations"
        return f"<code>{name}{escape(repr(self.value))}</code> <small>{kind}, {observed}</small>"


# What was set after a variable was made.
_SETTINGS = ("_stops_at_failure", "_failure_handler", "_raises_first")


def _blank(kind: Any, options: Dict[str, Any]) -> Any:
    """A variable that is about to get its state. What `kind` does when it is made is left out."""
    variable = kind.__new__(kind)
    Var.__init__(variable, None, **options)
    return variable
