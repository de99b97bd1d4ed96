# SPDX-License-Identifier: MIT
"""One handler that receives the messages of one observable."""

from __future__ import annotations

from ctypes import byref, c_uint64
from types import CodeType, MethodType
from weakref import ref

from . import _native as native
from ._arity import is_coroutine_function, takes_author
from ._context import Context, destroy
from ._delivery import failed
from ._elsewhere import Elsewhere, Place, running_loop
from ._errors import Failure, check
from ._handle import Handle, living_handles
from ._handlers import WeakMethod, is_held_weakly, serving_once, weakly
from ._receiving import callback
from ._typing import TYPE_CHECKING, Any, Optional, Tuple, Union
from ._way import FAST
from ._where import Place as Line
from ._where import caller, name_of, place_of
from ._within import Lasting, Within

if FAST:
    from . import _fast

_stop = native.stop

if TYPE_CHECKING:
    from ._observable import Observable


class Observation(Context, Lasting):
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
    _elsewhere: Optional[Elsewhere] = None
    _observable: ref[Observable[Any]]
    # The spot where it was attached.
    _code: CodeType
    _instruction: int

    def stop(self, wait: bool = False) -> bool:
        """Ends the observation: once this has returned, no call of the handler begins.

        With `wait` it returns only when the handler is not running on any other thread. Returns whether
        the observation was living; stopping again is harmless.
        """
        status: int = native.stop_and_wait(self._number) if wait else _stop(self._number)
        if wait and self._elsewhere is not None:
            self._elsewhere.wait()
        return status == 0

    @property
    def is_living(self) -> bool:
        """Whether messages still arrive."""
        return bool(native.is_living(self._number))

    def blocked(self) -> Within:
        """Within, messages are lost to this observation. Others receive them."""
        # At the end it may have ended itself.
        return Within(self._block, lambda: native.unblock(self._number))

    def _block(self) -> None:
        check(native.block(self._number), "observation")

    @property
    def is_blocked(self) -> bool:
        """Whether messages are lost to this observation: within `blocked()`."""
        return bool(native.is_blocked(self._number))

    def __repr__(self) -> str:
        handler, observable = self._handler, self._observable()
        if handler is None or observable is None or not self.is_living:
            return f"<Observation, ended, attached at {self._place}>"
        return f"<Observation of {observable!r} by {name_of(handler)}, attached at {self._place}>"

    @property
    def _place(self) -> Line:
        return place_of((self._code, self._instruction))

    def _leave(self) -> None:
        self._handler = None

    def _failure(self, exception: BaseException) -> Failure:
        observable = self._observable()
        title = "an observable that is gone" if observable is None else observable._title()
        return Failure("handler", name_of(self._handler), title, self._place, exception)

    def _failed(self, exception: BaseException) -> None:
        failed(exception, "handler", name_of(self._handler), self._observable, self._place)


class _ObservationElsewhere(Observation):
    # Of its own, as most observations have none, and there may be many.
    __slots__ = ("_elsewhere",)


class _KeepingObservation(_ObservationElsewhere):
    """Keeps its observable alive until it ends."""

    __slots__ = ("_kept",)
    _kept: Any

    def _leave(self) -> None:
        super()._leave()
        self._kept = None


def _keeping(observable: Observable[Any]) -> Observation:
    observation = _KeepingObservation()
    observation._kept = observable
    observation._elsewhere = None
    return observation


def observations_of(observable: Observable[Any]) -> Tuple[Observation, ...]:
    """Those that live."""
    found = [
        context
        for keeper in living_handles()
        for context in list(keeper._contexts)
        if isinstance(context, Observation) and context._observable() is observable and context.is_living
    ]
    return tuple(found)


def begin(
    observable: Observable[Any],
    observer: Optional[Handle],
    handler: Any,
    weak: Optional[bool] = None,
    once: bool = False,
    on: Optional[Place] = None,
    replay: Union[int, str, None] = None,
    keep: bool = False,
) -> Observation:
    """Starts an observation, kept by `observer`, or by the observable where there is none."""
    loop = None
    try:
        both = takes_author(handler)
    except TypeError:
        loop = on if on is not None else running_loop()
        if loop is None or not is_coroutine_function(handler):
            raise
        both = takes_author(handler, True)
    is_elsewhere = on is not None or loop is not None
    observation = _keeping(observable) if keep else _ObservationElsewhere() if is_elsewhere else Observation()
    observation._number = number = c_uint64()
    observation._handler = handler
    observation._observable = observable._reference
    # This one and the method that it serves are not where to look.
    observation._code, observation._instruction = caller(3)
    observation._contexts = contexts = (observable if observer is None else observer)._contexts
    is_plain = both or observable._native or observable._stops_at_failure
    is_weak = (weak or type(handler) is MethodType) and is_held_weakly(handler, weak)
    if not (is_plain or once or is_elsewhere) and replay is None:
        # As most are, and as fast as can be.
        if is_weak:
            # Which may be refused, so before it is kept.
            observation._handler = WeakMethod(handler, observation)
        contexts[observation] = None
        begin_there = _fast.observe_method if is_weak else _fast.observe
        status = begin_there(observable, observer, observation, number)
    else:
        if is_weak:
            observation._handler = weakly(handler, observation, both)
        if once:
            observation._handler = serving_once(observation._handler, observation)
        if is_elsewhere:
            elsewhere = Elsewhere(observation, observation._handler, on if on is not None else loop, loop is not None)
            observation._handler = elsewhere.receiver(both)
            # Where there is one, it is an observation of that kind.
            observation._elsewhere = elsewhere  # type: ignore[misc]
        if replay is not None:
            from ._replay import begin_with_replay

            return begin_with_replay(observable, observer, observation, both, replay)
        status = start(observable, observer, observation, both)
    if status:
        check(status, "observable")
    return observation


def start(observable: Observable[Any], observer: Optional[Handle], observation: Observation, both: bool) -> int:
    """Has the library begin an observation that has its handler."""
    observation._contexts[observation] = None
    if both or observable._native or observable._stops_at_failure:
        return native.observe(  # type: ignore[no-any-return]
            observable._address,
            None if observer is None else observer._address,
            callback(both, observable._stops_at_failure),
            observation,
            destroy,
            byref(observation._number),
        )
    return _fast.observe(observable, observer, observation, observation._number)
