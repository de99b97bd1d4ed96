# SPDX-License-Identifier: MIT
"""What can be observed, whatever kind it is."""

from __future__ import annotations

from ctypes import addressof
from weakref import ref

from . import _native as native
from ._arity import require_one_argument
from ._context import Contexts
from ._elsewhere import Place
from ._errors import Failure, check
from ._handle import Handle
from ._observation import Observation, begin, observations_of
from ._structures import Value
from ._transforming import Transforming
from ._typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ContextManager,
    Coroutine,
    Iterator,
    List,
    Literal,
    Optional,
    Tuple,
    TypeVar,
    Union,
    cast,
    overload,
)
from ._values import decode
from ._way import FAST
from ._where import caller
from ._within import Within

if TYPE_CHECKING:
    from ._asynchronous import Messages
    from ._pausing import Pause

Message = TypeVar("Message")
Result = TypeVar("Result")
Content = TypeVar("Content")

# How many of the last messages a handler receives first.
Replay = Union[int, Literal["latest", "all"], None]

Handler = Union[Callable[[Message], object], Callable[[Message, Any], object]]

MISSING: Any = object()


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


class Observable(Handle, Transforming[Message]):
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
    # Those that are in progress, the oldest first.
    _pauses: Tuple[Pause, ...] = ()
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

    @overload
    def observe(
        self,
        handler: Handler[Message],
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
    ) -> Observation: ...
    @overload
    def observe(
        self,
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
    ) -> Callable[[Handler[Message]], Observation]: ...
    def observe(
        self,
        handler: Any = MISSING,
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
    ) -> Any:
        """Begins an observation, which lasts as long as this observable or until it is stopped.

        The handler takes `(message)` or `(message, author)`. Begun inside a handler, the observation
        receives the next message first. As a decorator, with or without parentheses, the name that is
        decorated becomes the observation.

        A bound method is held weakly: the observation ends with the method's object, which it does not keep
        alive. `weak=False` keeps it. Every other handler is kept. With `once` the observation is over when
        the first message comes, before the handler is called.

        `on` is where the handler is called: an event loop, or a function that has jobs run, like the `submit`
        of an executor or the `put` of a queue. It is called with one message at a time, in order, and not
        any more once the observation is stopped. A coroutine function runs on the loop in which it is
        attached unless told otherwise; cancelling it ends the observation. What fails there is told to the
        `failure_handler`, or else to the loop or to whoever runs the job.

        With `replay` the handler first receives what was sent before: a number of the last messages, "latest" or
        "all", as far as they are remembered. What has a `latest_message` remembers that one, what `replaying` makes
        remembers more. The replay has been received when this returns; if C code can reach the observable and a
        message is just being delivered, it comes after that one. A handler that fails then has not begun to observe.

        >>> from swiftobserver import Messenger
        >>> names: Messenger[str] = Messenger()
        >>> @names.observe
        ... def greet(name):
        ...     print("hello,", name)
        >>> names.send("world")
        hello, world
        >>> greet.stop()
        True
        """
        if handler is MISSING:
            return lambda handler: begin(self, None, handler, weak, once, on, replay)
        return begin(self, None, handler, weak, once, on, replay)

    def messages(self, most: Optional[int] = None) -> Messages[Message]:
        """The messages from now on, for `async for`. The oldest are dropped if more than `most` would wait.

        An observable itself serves, too: `async for message in observable`. Needs a running event loop.
        """
        from ._asynchronous import Messages

        return Messages(self, most)

    def __aiter__(self) -> Messages[Message]:
        return self.messages()

    def next(self) -> Coroutine[Any, Any, Message]:
        """The next message, to be awaited. Observes from when the waiting begins; cancelling it ends that."""
        from ._asynchronous import next_message

        return next_message(self)

    def blocked(self) -> Within:
        """Within, what is sent is dropped. A variable changes as ever. What was sent before still arrives.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> with numbers.observe(print):
        ...     with numbers.blocked():
        ...         numbers.send(1)
        ...     numbers.send(2)
        2
        """
        return Within(self._block, self._unblock)

    def paused(
        self, reducer: Optional[Callable[[Message, Message], Message]] = None, *, initial: Message = MISSING
    ) -> ContextManager[None]:
        """Within, what is sent waits. At the end it is delivered, in the order sent, and by the same authors.

        With a `reducer` only one message is delivered, if there were any: what `functools.reduce` makes of them, and
        of `initial`, if that is given. A variable changes as ever, only its updates wait. What was sent before still
        arrives. Messengers and variables that C code cannot reach are paused; with them what is made from them is.

        >>> from swiftobserver import Messenger
        >>> numbers: Messenger[int] = Messenger()
        >>> with numbers.observe(print):
        ...     with numbers.paused():
        ...         numbers.send(1)
        ...         print("sent")
        ...     with numbers.paused(lambda one, other: one + other):
        ...         numbers.send(2)
        ...         numbers.send(3)
        sent
        1
        5
        """
        raise TypeError(f"{type(self).__name__} cannot be paused: what it is made from can")

    @property
    def is_paused(self) -> bool:
        """Whether what is sent waits: within `paused()`."""
        return bool(self._pauses)

    @property
    def is_blocked(self) -> bool:
        """Whether what is sent is dropped: within `blocked()`."""
        return bool(native.observable_is_blocked(self._address))

    def _block(self) -> None:
        check(native.observable_block(self._address), type(self).__name__)

    def _unblock(self) -> None:
        check(native.observable_unblock(self._address), type(self).__name__)

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

    def _before_pause(self) -> None:
        """Called when a pause is about to begin. This and what follows: see _pausing.py."""

    def _after_pause(self) -> None:
        """Called when a pause is over."""

    def _pauses_begin(self) -> None:
        """Called when the first of several pauses has begun. The lock of all pauses is held."""

    def _prepare_end_of_pauses(self) -> Any:
        """Called when all that waited has been sent. The result goes to `_pauses_end`."""

    def _pauses_end(self, state: Any) -> bool:
        """Whether the last of several pauses can end now. If so, it does. The lock of all pauses is held."""
        return True

    def _send_waiting(self, message: Any, author: Any) -> None:
        """Sends what has waited. What fails is noted."""
        from ._relays import pass_on

        pass_on(self, message, author)

    def _require_message(self, message: Any) -> None:
        """`TypeError` for what this cannot send."""

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
