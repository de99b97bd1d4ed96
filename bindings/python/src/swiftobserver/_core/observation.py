# SPDX-License-Identifier: MIT
"""One handler that receives the messages of one observable, and how that begins."""

from __future__ import annotations

from ctypes import c_uint64
from types import CodeType, MethodType
from weakref import ref

from .._library import declarations as library
from .._library.inspection import Place as Line
from .._library.inspection import argument_count, caller, hint, is_coroutine_function, name_of, place_of
from .._library.ownership import Handle, living_handles
from .._library.typing import (
    MISSING,
    TYPE_CHECKING,
    Any,
    Callable,
    Coroutine,
    Generic,
    Literal,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    overload,
)
from .._values.moments import beside, is_in_function, running
from .._values.replay import replay_count
from .executors import Executor, Place, running_loop
from .failures import Failure, add_briefly, check, failed
from .parts import AnyObservable, AnyObservation
from .trampolines import (
    VECTORCALL,
    VECTORCALL_METHOD,
    WeakMethod,
    is_held_weakly,
    serves,
    serving_once,
    trampoline,
    weakly,
    without_message,
)
from .within import Lasting, Stay, Within

_stop = library.stop

if TYPE_CHECKING:
    from .._operators.timed import Messages
else:
    from .._library.typing import later

    Messages = later("swiftobserver._operators.timed", "Messages")

Message = TypeVar("Message")
Message_co = TypeVar("Message_co", covariant=True)

# How many of the last messages a handler receives first.
Replay = Union[int, Literal["latest", "all"], None]

Handler = Union[Callable[[Message], object], Callable[[Message, Any], object], Callable[[], object]]


class Observation(AnyObservation, Lasting):
    """Lasts until `stop()`, the end of its `with` block, or the death of its observable or observer.

    Dropping this object changes nothing: the observation goes on.

    >>> from swiftobserver import Messenger
    >>> numbers: Messenger[int] = Messenger()
    >>> with numbers.observe(print):
    ...     numbers.send(1)
    1
    >>> numbers.send(2)
    """

    __slots__ = ("_number", "_handler", "_observable", "_code", "_instruction")
    _number: c_uint64
    _handler: Any
    _executor: Optional[Executor] = None
    _observable: ref[AnyObservable]
    # The spot where it was attached.
    _code: CodeType
    _instruction: int

    def stop(self, wait: bool = False, timeout: Optional[float] = None) -> bool:
        """Ends the observation: once this has returned, no call of the handler begins.

        With `wait` it returns only when the handler is not running on any other thread, and not suspended there, if it
        is a coroutine. On the thread of its loop nothing waits for a coroutine. Two handlers that wait for each other
        wait for ever; with a `timeout` in seconds, `TimeoutError` names the one that still runs. Returns whether
        the observation was living; stopping again is harmless.
        """
        if wait or timeout is not None:
            # Lazy, for few programs wait.
            from .waiting import stop_and_wait

            return stop_and_wait(self, timeout)
        return _stop(self._number) == 0  # type: ignore[no-any-return]

    @property
    def is_living(self) -> bool:
        """Whether messages still arrive."""
        return bool(library.is_living(self._number))

    def blocked(self) -> Within:
        """Within, messages are lost to this observation. Others receive them.

        So are those that wait for an event loop, or for what `on` has run, if their turn comes within.
        """
        return Within(self._block, self._unblock, lambda: check(library.unblock(self._number), "observation"))

    def _block(self, stay: Stay) -> None:
        check(stay.call(library.block, self._number), "observation")

    def _unblock(self, stay: Stay) -> None:
        # At the end it may have ended itself.
        if stay.notes == [library.OK]:
            stay.call(library.unblock, self._number)

    @property
    def is_blocked(self) -> bool:
        """Whether messages are lost to this observation: within `blocked()`."""
        return bool(library.is_blocked(self._number))

    def __repr__(self) -> str:
        handler, observable = self._handler, self._observable()
        if handler is None or observable is None or not self.is_living:
            return f"<Observation, ended, attached at {self._place}>"
        return f"<Observation of {observable!r} by {name_of(handler)}, attached at {self._place}>"

    @property
    def _place(self) -> Line:
        return place_of((self._code, self._instruction))

    def _serves(self, handler: Any) -> bool:
        """Whether it began with this handler."""
        return serves(self._handler, handler)

    def _leave(self) -> None:
        self._handler = None

    def _failure(self, exception: BaseException) -> Failure:
        observable = self._observable()
        title = "an observable that is gone" if observable is None else observable._title()
        return Failure("handler", name_of(self._handler), title, self._place, exception)

    def _failed(self, exception: BaseException) -> None:
        try:
            failed(exception, "handler", name_of(self._handler), self._observable, self._place)
        except RecursionError:
            add_briefly(self._observable, "handler", exception)


class _ObservationWithMore(Observation):
    # Of its own, as most observations have none of these, and there may be many.
    __slots__ = ("_executor", "_kept", "_anchors")
    # The observable, if it is to live until this ends and the observer keeps this.
    _kept: Any
    # Otherwise what the observable is made from keeps it, for this observation.
    _anchors: Tuple[ref[AnyObservable], ...]

    def _keep(self, observable: AnyObservable, has_observer: bool) -> None:
        self._kept, self._anchors = None, ()
        if has_observer or not observable._upstream.is_kept:
            self._kept = observable
            return
        origins = [each for each in observable._origins() if not each._upstream.is_kept]
        for each in origins:
            each._kept_for[self] = observable
        self._anchors = tuple(each._reference for each in origins)

    def _leave(self) -> None:
        super()._leave()
        self._kept = None
        for each in self._anchors:
            origin = each()
            if origin is not None:
                origin._kept_for.pop(self, None)


class Part(_ObservationWithMore):
    """One of several that end together."""

    __slots__ = ("_parts",)
    _parts: Sequence[Observation]

    def _leave(self) -> None:
        super()._leave()
        parts, self._parts = self._parts, ()
        for each in parts:
            each.stop()


def observations_of(observable: AnyObservable) -> Tuple[Observation, ...]:
    """Those that live."""
    found = [
        context
        for keeper in living_handles()
        for context in list(keeper._contexts)
        if isinstance(context, Observation) and context._observable() is observable and context.is_living
    ]
    return tuple(found)


class Options(NamedTuple):
    """How to observe; see `Observable.observe`."""

    weak: Optional[bool] = None
    once: bool = False
    on: Optional[Place] = None
    replay: Replay = None
    keep: Optional[bool] = None


USUAL = Options()


def begin(
    observable: AnyObservable,
    observer: Optional[Handle],
    handler: Any,
    options: Options = USUAL,
    parts: Optional[Sequence[Observation]] = None,
) -> Observation:
    """Starts an observation, kept by `observer`, or by the observable where there is none. With it `parts` end."""
    if not observable._address:
        observable._require_initialised()
    weak, once, on, replay, keep = options
    is_coroutine = False
    try:
        count = argument_count(handler)
    except TypeError:
        place = on if on is not None else running_loop()
        if place is None or not is_coroutine_function(handler):
            raise
        on, is_coroutine = place, True
        count = argument_count(handler, True)
    both = count == 2
    if keep is None:
        keep = observable._upstream.is_kept and not weak
    if parts is not None:
        observation: Observation = Part()
        observation._parts = parts  # type: ignore[attr-defined]
    else:
        observation = Observation() if on is None and not keep else _ObservationWithMore()
    observation._number = c_uint64()
    observation._handler = handler
    observation._observable = observable._reference
    # This one and the method that it serves are not where to look.
    observation._code, observation._instruction = caller(3)
    observation._contexts = contexts = (observable if observer is None else observer)._contexts
    way = trampoline(observable, both)
    if (weak or type(handler) is MethodType) and is_held_weakly(handler, weak, observable._upstream.is_kept):
        if way is VECTORCALL and count and not once and on is None and replay is None:
            observation._handler = WeakMethod(handler, observation)
            way = VECTORCALL_METHOD
        else:
            observation._handler = weakly(handler, observation, count)
    elif not count:
        observation._handler = without_message(handler)
    if once:
        observation._handler = serving_once(observation._handler, observation)
    if isinstance(observation, _ObservationWithMore):
        observation._executor, observation._anchors = None, ()
        if on is not None:
            observation._executor = executor = Executor(observation, observation._handler, on, is_coroutine)
            observation._handler = executor.receiver(both)
    if replay is not None:
        count = replay_count(replay, "replay")
        if count:
            way = observable._store.replaying(observable, both, count, way)
    if keep:
        # The type is the one that has this.
        observation._keep(observable, observer is not None)  # type: ignore[attr-defined]
    contexts[observation] = None
    try:
        if replay is not None and running and is_in_function():
            status = beside(way.begin, observation, observable, observer)
        else:
            status = way.begin(observation, observable, observer)
        if status:
            check(status, "observable")
        return observation
    except BaseException:
        # A caller that does not get it cannot end it.
        observation.stop()
        raise


class Observing(Generic[Message_co]):
    """Has handlers, and coroutines that wait, receive the messages."""

    @overload
    def observe(
        self,
        handler: Callable[[Message_co], object],
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
    ) -> Observation: ...
    @overload
    def observe(
        self,
        handler: Callable[[Message_co, Any], object],
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
    ) -> Observation: ...
    @overload
    def observe(
        self,
        handler: Callable[[], object],
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
    ) -> Callable[[Handler[Message_co]], Observation]: ...
    def observe(
        self: Any,
        handler: Any = MISSING,
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
    ) -> Any:
        """Begins an observation, which lasts as long as this observable or until it is stopped.

        The handler takes `(message)`, `(message, author)` or nothing; behind a decorator that takes any arguments, the
        author goes to a parameter of that name. Begun inside a handler, the observation receives the next message
        first. As a decorator, with or without parentheses, the name that is
        decorated becomes the observation.

        A bound method is held weakly: the observation ends with the method's object, which it does not keep
        alive. `weak=False` keeps it. Every other handler is kept. So is a transform that is observed, as long as what
        it is made from; `weak=True` keeps neither transform nor method. With `once` the observation is over when
        the first message comes, before the handler is called.

        `on` is where the handler is called: an event loop, or a function that has jobs run, like the `submit`
        of an executor or the `put` of a queue. It is called with one message at a time, in order, and not
        any more once the observation is stopped. A coroutine function runs on the loop in which it is
        attached unless told otherwise; cancelling it ends the observation. What fails there is told to the
        `failure_handler`, or else to the loop or to what runs the job: that is the send, if the job runs at once.

        With `replay` the handler first receives what was sent before: a number of the last messages, "latest" or
        "all", as far as they are remembered. What has a `latest_message` remembers that one, what `replaying` makes
        remembers more. The replay has been received when this returns; if C code can reach the observable and a
        message is just being delivered, it comes after that one. What the handler sends then comes after the replay. A
        handler that fails then has not begun to observe.

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
        options = USUAL
        if weak is not None or once or on is not None or replay is not None:
            options = Options(weak, once, on, replay)
        if handler is MISSING:
            return lambda handler: begin(self, None, handler, options)
        return begin(self, None, handler, options)

    def messages(self: Any, most: Optional[int] = None, *, weak: bool = False) -> Messages[Message_co]:
        """The messages from now on, for `async for`. The oldest are dropped if more than `most` would wait.

        An observable itself serves, too: `async for message in observable`. The iterator keeps it alive; with `weak`
        it ends with the observable instead. Needs a running event loop.
        """
        # Lazy, because it loads asyncio.
        from .._operators.timed import Messages

        return Messages(self, most, weak)

    def __aiter__(self) -> Messages[Message_co]:
        return self.messages()

    def next(self: Any) -> Coroutine[Any, Any, Message_co]:
        """The next message, to be awaited. Observes from when the waiting begins; cancelling it ends that."""
        # Lazy, because it loads asyncio.
        from .._operators.timed import next_message

        return next_message(self)


def setter(target: Any, name: str) -> Callable[[Any], None]:
    """A handler that sets an attribute of an object, which it does not keep alive: the observation ends with that.

    >>> from swiftobserver import Var, setter
    >>> class Label:
    ...     text = ""
    >>> label, title = Label(), Var("")
    >>> observation = title.new().observe(setter(label, "text"))
    >>> title.value = "news"
    >>> label.text
    'news'
    """

    if not isinstance(name, str):
        raise TypeError(f"name must be a str, that of an attribute, not {type(name).__name__}")
    if target is None:
        raise TypeError("target must be an object with an attribute, not None")
    attribute = getattr(type(target), name, None)
    if isinstance(attribute, property) and attribute.fset is None:
        raise AttributeError(f"name must be that of an attribute that can be set, not {name!r}: it has no setter")
    if not hasattr(target, "__dict__") and not hasattr(type(target), name):
        near = hint(name, dir(target))
        raise AttributeError(f"name must be that of an attribute of a {type(target).__name__}, not {name!r}{near}")

    def set_attribute(target: Any, message: Any) -> None:
        setattr(target, name, message)

    return MethodType(set_attribute, target)
