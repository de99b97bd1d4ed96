# SPDX-License-Identifier: MIT
"""Owns one reference to an object of the library, for as long as its Python object lives."""

from __future__ import annotations

import atexit
import sys
from weakref import WeakValueDictionary

from . import _native as native
from ._context import Contexts, contexts_left_behind, forget_if_empty, leave_behind
from ._progress import nobody_is_sending
from ._structures import pointing
from ._typing import Any, Callable, ClassVar, Optional
from ._where import Place, Spot, place_of

# By address, so that an author that is an observable can be told. Weak: it keeps nothing alive.
_living: WeakValueDictionary[int, Handle] = WeakValueDictionary()


class Handle:
    """An observable or an observer."""

    # Of the class, so that an object whose __init__ was never reached can still be dropped.
    _address: int = 0
    _contexts: Contexts
    _spot: Spot
    _release: ClassVar[Callable[[int], None]]

    def _own(self, address: int, contexts: Contexts) -> None:
        if self._address:
            # The library is using the contexts of the first life.
            type(self)._release(address)
            raise RuntimeError(f"{type(self).__name__} is initialised already")
        self._address = address
        self._contexts = contexts
        _living[address] = self

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        # When the interpreter is going, the system takes the memory back, and modules may be gone.
        if not self._address or is_finalizing():
            return
        address, self._address = self._address, 0
        self._silence()
        contexts = self._contexts
        _living.pop(address, None)
        leave_behind(contexts)
        type(self)._release(address)
        forget_if_empty(contexts)
        # Of what C code can reach it may have a reference, too.
        if pointing is not None and contexts and not getattr(self, "_has_pointer", False):
            _abandon(contexts)

    @property
    def _made(self) -> Place:
        return place_of(self._spot)

    def _silence(self) -> None:
        """Sees to it that nothing uses the native object any more."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"cannot copy or pickle an object of type {type(self).__name__}")


# What owners left behind that only what dies together with them can reach, until nobody is sending.
_abandoned: list[Contexts] = []


def _abandon(contexts: Contexts) -> None:
    """Empties contexts without an owner. For PyPy, which finalises the objects of a cycle one after the other: what the
    first has left behind would keep the others, and with them itself. What waits here is emptied when the next dies."""
    _abandoned.append(contexts)
    while _abandoned and nobody_is_sending():
        try:
            abandoned = _abandoned.pop()
        except IndexError:
            return
        for context in list(abandoned):
            native.stop(getattr(context, "_number", 0))
            context._leave()


def handle_at(address: int) -> Optional[Handle]:
    """The living Python object of a native one."""
    return _living.get(address)


def living_handles() -> list[Handle]:
    """All observables and observers there are."""
    return list(_living.values())


@atexit.register
def _stop_everything() -> None:
    # Nothing may call into an interpreter that is being taken down, not even a thread of a C program.
    for contexts in [handle._contexts for handle in list(_living.values())] + contexts_left_behind():
        for context in list(contexts):
            native.stop(getattr(context, "_number", 0))
