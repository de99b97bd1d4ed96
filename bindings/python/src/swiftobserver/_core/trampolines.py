# SPDX-License-Identifier: MIT
"""How a message gets from the library to a handler. Each trampoline is a type, and begins observations by its own call.

    VECTORCALL        library --> handler
    VECTORCALL_METHOD library --> method, whose object the library looks up and does not keep
    Callback    library --> callback of ctypes --> handler (and author)

_values/replay.py has two more. Before a handler may stand what holds a method weakly, and what serves once.
"""

from __future__ import annotations

from ctypes import byref
from types import BuiltinMethodType, MethodType
from weakref import ref

from .._library import declarations as library
from .._library.environment import lasting
from .._library.inspection import name_of
from .._library.ownership import Handle, destroy
from .._library.typing import Any, Callable, Optional
from .._values.encoding import message_at
from .authors import author_at
from .parts import AnyObservable, AnyObservation


class Trampoline:
    """Begins observations of one kind."""

    __slots__ = ()

    def begin(self, observation: AnyObservation, observable: AnyObservable, observer: Optional[Handle]) -> int:
        """Has the library begin an observation that knows its handler. Returns its status."""
        raise NotImplementedError


class _Vectorcall(Trampoline):
    """For handlers without an author, of what C code cannot reach."""

    __slots__ = ()

    def begin(self, observation: AnyObservation, observable: AnyObservable, observer: Optional[Handle]) -> int:
        return observable._store.calls.observe(observable, observer, observation, observation._number)  # type: ignore[no-any-return]


class _VectorcallMethod(Trampoline):
    """The same for methods that are held weakly. The handler is a `WeakMethod`."""

    __slots__ = ()

    def begin(self, observation: AnyObservation, observable: AnyObservable, observer: Optional[Handle]) -> int:
        return observable._store.calls.observe_method(observable, observer, observation, observation._number)  # type: ignore[no-any-return]


class Callback(Trampoline):
    """For all others: ctypes is in between."""

    __slots__ = ("function",)

    def __init__(self, receive: Callable[[AnyObservation, int, int], None]) -> None:
        self.function = lasting(library.HANDLER(receive))

    def begin(self, observation: AnyObservation, observable: AnyObservable, observer: Optional[Handle]) -> int:
        observable._goes_through_callbacks()
        return library.observe(  # type: ignore[no-any-return]
            observable._address,
            None if observer is None else observer._address,
            self.function,
            observation,
            destroy,
            byref(observation._number),
        )


def _receive(observation: AnyObservation, message: int, author: int) -> None:
    try:
        observation._handler(message_at(message))
    except BaseException as error:
        observation._failed(error)


def _receive_with_author(observation: AnyObservation, message: int, author: int) -> None:
    try:
        observation._handler(message_at(message), author_at(author))
    except BaseException as error:
        observation._failed(error)


def _unless_stopped(receive: Callable[[AnyObservation, int, int], None]) -> Callable[[AnyObservation, int, int], None]:
    """For observables whose first failure ends the delivery."""

    def receive_unless_stopped(observation: AnyObservation, message: int, author: int) -> None:
        observable = observation._observable()
        if observable is None or not observable._is_stopped:
            receive(observation, message, author)

    return receive_unless_stopped


VECTORCALL, VECTORCALL_METHOD = _Vectorcall(), _VectorcallMethod()
# Few callbacks serve all observations.
_ON_MESSAGE = Callback(_receive)
_ON_MESSAGE_AND_AUTHOR = Callback(_receive_with_author)
_ON_MESSAGE_UNLESS_STOPPED = Callback(_unless_stopped(_receive))
_ON_MESSAGE_AND_AUTHOR_UNLESS_STOPPED = Callback(_unless_stopped(_receive_with_author))


def callback(both: bool, stops_at_failure: bool) -> Callback:
    """The trampoline by callback for handlers that take the author, or do not."""
    if stops_at_failure:
        return _ON_MESSAGE_AND_AUTHOR_UNLESS_STOPPED if both else _ON_MESSAGE_UNLESS_STOPPED
    return _ON_MESSAGE_AND_AUTHOR if both else _ON_MESSAGE


def trampoline(observable: AnyObservable, both: bool) -> Trampoline:
    """The best trampoline from an observable to a handler that is kept."""
    if both or observable._stops_at_failure or observable._store.calls.observe is None:
        return callback(both, observable._stops_at_failure)
    return VECTORCALL


def is_held_weakly(handler: Any, weak: Optional[bool], may_be_any: bool) -> bool:
    """Whether a handler is held weakly: methods are, unless told otherwise; other handlers cannot be.

    With `may_be_any`, `weak` is said of what is observed, too, and of the handler as far as that is possible.
    """
    if type(handler) is MethodType:
        if weak is None or (weak and may_be_any):
            try:
                ref(handler.__self__)
            except TypeError:
                return False
            return True
        return weak
    if weak and not may_be_any:
        kind = type(handler).__name__
        raise TypeError(
            "weak: only a bound method can be held weakly, for only its object has a life of its own: handler is a"
            f" {kind}"
        )
    return False


class WeakMethod:
    """A method that is called by vectorcall: the library itself looks whether the object is still there."""

    __slots__ = ("function", "reference")

    def __init__(self, method: Any, observation: AnyObservation) -> None:
        self.function = method.__func__
        self.reference = _ending(observation, method.__self__)

    def __getattr__(self, name: str) -> Any:
        # Its name, when something wants to read that.
        return getattr(self.function, name)


def _ending(observation: AnyObservation, target: Any) -> ref[Any]:
    """A reference to an object with which the observation ends."""
    reference_to_observation = ref(observation)

    def end(_: Any) -> None:
        ending = reference_to_observation()
        if ending is not None:
            ending.stop()

    return ref(target, end)


def weakly(method: Any, observation: AnyObservation, count: int) -> Callable[..., Any]:
    """A handler that does not keep the object of a method alive, and ends the observation with it."""
    function = method.__func__
    reference = _ending(observation, method.__self__)

    def call(*arguments: Any) -> Any:
        each = reference()
        return function(each, *arguments[:count]) if each is not None else None

    return named(call, function, reference)


def without_message(handler: Callable[[], Any]) -> Callable[..., Any]:
    """A handler for one that takes nothing."""

    def call(message: Any) -> Any:
        return handler()

    return named(call, handler)


def serving_once(handler: Callable[..., Any], observation: AnyObservation) -> Callable[..., Any]:
    """A handler that ends its observation before it is called."""

    # Not kept: what is called belongs to the observation.
    reference = ref(observation)

    def call(*arguments: Any) -> Any:
        ending = reference()
        if ending is not None and ending.stop():
            return handler(*arguments)
        return None

    return named(call, handler)


def named(call: Any, handler: Any, owner: Optional[ref[Any]] = None) -> Callable[..., Any]:
    """A function that stands before a handler, under the name of that. `owner` is the object of a weak method."""
    call.__qualname__ = name_of(handler)
    call.before = handler, owner
    return call  # type: ignore[no-any-return]


def serves(present: Any, handler: Any) -> bool:
    """Whether the present handler of an observation calls this one in the end."""
    owner: Any = None
    while present is not None:
        if isinstance(present, WeakMethod):
            present, owner = present.function, present.reference
        elif hasattr(present, "before"):
            present, owner = present.before
        elif owner is None:
            # Methods are made each time; of others, two that are equal are two.
            is_method = isinstance(handler, (MethodType, BuiltinMethodType))
            return present is handler or (is_method and type(present) is type(handler) and bool(present == handler))
        else:
            return type(handler) is MethodType and handler.__func__ is present and handler.__self__ is owner()
    return False
