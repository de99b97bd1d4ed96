# SPDX-License-Identifier: MIT
"""Ownership: Python's of the library's objects, and the library's of Python's.

    observable or observer --contexts--> context --> handler, mapper, predicate, held value
       (a handle)                           ^
           +--> object of the library ..pointer..

A handle owns one reference to an object of the library, by a `_Life`: that ends when no weak reference leads to the
handle any more, by which another thread might get it back amid its end. A context is a Python object that the library
holds by pointer. The garbage collector misses no reference: a context lives in a plain dictionary of its handle until
the library destroys it. So a handler that refers to its own observable is an ordinary cycle, collected when nothing
else refers to it.
"""

from __future__ import annotations

import atexit
import sys
from weakref import WeakValueDictionary

from . import declarations as library
from .declarations import interpreter
from .environment import lasting
from .inspection import Place, Spot, hint, place_of
from .typing import TYPE_CHECKING, Any, Callable, ClassVar, Dict, Optional


class Context:
    """Something whose address is given to the library together with `destroy`."""

    __slots__ = ("_contexts", "__weakref__")
    _contexts: Contexts

    def _enter(self, contexts: Contexts) -> None:
        """Keeps this alive. Comes before the address is given away."""
        self._contexts = contexts
        contexts[self] = None

    def _leave(self) -> None:
        """Lets go of what this holds."""
        raise NotImplementedError

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"cannot copy or pickle an object of type {type(self).__name__}")


# A dictionary rather than a set, for its order.
Contexts = Dict[Context, None]

# The contexts of owners that are gone while another thread still delivers; empty otherwise.
_left_behind: dict[int, Contexts] = {}


def end(context: Context) -> None:
    """Lets go of a context that the library will not use again. On any thread."""
    contexts = context._contexts
    contexts.pop(context, None)
    if _left_behind and not contexts:
        _left_behind.pop(id(contexts), None)
    context._leave()


destroy = lasting(library.DESTROY(end))


def leave_behind(contexts: Contexts) -> None:
    """Keeps the contexts of a dying owner until each has been destroyed."""
    _left_behind[id(contexts)] = contexts
    interpreter.catch_up(contexts)


def contexts_left_behind() -> list[Contexts]:
    """Those of owners that are gone, although C code keeps what was theirs."""
    return list(_left_behind.values())


def forget_if_empty(contexts: Contexts) -> None:
    """The counterpart, for when releasing the owner has destroyed them all at once."""
    if not contexts:
        _left_behind.pop(id(contexts), None)


# By address, so that an author that is an observable can be told. Weak: it keeps nothing alive.
_living: WeakValueDictionary[int, Handle] = WeakValueDictionary()


_PACKAGE = __name__.partition(".")[0]

# Sets an attribute without a look at its name.
set_attribute = object.__setattr__


def _completing(initialise: Any) -> Any:
    """The `__init__` of a subclass, which has to call ours."""

    def __init__(self: Handle, *arguments: Any, **options: Any) -> None:
        initialise(self, *arguments, **options)
        self._require_initialised()

    for name in ("__module__", "__qualname__", "__doc__", "__annotations__"):
        setattr(__init__, name, getattr(initialise, name, None))
    __init__.__wrapped__ = initialise  # type: ignore[attr-defined]
    return __init__


# PyPy counts none: there the handle always ends its native object, as no weak reference leads to it by then.
_count_references: Callable[[Any], int] = getattr(sys, "getrefcount", lambda _: 1)


class _Life:
    """The reference of a handle to its native object. Only the handle has it."""

    __slots__ = ("address", "contexts", "release", "store", "call")

    def __init__(self, address: int, contexts: Contexts, release: Callable[[int], None]) -> None:
        self.contexts = contexts
        self.release = release
        # Of an observable: where it has what it sends, and what its function that sends knows.
        self.store: Any = None
        self.call: Any = None
        # Without it, after an interrupt, there is nothing to end.
        self.address = address

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing, count: Any = _count_references) -> None:
        # When the interpreter is going, the system takes the memory back, and modules may be gone. What the garbage
        # collector has found the handle still has, and ends itself.
        if getattr(self, "address", 0) and not is_finalizing() and count(self) <= _references_at_the_end:
            self.end()

    def end(self) -> None:
        address, self.address = self.address, 0
        if not address:
            return
        contexts, store = self.contexts, self.store
        try:
            if store is not None:
                store.end()
        finally:
            if self.call is not None:
                self.call.observable = None
            _living.pop(address, None)
            leave_behind(contexts)
            self.release(address)
            forget_if_empty(contexts)
        # Of what C code can reach it may have a reference, too.
        if contexts and (store is None or store.is_released()):
            interpreter.abandon(contexts, library.stop)


class _Dying:
    """Knows how many references there are to an object in its `__del__`, when there is none elsewhere."""

    def __init__(self, counts: Any) -> None:
        self.counts = counts

    def __del__(self, is_finalizing: Any = None, count: Any = _count_references) -> None:
        self.counts.append(count(self))


def _count_at_the_end() -> int:
    counts: Any = []
    _Dying(counts)
    return int(counts[0])


_references_at_the_end = _count_at_the_end() if hasattr(sys, "getrefcount") else 0


class Handle:
    """An observable or an observer."""

    # Of the class, so that an object whose __init__ was never reached can still be dropped.
    _address: int = 0
    _contexts: Contexts
    _life: Any = None
    _spot: Spot
    _release: ClassVar[Callable[[int], None]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__.partition(".")[0] != _PACKAGE:
            # What a program adds may have any name, and its __init__ may forget ours. Not as an assignment, which type
            # checkers take for a declaration.
            type.__setattr__(cls, "__setattr__", set_attribute)
            if "__init__" in vars(cls):
                type.__setattr__(cls, "__init__", _completing(cls.__init__))

    # Type checkers would let any attribute be set.
    if not TYPE_CHECKING:

        def __setattr__(self, name, value):
            if name[0] != "_" and not hasattr(type(self), name):
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint(name, dir(type(self)))}")
            set_attribute(self, name, value)

    def _own(self, address: int, contexts: Contexts) -> None:
        if self._address:
            # The library is using the contexts of the first life.
            type(self)._release(address)
            raise RuntimeError(f"{type(self).__name__} is initialised already")
        # What is dropped half made, after an interrupt, has either none of these or the first.
        set_attribute(self, "_contexts", contexts)
        set_attribute(self, "_life", _Life(address, contexts, type(self)._release))
        set_attribute(self, "_address", address)
        _living[address] = self

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if not self._address or is_finalizing():
            return
        try:
            self._flush()
        finally:
            # Else another thread may get it back even now, and its life ends with the last reference.
            if _living.get(self._address) is None:
                # The garbage collector has found it, together with others that may use it in their ends.
                self._address = 0
                self._silence()
                self._life.end()

    def _require_initialised(self) -> None:
        """Tells a subclass that has forgotten its base. No `__getattr__`, with which Python finds attributes slower."""
        if "_contexts" not in vars(self):
            kind = type(self).__name__
            raise AttributeError(f"this {kind} is not initialised: an __init__ of {kind} must call super().__init__()")
        if not self._address:
            raise ValueError(f"this {type(self).__name__} is gone: Python has finalised it")

    @property
    def _made(self) -> Place:
        return place_of(self._spot)

    def _flush(self) -> None:
        """Delivers what an interrupt has left."""

    def _silence(self) -> None:
        """Sees to it that nothing uses the native object by this any more."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"cannot copy or pickle an object of type {type(self).__name__}")


def handle_at(address: int) -> Optional[Handle]:
    """The living Python object of a native one."""
    return _living.get(address)


def living_handles() -> list[Handle]:
    """All observables and observers there are."""
    # In one step: other threads make and drop some meanwhile.
    return [handle for each in _living.valuerefs() if (handle := each()) is not None]


@atexit.register
def _stop_everything() -> None:
    # Nothing may call into an interpreter that is being taken down, not even a thread of a C program.
    library.set_runtime_lock(None)
    for contexts in [handle._contexts for handle in living_handles()] + contexts_left_behind():
        for context in list(contexts):
            library.stop(getattr(context, "_number", 0))
