# SPDX-License-Identifier: MIT
"""What can be observed, whatever kind it is."""

from __future__ import annotations

from ctypes import addressof
from weakref import ref

from . import _native as native
from ._arity import require_one_argument
from ._context import Contexts
from ._errors import Failure, check
from ._handle import Handle
from ._observation import Observation, observations_of
from ._observing import Observing
from ._structures import Value
from ._transforming import Transforming
from ._typing import Any, Callable, Iterator, List, Optional, Tuple, TypeVar, cast
from ._values import decode
from ._way import FAST
from ._where import caller
from ._withholding import Withholding

Message = TypeVar("Message")


def name_in_library(address: int) -> Optional[str]:
    """What C code, or Python code, has named an observable."""
    value = Value()
    check(native.observable_name(address, addressof(value)))
    try:
        return cast(Optional[str], decode(value))
    finally:
        native.value_clear(addressof(value))


def retained(pointer: int) -> int:
    """A pointer to an observable of a C program, with an owner more."""
    if type(pointer) is not int or pointer <= 0:
        raise TypeError(f"pointer must be the address of a swo_observable, not {pointer!r}")
    native.observable_retain(pointer)
    return pointer


class Observable(Handle, Observing[Message], Withholding[Message], Transforming[Message]):
    """Sends messages, one at a time and in order, to handlers in the order in which they began.

    Messages, observing and stopping may come from any thread and from inside handlers. When the last
    reference to an observable is gone, its observations stop: they do not keep it alive.
    """

    _release = staticmethod(native.observable_release)
    # Whether the library converts messages, as the plain way always has it.
    _native: bool
    # These are of the object alone, because Python finds such attributes ten times faster.
    _stops_at_failure: bool
    _ordered: bool
    _reference: ref[Observable[Any]]
    # Its pointer as the fast way passes it to the library; what sends one message on that way, once somebody has
    # sent, and by what.
    _argument: Any
    _sender: Any
    _call: Any
    # A failure has ended the delivery that is in progress.
    _is_stopped = False
    _failure_handler: Optional[Callable[[Failure], object]] = None
    _name: Optional[str] = None
    # What to call it in a graph, where the library does not know.
    _kind: Optional[str] = None
    # The number of the message that is being delivered, where messages are counted; else more than any.
    _count: float = float("inf")

    def __init__(self, address: int, contexts: Contexts, is_native: bool, name: Optional[str] = None) -> None:
        self._own(address, contexts)
        self._native = is_native or not FAST
        self._ordered = True
        self._reference = ref(self)
        self._stops_at_failure = False
        self._has_pointer = is_native
        self._argument = None if self._native else _fast.argument(address)
        self._sender = self._call = None
        self._spot = caller()
        if name is not None:
            self.name = name

    @property
    def latest_message(self) -> Message:
        """The message that can be had without waiting: of a variable, of a cache, and of what is mapped from one.

        It is computed anew each time. `TypeError` where there is none.
        """
        from ._buffers import latest_of, no_latest_message

        if not self._has_pointer:
            raise TypeError(no_latest_message(self))
        # What C code has made may well have one.
        return cast(Message, latest_of(self))

    def send_latest(self, *, author: Any = None) -> None:
        """Sends the latest message, where there is one, to all that observe. `TypeError` where there is none.

        >>> from swiftobserver import Var
        >>> volume = Var(3)
        >>> with volume.observe(print):
        ...     volume.send_latest()
        Update(old=3, new=3)
        """
        from ._buffers import send_latest

        send_latest(self, author)

    @property
    def count(self) -> int:
        """How many observations of this are living, those of transforms and of C code included."""
        return int(native.observable_count(self._address))

    @property
    def observations(self) -> Tuple[Observation, ...]:
        """The living observations of this observable that were begun in Python, by whoever. Looks at all there are."""
        return observations_of(self)

    @property
    def stops_at_failure(self) -> bool:
        """Whether the first handler that fails ends the delivery: what waits is not delivered either.

        Ordinarily the other handlers still receive. It can be changed while nobody observes, and costs the
        fast way.
        """
        return self._stops_at_failure

    @stops_at_failure.setter
    def stops_at_failure(self, stops: bool) -> None:
        if self.observations:
            raise RuntimeError("stops_at_failure must be set before anybody observes")
        self._stops_at_failure = bool(stops)

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
        """What this observable is called in errors, in graphs, and by C code."""
        return name_in_library(self._address) if self._has_pointer and self._address else self._name

    @name.setter
    def name(self, name: Optional[str]) -> None:
        if name is not None and not isinstance(name, str):
            raise TypeError(f"name must be a str or None, not {type(name).__name__}")
        if name is not None and "\0" in name:
            raise ValueError("name must not contain a zero character")
        check(native.observable_set_name(self._address, None if name is None else name.encode()), "name")
        self._name = name

    @property
    def graph_dot(self) -> str:
        """The graph of this observable in the language of Graphviz; see `graph`."""
        from ._graph import graph

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

    @property
    def pointer(self) -> int:
        """The `swo_observable *` by which C code observes, sends and sets: valid as long as this lives.

        Only what was made with `native=True`, from such an observable, or by `adopt` has one. Its handlers
        run on whatever thread C code sends on.
        """
        if not self._has_pointer:
            raise ValueError("C code cannot reach this observable: make it with native=True")
        if not self._address:
            raise ValueError("this observable is gone")
        return self._address

    def _keep_order(self, ordered: bool) -> None:
        check(native.observable_set_ordered(self._address, ordered), type(self).__name__)
        self._ordered = ordered

    def _silence(self) -> None:
        self._argument = None
        if self._call is not None:
            self._call.observable = None

    def _recall(self, count: int) -> Tuple[List[Tuple[Any, Any]], float]:
        """The last messages with their authors, and what to compare `_count` with; see _replay.py."""
        return [(self.latest_message, self)], 0

    def _origins(self) -> Iterator[Observable[Any]]:
        """What this is made from, directly or not."""
        return iter(())

    def _title(self) -> str:
        called = self.name
        name = f" {called!r}" if called is not None else ""
        return f"{type(self).__name__}{name} made at {self._made}"

    def __repr__(self) -> str:
        return f"<{self._title()}>"


if FAST:
    from . import _fast
