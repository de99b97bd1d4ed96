# SPDX-License-Identifier: MIT
"""What stands between an observation and the handler that it was given: weak methods, handlers that serve once."""

from __future__ import annotations

from types import MethodType
from weakref import ref

from ._typing import TYPE_CHECKING, Any, Callable, Optional
from ._where import name_of

if TYPE_CHECKING:
    from ._observation import Observation


def is_held_weakly(handler: Any, weak: Optional[bool]) -> bool:
    """Whether a handler is held weakly: methods are, unless told otherwise; other handlers cannot be."""
    if type(handler) is MethodType:
        if weak is None:
            try:
                ref(handler.__self__)
            except TypeError:
                return False
            return True
        return weak
    if weak:
        raise TypeError("weak: only a bound method can be held weakly, for only its object has a life of its own")
    return False


class WeakMethod:
    """The handler that a method is on the fast way: the library itself looks whether the object is still there."""

    __slots__ = ("function", "reference")

    def __init__(self, method: Any, observation: Observation) -> None:
        self.function = method.__func__
        self.reference = _ending(observation, method.__self__)

    def __getattr__(self, name: str) -> Any:
        # Its name, when somebody wants to read that.
        return getattr(self.function, name)


def _ending(observation: Observation, target: Any) -> ref[Any]:
    """A reference to an object with which the observation ends."""
    reference_to_observation = ref(observation)

    def end(_: Any) -> None:
        ending = reference_to_observation()
        if ending is not None:
            ending.stop()

    return ref(target, end)


def weakly(method: Any, observation: Observation, both: bool) -> Callable[..., Any]:
    """A handler that does not keep the object of a method alive, and ends the observation with it."""
    function = method.__func__
    reference = _ending(observation, method.__self__)
    if both:

        def call_with_author(message: Any, author: Any) -> Any:
            each = reference()
            return function(each, message, author) if each is not None else None

        return _named(call_with_author, function)

    def call(message: Any) -> Any:
        each = reference()
        return function(each, message) if each is not None else None

    return _named(call, function)


def serving_once(handler: Callable[..., Any], observation: Observation) -> Callable[..., Any]:
    """A handler whose observation is over before it is called."""

    # Not kept: what is called belongs to the observation.
    reference = ref(observation)

    def call(*arguments: Any) -> Any:
        ending = reference()
        if ending is not None and ending.stop():
            return handler(*arguments)
        return None

    return _named(call, handler)


def _named(call: Any, function: Any) -> Callable[..., Any]:
    call.__qualname__ = name_of(function)
    return call  # type: ignore[no-any-return]
