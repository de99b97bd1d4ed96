# SPDX-License-Identifier: MIT
"""Observables, whatever kind they are. The operators make them whole: _operators/methods.py."""

from __future__ import annotations

from _thread import get_ident
from ctypes import addressof
from weakref import ref

from .._library import declarations as library
from .._library.declarations import INVALID_ARGUMENT, WRONG_KIND, Value
from .._library.inspection import caller, require_executor, require_one_argument
from .._library.ownership import Contexts, set_attribute
from .._library.typing import Any, Callable, Optional, Tuple, TypeVar, cast
from .._operators.pure import NOTHING_UPSTREAM, Upstream, counted
from .._values.encoding import decode
from .._values.pause import Withholding
from .._values.replay import ALL as MOST
from .authors import ITSELF, is_address
from .failures import Failure, check
from .observation import Observation, Observing, observations_of
from .parts import AnyObservable
from .stores import Store

# Of messages that are sent here, and of those that come from elsewhere.
Message = TypeVar("Message")
Message_co = TypeVar("Message_co", covariant=True)


def name_in_library(address: int) -> Optional[str]:
    """The name that C code, or Python code, has given an observable."""
    value = Value()
    check(library.observable_name(address, addressof(value)))
    try:
        return cast("Optional[str]", decode(value))
    finally:
        library.value_clear(addressof(value))


def retained(pointer: int) -> int:
    """A pointer to an observable of a C program, with an owner more."""
    if not is_address(pointer):
        raise TypeError(f"pointer must be the address of a swo_observable, not {pointer!r}")
    library.observable_retain(pointer)
    return pointer


class Sending(Observing[Message_co], Withholding[Message_co], AnyObservable):
    """An observable, but for the operators."""

    _release = staticmethod(library.observable_release)
    _store: Store
    _upstream: Upstream

    def __init__(
        self,
        address: int,
        contexts: Contexts,
        store: Store,
        name: Optional[str] = None,
        upstream: Upstream = NOTHING_UPSTREAM,
    ) -> None:
        self._own(address, contexts)
        # As one attribute after the other, or Python would find each in a dictionary, and not in the object.
        set_attribute(self, "_store", store)
        self._life.store = store
        set_attribute(self, "_reference", ref(self))
        set_attribute(self, "_kept_for", {})
        set_attribute(self, "_upstream", upstream)
        set_attribute(self, "_argument", store.calls.argument(address))
        set_attribute(self, "_sender", None)
        set_attribute(self, "_call", None)
        set_attribute(self, "_has_callbacks", False)
        set_attribute(self, "_spot", caller())
        if name is not None:
            self.name = name
        if upstream is not NOTHING_UPSTREAM:
            upstream.begin(self)

    @property
    def latest_message(self) -> Message_co:
        """The message that can be had without waiting: of a variable, of a cache, and of what is mapped from one.

        It is computed each time. `TypeError` where there is none.
        """
        return cast(Message_co, self._upstream.latest(self))

    def _knows_latest(self) -> bool:
        return self._upstream.knows_latest(self)

    def send_latest(self, *, author: Any = ITSELF) -> None:
        """Sends the latest message, where there is one, to all that observe; in a transaction the one that is there
        outside. `TypeError` where there is none.

        >>> from swiftobserver import Var
        >>> volume = Var(3)
        >>> with volume.observe(print):
        ...     volume.send_latest()
        Update(old=3, new=3)
        """
        self._store.send_latest(self, author)

    @property
    def count(self) -> int:
        """How many observations of this are living, those of transforms and of C code included."""
        return int(library.observable_count(self._address))

    @property
    def observations(self) -> Tuple[Observation, ...]:
        """The living observations of this observable that Python code has begun. Looks at all there are."""
        return observations_of(self)

    @property
    def stops_at_failure(self) -> bool:
        """Whether the first handler that fails ends the delivery: what waits is not delivered either.

        Ordinarily the other handlers still receive. It can be changed while there are no observations, and costs the
        way by vectorcall.
        """
        return self._stops_at_failure

    @stops_at_failure.setter
    def stops_at_failure(self, stops: bool) -> None:
        if self.observations:
            raise RuntimeError("stops_at_failure must be set before the first observation")
        self._stops_at_failure = bool(stops)

    @property
    def raises_first(self) -> bool:
        """Whether a send raises what the first handler that failed has raised, instead of one `HandlerError` for all.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> numbers.raises_first = True
        >>> with numbers.observe(lambda number: 1 / number):
        ...     numbers.send(0)
        Traceback (most recent call last):
        ZeroDivisionError: division by zero
        """
        return self._raises_first

    @raises_first.setter
    def raises_first(self, raises: bool) -> None:
        self._raises_first = bool(raises)

    def stop_observing(self, handler: Any) -> bool:
        """Stops all observations of this by a handler. Returns whether there were any. Looks at all there are.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> observation = numbers.observe(print)
        >>> numbers.stop_observing(print), numbers.stop_observing(print)
        (True, False)
        """
        if not callable(handler):
            raise TypeError(f"handler must be callable, not {type(handler).__name__}")
        return any([each.stop() for each in self.observations if each._serves(handler)])

    @property
    def failure_handler(self) -> Optional[Callable[[Failure], object]]:
        """Is called with each failure of a handler or step attached to this observable; then none is raised.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> numbers.failure_handler = lambda failure: print(repr(failure.exception))
        >>> with numbers.observe(lambda number: 1 / number):
        ...     numbers.send(0)
        ZeroDivisionError('division by zero')
        """
        return self._failure_handler

    @failure_handler.setter
    def failure_handler(self, handler: Optional[Callable[[Failure], object]]) -> None:
        if handler is not None:
            require_one_argument(handler, "failure_handler")
        self._failure_handler = handler

    @property
    def name(self) -> Optional[str]:
        """The name of this observable in errors, in graphs, and by C code."""
        return name_in_library(self._address) if self._address else self._name

    @name.setter
    def name(self, name: Optional[str]) -> None:
        if name is not None and not isinstance(name, str):
            raise TypeError(f"name must be a str or None, not {type(name).__name__}")
        if name is not None and "\0" in name:
            raise ValueError("name must not contain a zero character")
        try:
            encoded = None if name is None else name.encode()
        except UnicodeEncodeError:
            raise ValueError(f"name must not contain half a pair of surrogates: {name!r}") from None
        check(library.observable_set_name(self._address, encoded), "name")
        self._name = name

    @property
    def graph_dot(self) -> str:
        """The graph of this observable in the language of Graphviz; see `graph`."""
        # Lazy, for few programs draw.
        from .._extras.graph import graph

        return graph(self).dot

    @property
    def ordered(self) -> bool:
        """Whether messages keep the order in which they were sent, which is so unless changed.

        Unordered, a send delivers at once, nested inside a delivery in progress and in parallel with
        other threads. A change comes into force when no delivery is in progress.
        """
        return self._ordered

    @ordered.setter
    def ordered(self, ordered: bool) -> None:
        self._keep_order(bool(ordered))

    def confine(self, on: Any = None) -> None:
        """Confines a messenger, or a variable made with `native=True`, to the thread that calls this.

        Handlers are called on that thread alone. Elsewhere sending and setting raise `RuntimeError`; with `on`, an
        event loop of that thread or a function that runs jobs there, they are done there instead, in the order of
        each sender, and what fails then is raised there. `update`, batches, and setting in a transaction are refused
        in any case. It stays confined as long as it lives.

        >>> from threading import Thread
        >>> from swiftobserver import Messenger
        >>> jobs = []
        >>> numbers: Messenger[int] = Messenger()
        >>> numbers.confine(jobs.append)
        >>> sender = Thread(target=numbers.send, args=(1,))
        >>> with numbers.observe(print):
        ...     sender.start()
        ...     sender.join()
        ...     for job in jobs:
        ...         job()
        1
        """
        self._store.require_confinable()
        home = getattr(on, "call_soon_threadsafe", on)
        if home is not None:
            require_executor(home, on)
        status = WRONG_KIND
        if self._upstream is NOTHING_UPSTREAM:
            status = library.observable_confine(self._address, None)
        if status == WRONG_KIND:
            raise TypeError(
                f"{self._title()} cannot be confined: a transform sends where its source does, and a variable"
                " must not be deferred"
            )
        if status == INVALID_ARGUMENT and self._address:
            raise RuntimeError(f"{type(self).__name__} is confined already")
        check(status, type(self).__name__)
        self._home, self._home_thread = home, get_ident()

    @property
    def budget(self) -> int:
        """How many waiting messages a thread delivers for others before it offers the rest to one that sends.

        At first 1000; 0 if it never does, and delivers until nothing waits. The order stays. A small number shortens
        the longest send, a large one makes all of them together faster. A delivery in progress goes on with its own.
        """
        return self._budget

    @budget.setter
    def budget(self, messages: int) -> None:
        if counted(messages, "budget") > MOST:
            raise ValueError(f"budget must be at most {MOST}, or 0 for no end: {messages}")
        check(library.observable_set_budget(self._address, messages), type(self).__name__)
        self._budget = messages

    @property
    def pointer(self) -> int:
        """The `swo_observable *` by which C code observes, sends and sets: valid as long as this lives.

        Only what was made with `native=True`, from such an observable, or by `adopt` has one. Its handlers
        run on whatever thread C code sends on.
        """
        return self._store.pointer(self)

    def _keep_order(self, ordered: bool) -> None:
        self._store.keep_order(ordered)
        check(library.observable_set_ordered(self._address, ordered), type(self).__name__)
        self._ordered = ordered

    def _flush(self) -> None:
        # It is not there where an interrupt came as this was made.
        store = getattr(self, "_store", None)
        if store is not None:
            store.flush(self)

    def _silence(self) -> None:
        self._argument = None

    def __repr__(self) -> str:
        return f"<{self._title()}>"
