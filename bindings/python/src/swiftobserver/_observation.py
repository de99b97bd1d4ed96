# SPDX-License-Identifier: MIT
"""One handler that receives the messages of one observable."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, Optional
from weakref import ref

from . import _native as native
from . import _structures as structures
from ._arity import takes_author
from ._authors import author_at
from ._context import Context, destroy
from ._delivery import failed
from ._errors import check
from ._handle import Handle
from ._values import message_at
from ._way import FAST
from ._where import Spot, caller, name_of, place_of

if FAST:
    from . import _fast

_stop = native.stop

if TYPE_CHECKING:
    from types import TracebackType

    from ._observable import Observable


class Observation(Context):
    """Lasts until `stop()`, the end of its `with` block, or the death of its observable or observer.

    Dropping this object changes nothing: the observation goes on.

    >>> from swiftobserver import Messenger
    >>> numbers: Messenger[int] = Messenger()
    >>> with numbers.observe(print):
    ...     numbers.send(1)
    1
    >>> numbers.send(2)
    """

    __slots__ = ("_number", "_handler", "_observable", "_spot")
    _number: c_uint64
    _handler: Any
    _observable: ref[Observable[Any]]
    _spot: Spot

    def stop(self, wait: bool = False) -> bool:
        """Ends the observation: once this has returned, no call of the handler begins.

        With `wait` it returns only when the handler is not running on any other thread. Returns whether
        the observation was living; stopping again is harmless.
        """
        status: int = native.stop_and_wait(self._number) if wait else _stop(self._number)
        return status == 0

    @property
    def is_living(self) -> bool:
        """Whether messages still arrive."""
        return bool(native.is_living(self._number))

    def __enter__(self) -> Observation:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        exception: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        handler, observable = self._handler, self._observable()
        if handler is None or observable is None or not self.is_living:
            return f"<Observation, ended, attached at {place_of(self._spot)}>"
        return f"<Observation of {observable!r} by {name_of(handler)}, attached at {place_of(self._spot)}>"

    def _leave(self) -> None:
        self._handler = None

    def _failed(self, exception: BaseException) -> None:
        failed(exception, "handler", name_of(self._handler), self._observable, place_of(self._spot))


def begin(observable: Observable[Any], observer: Optional[Handle], handler: Any) -> Observation:
    """Starts an observation, kept by `observer`, or by the observable where there is none."""
    both = takes_author(handler)
    observation = Observation()
    observation._number = number = c_uint64()
    observation._handler = handler
    observation._observable = ref(observable)
    observation._spot = caller()
    observation._contexts = contexts = (observable if observer is None else observer)._contexts
    contexts[id(observation)] = observation
    if both or observable._native:
        status = native.observe(
            observable._address,
            None if observer is None else observer._address,
            _on_message_and_author if both else _on_message,
            observation,
            destroy,
            byref(number),
        )
    else:
        status = _fast.observe(observable, observer, observation, number)
    if status:
        check(status, "observable")
    return observation


def _receive(observation: Observation, message: int, author: int) -> None:
    try:
        observation._handler(message_at(message))
    except BaseException as error:
        observation._failed(error)


def _receive_with_author(observation: Observation, message: int, author: int) -> None:
    try:
        observation._handler(message_at(message), author_at(author))
    except BaseException as error:
        observation._failed(error)


# Two callbacks for all observations: which one serves is decided when a handler is attached.
_on_message = structures.HANDLER(_receive)
_on_message_and_author = structures.HANDLER(_receive_with_author)
