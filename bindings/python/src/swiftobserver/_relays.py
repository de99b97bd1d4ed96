# SPDX-License-Identifier: MIT
"""Transforms that are told who the author is, that remember, or that have several sources: they observe, and send on.

source --observation, weakly--> relay --> its own handlers
   ^                              |
   +---------- kept alive --------+
"""

from __future__ import annotations

from _thread import get_ident
from ctypes import addressof

from . import _native as native
from ._authors import enter
from ._delivery import handled, was_handled
from ._observable import Message, Observable
from ._observation import begin
from ._progress import sending_here
from ._typing import Any, Callable, Iterator, Sequence
from ._values import encode, in_flight
from ._way import FAST

if FAST:
    from . import _fast


def accept_all(author: Any) -> bool:
    """Of relays that leave nothing out."""
    return True


class Relay(Observable[Message]):
    """An observable that sends what its sources send, if it accepts the author."""

    _kind = "relay"

    def __init__(self, sources: Sequence[Observable[Any]], accepts: Callable[[Any], bool]) -> None:
        super().__init__(native.messenger_new(), {}, sources[0]._has_pointer)
        self._sources = tuple(sources)
        self._accepts = accepts
        self._observations = [begin(source, None, self._receive, weak=True) for source in sources]

    def _origins(self) -> Iterator[Observable[Any]]:
        for source in self._sources:
            yield source
            yield from source._origins()

    def _receive(self, message: Any, author: Any) -> None:
        if self._accepts(author):
            pass_on(self, message, author)


class _WeakRelay(Relay[Any]):
    """Keeps its source no longer than others do."""

    _kind = "weak"

    def __init__(self, source: Observable[Any]) -> None:
        super().__init__([source], accept_all)
        self._sources = ()
        self._source = source._reference

    def _origins(self) -> Iterator[Observable[Any]]:
        source = self._source()
        if source is not None:
            yield source
            yield from source._origins()


def pass_on(observable: Observable[Any], message: Any, author: Any) -> None:
    """Sends to those that observe. What fails stays noted until the send that this is part of is over."""
    if not observable._native:
        _fast.send(observable, message, author)
        return
    value = encode(message)
    address = addressof(value)
    in_flight[address] = message
    before = handled.count(get_ident())
    try:
        with sending_here():
            native.send(observable._address, address, None if author is None else enter(author))
    finally:
        del in_flight[address]
        was_handled(before)


def from_author(source: Observable[Any], author: Any) -> Relay[Any]:
    """The transform behind `from_`."""
    return Relay([source], lambda each: each is author or each == author)


def not_from_author(source: Observable[Any], author: Any) -> Relay[Any]:
    """The transform behind `not_from`."""
    return Relay([source], lambda each: not (each is author or each == author))


def merged(sources: Sequence[Observable[Any]]) -> Relay[Any]:
    """The transform behind `merge`."""
    for each in sources:
        if not isinstance(each, Observable):
            raise TypeError(f"others must be observables, not {type(each).__name__}")
    if len({each._has_pointer for each in sources}) > 1:
        raise ValueError("others: what was made for C code and what was not cannot be merged")
    return Relay(sources, accept_all)


def weakly_relayed(source: Observable[Any]) -> Relay[Any]:
    """The transform behind `weak`."""
    return _WeakRelay(source)
