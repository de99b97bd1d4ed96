# SPDX-License-Identifier: MIT
"""An observable that holds a value and sends an update whenever the value changes."""

from __future__ import annotations

from reprlib import recursive_repr

from .._core.authors import ITSELF, kept
from .._core.failures import amid, are_noted_here, conclude, failures, use_stack
from .._core.observable import Observable, retained
from .._library import declarations as library
from .._library.declarations import CALLBACK_FAILED, OK
from .._library.environment import FAST
from .._library.inspection import require_arguments, require_one_argument
from .._library.ownership import Contexts
from .._library.typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Type, TypeVar, cast, overload
from . import library_value as natively
from .encoding import Update
from .local_value import Batching, State, new_update
from .sameness import BY_IDENTITY, PLAIN, same

if FAST:
    from .._library import vectorcall

if TYPE_CHECKING:
    from typing import Protocol

    from .._extras.attributes import Attribute

    class Unsaid:
        """What a `Var` holds in `Var.attribute(value)`: nothing else says so, and the value decides."""

    Kind = TypeVar("Kind")

    class Exactly(Protocol[Kind]):
        """Of one class, and not of its subclasses."""

        kind: Kind

    Held = TypeVar("Held")

    class OfVar(Protocol[Held]):
        """What is a `Var` itself, and not of a subclass, which is to remain that."""

        def _exactly(self) -> Exactly[Var[Held]]: ...

else:
    from .._library.typing import later

    Attribute = later("swiftobserver._extras.attributes", "Attribute")

Content = TypeVar("Content")
Self = TypeVar("Self", bound="Var[Any]")
Value = TypeVar("Value")


class Var(Batching[Content]):
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
    _is_deferred = False
    # Of a deferred one, an entry for each assignment that may wait for its turn.
    _waiting_to_be_set: Optional[List[None]] = None

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
        if deferred:
            self._is_deferred, self._waiting_to_be_set = True, []
        if native or deferred:
            contexts: Contexts = {}
            super().__init__(natively.make(value, contexts, self._is_deferred), contexts, True, name)
            return
        super().__init__(library.messenger_new(), {}, False, name)
        self._hold(value, equals, validator)

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
            natively.get(address, "pointer")
        except BaseException:
            library.observable_release(address)
            raise
        Observable.__init__(self, address, {}, True)
        return self

    @property
    def value(self) -> Content:
        """The present value. Setting it sends an update if it changes."""
        if self._has_pointer:
            return cast(Content, natively.get(self._address, type(self).__name__))
        return cast(Content, self._state.held)

    @value.setter
    def value(self, value: Content) -> None:
        self.set(value)

    @property
    def latest_message(self) -> Update[Content]:
        """An update from the present value to itself."""
        value = self.value
        return Update(value, value)

    def set(self, value: Content, *, author: Any = ITSELF) -> None:
        """Sets the value, on behalf of an author. It can be read at once; the update takes its turn."""
        self._set(value, author)

    # Without a keyword, which Python looks up in a dictionary for every call.
    def _set(self, value: Content, author: Any) -> None:
        if self._has_pointer:
            natively.set_to(self, value, author)
            return
        if failures and are_noted_here():
            return amid(self._set, value, author)  # type: ignore[no-any-return]
        state = self._state
        if state.has_rules:
            value, old = self._checked(value), state.held
            if self._differ(old, value):
                self._set_by_the_lock(old, value, author)
            return
        if self._has_callbacks:
            use_stack()
        old = state.held
        if value is old:
            return
        kind = type(value)
        if kind is type(old):
            try:
                # As `same` has it, without the call for most.
                if kind in PLAIN:
                    if value == old or value != value and old != old:
                        return
                elif kind.__eq__ is not BY_IDENTITY and same(value, old):
                    return
            except Exception:
                # Again, where something is done about it.
                if not self._differ(old, value):
                    return
        update = new_update(Update, (old, value))
        # Until delivering begins there is no call, no loop and nothing new: so Python lets no other thread in between.
        # What waits comes first, also if no thread delivers at this very moment.
        if state.held is not old or state.delivered or state.waiting or state.hindrances or author is not ITSELF:
            self._set_by_the_lock(old, value, author)
            return
        try:
            state.delivered = update
            state.held = value
            failed = (self._sender or vectorcall.sender(self))(update)
            state.delivered = None
        except BaseException:
            if state.delivered is update:
                state.delivered = None
            raise
        if state.waiting or failed is not None or kept or failures:
            status = OK if failed is None else self._call.status
            if self._deliver_waiting():
                status = CALLBACK_FAILED
            conclude(self, status)

    # Type checkers would let any attribute be set.
    if not TYPE_CHECKING:

        def __setattr__(self, name, value):
            if name == "value":
                # In place of the property, which would come after.
                self._set(value, ITSELF)
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
        if self._has_pointer:
            return cast(Content, natively.update(self, function, author))
        if failures and are_noted_here():
            return cast(Content, amid(self.update, function, author=author))
        while True:
            old = self._state.held
            value = self._checked(function(old))
            if not self._differ(old, value) or self._assign(old, value, author):
                return cast(Content, value)

    def send_latest(self, *, author: Any = ITSELF) -> None:
        """Sends an update from the present value to itself. It takes its turn."""
        if self._has_pointer:
            super().send_latest(author=author)
        elif failures and are_noted_here():
            amid(self._repeat, author)
        else:
            self._repeat(author)

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
            "rules": None if self._has_pointer else (self._state.equals, self._state.validator),
        }
        how = (type(self), self._has_pointer, self._is_deferred)
        usual = vars(_blank(*how))
        # What a subclass has added. What this package gives every variable, like its pauses, is the original's own.
        state["others"] = {
            name: value for name, value in vars(self).items() if name not in usual and not hasattr(Var, name)
        }
        return _blank, how, state

    def __setstate__(self, state: Any) -> None:
        vars(self).update(state["others"])
        if state["rules"] is None:
            self.value = state["value"]
        else:
            self._state = State(state["value"], *state["rules"])
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


def _blank(kind: Any, is_native: bool, is_deferred: bool) -> Any:
    """A variable that is about to get its state. What `kind` does when it is made is left out."""
    variable = kind.__new__(kind)
    Var.__init__(variable, None, native=is_native, deferred=is_deferred)
    return variable
